/**
 * Rules of the durability design, each broken in turn, at the file-system port or in the code: a crash must then lose or
 * damage something, or the scenarios would not notice. `scenario` says where it shows. A rule with a `complaint` shows in
 * that failure, with or without a crash; one of the model `kill` after a kill, so no power losses are looked at.
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
  'manifest flushed before its name': { scenario: 'calibration', ...unflushedFile(/[.]manifest[.]json[.]tmp-/) },
  'database flushed before the switch': { scenario: 'rebuild of a few turns', ...unflushedFile(/[/]memory[.]db$/) },
  'generation named before the switch': {
    scenario: 'rebuild of a few turns',
    ...unflushedFolder(/[/]generations(?:[/][^/]+)?$/),
  },
  'former index kept until the switch': {
    scenario: 'rebuild of a few turns',
    model: 'kill',
    ...inCode('memory-search', [
      /await (publishManifest\(fs, lease, root, manifest\));\s+(removeOtherGenerations\(fs, root, manifest\));\s+removeVector/,
      '$2; await $1; removeVector',
    ]),
  },
  'staged vectors kept until the switch': {
    scenario: 'rebuild of a few turns',
    model: 'kill',
    ...inCode('memory-search', [
      /await (publishManifest\(fs, lease, root, manifest\));\s+(removeOtherGenerations\(fs, root, manifest\));\s+(removeVectorStaging\(fs, root\));/,
      '$3; await $1; $2;',
    ]),
  },
  'vectors staged request by request': {
    scenario: 'rebuild of a few turns',
    ...inCode('memory-search', [/staging\.add\(vectors\);/, '']),
  },
  'written before settled': {
    scenario: 'journal and vectors',
    ...inCode(
      'memory-bujo',
      [
        /(const files = byFile\(fresh\);)/,
        'const early = fresh.map(({ turnId, bullets }) => ({ id: turnId, memoryIds: bullets.map(({ id }) => id) }));' +
          'await intake.settle([...early, ...known, ...settlementsOfRepeats(repeats, early)]); $1',
      ],
      [/await intake\.settle\(\[\.\.\.written\d*, \.\.\.known, [^;]+;/, ''],
    ),
  },
  'vector and backlog in one transaction': {
    scenario: 'journal and vectors',
    ...inCode(
      'memory-search',
      [
        /this\.db\.transaction\(\(\) => writeVectors\(this\.db, vectors\)\)\.immediate\(\)/,
        'writeVectors(this.db, vectors)',
      ],
      [/insert\.run\((row\d*), (\w+, blob)\);\s+served\.run\(row\d*\);/, 'served.run($1); insert.run($1, $2);'],
    ),
  },
  'vectors by the hash of their words': {
    scenario: 'journal and vectors',
    complaint: /has the vector of other words/,
    ...inCode('memory-search', [
      /select memories\.row from memories indexed by memories_by_content\s+join vector_backlog[^`]+where content_hash = \?/,
      'select row from vector_backlog where ? is not null order by row limit 1',
    ]),
  },
  'index flushed before its log goes': {
    scenario: 'journal and vectors',
    ...inCode('memory-search', [/synchronous = NORMAL/, 'synchronous = OFF']),
  },
  'no rollback journal for the log': {
    scenario: 'journal and vectors',
    ...inCode(
      'memory-search',
      [/if \(db\.pragma\("journal_mode", \{ simple: true \}\) !== "wal"\) db\.pragma\("journal_mode = MEMORY"\);/, ''],
      [/(busy_timeout = 0"\);\s+db\.pragma\("journal_mode =) MEMORY/, '$1 DELETE'],
    ),
  },
  'sealed copy flushed before its name': {
    scenario: 'copy of what was taken back',
    ...unflushedFile(/[/][.]memory[.]sidecar[.]tmp-/),
  },
  'mark of a sealed copy compared': {
    scenario: 'copy of what was taken back',
    complaint: /recall is not what it is without it/,
    ...inCode('memory-search', [/ && markOf\(this\.db, change\) === mark;/, ';']),
  },
  'sum of a sealed section compared': {
    scenario: 'damaged copy',
    complaint: /recall is not what it is without it/,
    ...inCode('memory-search', [/if \(sum !== checksum\) throw new SidecarDamage\(\);/, '']),
  },
  'changes followed since a build began': {
    scenario: 'sealing',
    complaint: /recall is not what it is without it/,
    ...inCode(
      'memory-search',
      [/const reached = lastChange\(db\);(\s+const memory = new SidecarMemory)/, 'const reached = 0;$1'],
      [/await catchUp\d*\(memory\);/, 'memory.reached = lastChange(db);'],
    ),
  },
  'offer retired before the day file': {
    scenario: 'first turn after a rebuild',
    model: 'kill',
    ...inCode(
      'memory-bujo',
      [/try \{\s+await index\d*\.retirePrevious\([^;]+\);/, 'try {'],
      [/(const states = [^;]*await dayFiles\.apply\(batches\);)/, '$1 await this.parts.index.retirePrevious();'],
    ),
  },
  'kept index flushed before it is offered': { scenario: 'rollback', ...unflushedFile(/[/]memory[.]db$/) },
  'plan before what it says': {
    scenario: 'capture',
    ...inCode('memory-bujo', [
      /await parts\.outbox\.publish\(plan\);(\s+onDurable\?\.\(\);)\s+const carried = await finish\(parts, plan, await (carryOut\([^)]+\))\);/,
      'const early = await $2; await parts.outbox.publish(plan);$1 const carried = await finish(parts, plan, early);',
    ]),
  },
  'plan kept until the turn is settled': {
    scenario: 'capture',
    model: 'kill',
    ...inCode('memory-bujo', [
      /(await intake\.settle\(\[\{ id, memoryIds: carried\.memoryIds, outcome: "curated" \}\]\);)\s+outbox\.remove\(id\);/,
      'outbox.remove(id); $1',
    ]),
  },
  'plan before what a Remember says': {
    scenario: 'Remember by plan',
    model: 'kill',
    ...inCode('memory-bujo', [
      /await parts\.outbox\.publish\(plan\);(\s+onDurable\?\.\(\);)/,
      'if (plan.stage === "commit") await parts.outbox.publish(plan);$1',
    ]),
  },
  'plan of a Remember gone before the answer': {
    scenario: 'Remember, its line removed by hand',
    ...inCode('memory-bujo', [/(this\.remove\(plan\.id\);)\s+await syncDirectories\d*\(fs, \[[^\]]+\]\);/, '$1']),
  },
  'plan flushed before its name': { scenario: 'capture', ...unflushedFile(/[.]capture-outbox[/][.].*[.]tmp-/) },
  'name of a plan flushed': { scenario: 'capture', ...unflushedFolder(/[/][.]capture-outbox$/) },
  'graph and replay flushed before settled': {
    scenario: 'capture',
    ...unflushedFile(/[/](?:graph|[.]replay-projection-v1[.]delta)[.]jsonl$/),
  },
  'graph and replay before the index': {
    scenario: 'capture',
    model: 'kill',
    ...inCode(
      'memory-bujo',
      [
        /(const captured = await authority\(states\);)/,
        'globalThis.recordEarly = (captured) => this.parts.index.record([], captured); $1',
      ],
      [
        /(const \{ refused, \.\.\.captured \} = await writeAuthority)/,
        'globalThis.recordEarly({ graph: standingLines(plan, standing), replay: entries, files: [] }); $1',
      ],
    ),
  },
  'graph and replay in the index at once': {
    scenario: 'capture',
    complaint: /does not know what was superseded/,
    ...inCode('memory-bujo', [/(index\d*)\.record\(states, captured\);/, '$1.record(states);']),
  },
  'audit line flushed before its name': { scenario: 'capture', ...unflushedFile(/[/]audit[/][.].*[.]tmp-/) },
  'name of an audit file flushed': { scenario: 'capture', ...unflushedFolder(/[/]audit$/) },
  'extraction flushed before the attempt counts': {
    scenario: 'capture, reconcile failing',
    ...unflushedFile(/[.]capture-outbox[/][.].*[.]tmp-/, (bytes) => bytes.includes('"stage":"retained"')),
  },
  'extraction kept when a later call fails': {
    scenario: 'capture, reconcile failing',
    model: 'kill',
    ...inCode('memory-bujo', [/if \(asked !== known\) await retain\(asked\);/, '']),
  },
  'written over before it is cut': {
    scenario: 'recovery of what is indexed',
    model: 'kill',
    ...inCode('memory-store', [/(writeBytes\(file, bytes, base\);)/, 'if (size > base) file.truncate(base); $1']),
  },
  'cut append cut back': {
    scenario: 'recovery of a cut append',
    complaint: /canonical_invalid|holds a line that cannot be read/,
    ...inCode('memory-store', [/if \(size > base \+ bytes\.length\) file\.truncate\(base \+ bytes\.length\);/, '']),
  },
  'snapshot flushed before the delta is emptied': {
    scenario: 'replay compaction',
    ...unflushedFile(/[/][.][.]replay-projection-v1[.]json[.]tmp-/),
  },
  'snapshot before the delta is emptied': {
    scenario: 'replay compaction',
    model: 'kill',
    breakRule: deltaEmptiedFirst,
  },
}

/** Each change finds its pattern exactly once in the built package, or the workload fails. */
function inCode(packageName, ...changes) {
  return { breakCode: { package: packageName, changes }, breakRule: (fs) => fs }
}

/**
 * The file system of a workload: as it is, or, as CRASH_BROKEN_RULE says, one that breaks a rule. This module loads nothing
 * of the library, whose packages are changed as they are loaded.
 */
export function brokenFileSystem(fs, name = process.env.CRASH_BROKEN_RULE) {
  return name === undefined ? fs : BROKEN_RULES[name].breakRule(fs)
}

const flushNothing = () => Promise.resolve()

/** @param isMeant  by what is written to the file; all files of the name when absent */
function unflushedFile(pattern, isMeant) {
  const withoutFlush = (file) => {
    let meant = isMeant === undefined
    return new Proxy(file, {
      get(target, key) {
        if ((key === 'sync' || key === 'dataSync') && meant) return flushNothing
        const value = Reflect.get(target, key)
        if (typeof value !== 'function') return value
        if (key !== 'write') return value.bind(target)
        return (bytes, position) => {
          meant ||= isMeant(Buffer.from(bytes))
          return value.call(target, bytes, position)
        }
      },
    })
  }
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

/** A compaction empties the delta, then publishes the snapshot. */
function deltaEmptiedFirst(fs) {
  return {
    ...fs,
    rename(from, to) {
      if (to.endsWith('/.replay-projection-v1.json')) {
        const file = fs.open(to.replace(/json$/, 'delta.jsonl'), 'write')
        file.truncate(0)
        file.close()
      }
      fs.rename(from, to)
    },
  }
}
