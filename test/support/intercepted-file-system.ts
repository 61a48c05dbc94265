import type { FileSystem, OpenFile } from '@mono-agent/memory-store'

export const OPERATIONS = [
  'open',
  'lstat',
  'list',
  'makeDirectory',
  'rename',
  'remove',
  'removeDirectory',
  'chmod',
  'resolve',
  'syncDirectory',
  'file.stat',
  'file.read',
  'file.write',
  'file.truncate',
  'file.sync',
  'file.dataSync',
  'file.close',
] as const

/** A call of the port; those of an open file start with `file.`. */
export type Operation = (typeof OPERATIONS)[number]

export interface Call {
  readonly operation: Operation
  /** The file as it was opened, or the path that was given; of a rename the target. */
  readonly path: string
}

export interface Interceptor {
  /** Stands around every call; `proceed` carries it out. What it returns or throws, the caller gets. */
  around<T>(call: Call, proceed: () => T): T
  /** `around` for writes, which may be cut short. */
  aroundWrite?(call: Call, length: number, proceed: (length: number) => number): number
}

/** Lets `interceptor` see, count, delay or refuse every call of the port `fs`. */
export function interceptFileSystem(fs: FileSystem, interceptor: Interceptor): FileSystem {
  const around = <T>(operation: Operation, path: string, proceed: () => T): T =>
    interceptor.around({ operation, path }, proceed)

  const wrapFile = (file: OpenFile, path: string): OpenFile => ({
    stat: () => around('file.stat', path, () => file.stat()),
    read: (into, position) => around('file.read', path, () => file.read(into, position)),
    write(bytes, position) {
      const call: Call = { operation: 'file.write', path }
      if (interceptor.aroundWrite === undefined) return interceptor.around(call, () => file.write(bytes, position))
      return interceptor.aroundWrite(call, bytes.length, (length) => file.write(bytes.subarray(0, length), position))
    },
    truncate: (length) => around('file.truncate', path, () => file.truncate(length)),
    sync: () => around('file.sync', path, () => file.sync()),
    dataSync: () => around('file.dataSync', path, () => file.dataSync()),
    close: () => around('file.close', path, () => file.close()),
  })

  return {
    open: (path, mode) => around('open', path, () => wrapFile(fs.open(path, mode), path)),
    lstat: (path) => around('lstat', path, () => fs.lstat(path)),
    list: (path) => around('list', path, () => fs.list(path)),
    makeDirectory: (path) => around('makeDirectory', path, () => fs.makeDirectory(path)),
    rename: (from, to) => around('rename', to, () => fs.rename(from, to)),
    remove: (path) => around('remove', path, () => fs.remove(path)),
    removeDirectory: (path) => around('removeDirectory', path, () => fs.removeDirectory(path)),
    chmod: (path, mode) => around('chmod', path, () => fs.chmod(path, mode)),
    resolve: (path) => around('resolve', path, () => fs.resolve(path)),
    syncDirectory: (path) => around('syncDirectory', path, () => fs.syncDirectory(path)),
  }
}
