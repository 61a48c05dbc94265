// Front door of the sidecar (SEA-19): candidates of a ranking from memory, with the answers of the reference path.
export { openSidecar, type OpenSidecarOptions } from './open-sidecar.js'
export { removeSidecarTemporaries, type SidecarPublisher } from './file/publish-sidecar.js'
export { SIDECAR_FROM, type Sidecar } from './sidecar.js'
