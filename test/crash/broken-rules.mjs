import { nodeFileSystem } from '../../packages/memory-store/dist/index.js'

/**
 * Rules of the durability design, each broken at the file-system port in turn: a crash must then lose or damage something,
 * or the scenarios would not notice. `scenario` says where it shows.
 */
export const BROKEN_RULES = {
  'log flushed before the answer': { scenario: 'intake alone', ...unflushedFile(/[/]log[/]\d+$/) },
  'content flushed before its name': { scenario: 'root creation', ...unflushedFile(/[.]tmp-/) },
  'name of a day file flushed': { scenario: 'day files alone', ...unflushedFolder(/[/]daily$/) },
  'name of a new root flushed': { scenario: 'root creation', ...unflushedFolder(/[/]crash-root-[^/]+$/) },
  'name of a segment flushed': { scenario: 'checkpoints and pruning', ...unflushedFolder(/[/]log$/) },
  'shard flushed before the catalog': {
    scenario: 'checkpoints and pruning',
    ...unflushedFile(/[/]ledger[/][0-9a-f]{2}$/),
  },
  'name of a new shard flushed': { scenario: 'checkpoints and pruning', ...unflushedFolder(/[/]ledger$/) },
  'names of records flushed': {
    scenario: 'checkpoints and pruning',
    ...unflushedFolder(/[/](pending|dead|resolved)$/),
  },
  'segments kept until the catalog': { scenario: 'checkpoints and pruning', breakRule: segmentsGoFirst },
  'marker made after the catalog': { scenario: 'root creation', breakRule: markerBeforeCatalog },
}

/** The file system of a workload: the real one, or, as CRASH_BROKEN_RULE says, one that breaks a rule. */
export function fileSystem(name = process.env.CRASH_BROKEN_RULE) {
  return name === undefined ? nodeFileSystem : BROKEN_RULES[name].breakRule(nodeFileSystem)
}

const flushNothing = () => Promise.resolve()

function unflushedFile(pattern) {
  const withoutFlush = (file) =>
    new Proxy(file, {
      get(target, key) {
        if (key === 'sync' || key === 'dataSync') return flushNothing
        const value = Reflect.get(target, key)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  const open = (fs) => (path, mode) => (pattern.test(path) ? withoutFlush(fs.open(path, mode)) : fs.open(path, mode))
  return { breakRule: (fs) => ({ ...fs, open: open(fs) }) }
}

function unflushedFolder(pattern) {
  const syncDirectory = (fs) => (path) => (pattern.test(path) ? flushNothing() : fs.syncDirectory(path))
  return { breakRule: (fs) => ({ ...fs, syncDirectory: syncDirectory(fs) }) }
}

/** The segments that a catalog folds in are gone before it has its name. */
function segmentsGoFirst(fs) {
  const isSegment = (path) => /[/]log[/]\d+$/.test(path)
  return {
    ...fs,
    rename(from, to) {
      if (to.endsWith('/catalog')) {
        const log = to.replace(/catalog$/, 'log')
        const numbers = fs.list(log).map(Number)
        for (const number of numbers) if (number < Math.max(...numbers)) fs.remove(`${log}/${number}`)
      }
      fs.rename(from, to)
    },
    remove: (path) => (isSegment(path) && fs.lstat(path) === undefined ? undefined : fs.remove(path)),
  }
}

/** The catalog of a new root gets its name only when the marker has its own. */
function markerBeforeCatalog(fs) {
  let postponed
  return {
    ...fs,
    rename(from, to) {
      const isFirstCatalog =
        to.endsWith('/catalog') && fs.lstat(to.replace(/[.]capture-intake[/]catalog$/, '.memory-schema')) === undefined
      if (isFirstCatalog) postponed = () => fs.rename(from, to)
      else fs.rename(from, to)
      if (to.endsWith('/.memory-schema')) postponed?.()
    },
  }
}
