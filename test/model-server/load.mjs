// For programs that no test runner compiles, such as benchmarks: `const { createEmbedder } = await loadModelServer()`.
import { tsImport } from 'tsx/esm/api'

/** @returns {Promise<typeof import('./index.js')>} */
export const loadModelServer = () => tsImport('./index.ts', import.meta.url)
