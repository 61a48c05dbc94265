import { packageBuild } from '../../tsup.shared.js'

// The thread of rankings is a file of its own, which `new Worker` is given; each file is whole.
export default packageBuild({
  entry: { index: 'src/index.ts', 'aside/ranking-worker': 'src/aside/ranking-worker.ts' },
  dts: { entry: 'src/index.ts' },
  splitting: false,
})
