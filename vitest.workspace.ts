import { fileURLToPath } from 'node:url'

const PACKAGES = ['memory-store', 'memory-intake', 'memory-search', 'memory-bujo', 'memory-cli'] as const

const source = (name: string) => fileURLToPath(new URL(`packages/${name}/src/index.ts`, import.meta.url))

/** Tests run against the sources of every package; only the pack tests need a build. */
const alias = Object.fromEntries(PACKAGES.map((name) => [`@mono-agent/${name}`, source(name)]))

/** One vitest project a package, and one for what concerns the whole: contract, pack and documentation tests. */
export const projects = [
  ...PACKAGES.map((name) => ({
    resolve: { alias },
    test: { name, include: [`packages/${name}/test/**/*.test.ts`], testTimeout: 60_000 },
  })),
  { resolve: { alias }, test: { name: 'workspace', include: ['test/**/*.test.ts'], testTimeout: 300_000, hookTimeout: 600_000 } },
]
