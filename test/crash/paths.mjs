import { join } from 'node:path'

/** The store's root below the folder that is recorded: it may be missing, so that its making is recorded too. */
export const storeRoot = (folder) => join(folder, 'memory')
