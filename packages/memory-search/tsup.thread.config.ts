import { packageBuild } from '../../tsup.shared.js'

/**
 * The thread of rankings is a file of its own, which `new Worker` is given. How long it takes to start is how long a large
 * store takes to open, so it is one file with all that it needs but native modules, and CommonJS, which a thread loads
 * sooner.
 */
export default packageBuild({
  entry: { 'ranking-worker': 'src/aside/ranking-worker.ts' },
  outDir: 'dist/aside',
  format: ['cjs'],
  noExternal: ['@mono-agent/memory-store'],
  external: ['fast-json-stable-stringify'],
  treeshake: { moduleSideEffects: 'no-external' },
  dts: false,
})
