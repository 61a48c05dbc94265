export { HOST_ERRORS, HostError, type HostErrorCode } from './errors.js'
export type * from './types.js'
export type * from './tools/memory-tool.js'
