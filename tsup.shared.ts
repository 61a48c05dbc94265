import { defineConfig, type Options } from 'tsup'

/** How every package is built: ESM only, types beside it, one file a front door. */
export function packageBuild(options: Partial<Options> = {}): ReturnType<typeof defineConfig> {
  return defineConfig({
    entry: ['src/index.ts'],
    format: ['esm'],
    target: 'node20',
    platform: 'node',
    dts: true,
    sourcemap: true,
    clean: true,
    ...options,
  })
}
