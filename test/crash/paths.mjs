import { join } from 'node:path'

/** The store's root below the folder that is recorded: it may be missing, so that its making is recorded too. */
export const storeRoot = (folder) => join(folder, 'memory')

/** The folders of a root that files are published into. */
export const foldersOf = (root) =>
  [
    ...['', 'daily', '.index', '.capture-intake', '.capture-intake/ledger', '.capture-intake/log'],
    ...['.capture-intake/pending', '.capture-intake/dead', '.capture-intake/resolved'],
  ].map((folder) => join(root, folder))
