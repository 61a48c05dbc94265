import { fileURLToPath } from 'node:url'

const PACKAGES = ['memory-store', 'memory-intake', 'memory-search', 'memory-bujo', 'memory-host', 'memory-cli'] as const

const source = (name: string) => fileURLToPath(new URL(`packages/${name}/src/index.ts`, import.meta.url))

/** Tests run against the sources of every package; only the `packed` project needs a build. */
const alias = Object.fromEntries(PACKAGES.map((name) => [`@mono-agent/${name}`, source(name)]))

/** One vitest project a package, one for what concerns the whole workspace, one for what a user installs. */
export const projects = [
  ...PACKAGES.map((name) => ({
    resolve: { alias },
    test: { name, include: [`packages/${name}/test/**/*.test.ts`], testTimeout: 60_000 },
  })),
  {
    resolve: { alias },
    test: {
      name: 'workspace',
      include: ['test/**/*.test.ts'],
      exclude: ['test/pack/**', 'test/docs.test.ts'],
      testTimeout: 300_000,
    },
  },
  {
    // What needs a build: the packed tarballs, which setup.ts packs and installs once, and the verifier of the crash tests.
    test: {
      name: 'packed',
      include: ['test/pack/**/*.test.ts', 'test/crash/**/*.test.mjs', 'test/docs.test.ts'],
      globalSetup: ['test/pack/setup.ts'],
      testTimeout: 300_000,
    },
  },
]
