// The built packages, as a user gets them; `npm run build` comes first.
export {
  createBujoMemoryStore,
  createMemoryStore,
  openMemoryReader,
  rebuildMemoryIndex,
  rollbackMemoryIndex,
} from '../../packages/memory-bujo/dist/index.js'
