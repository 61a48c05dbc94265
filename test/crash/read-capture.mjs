// Reads what a bujo store wrote without the library under test.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { readManifest } from './check-vectors.mjs'
import { listTree } from './read-root.mjs'

const GRAPH = 'graph.jsonl'
const SNAPSHOT = '.replay-projection-v1.json'
const DELTA = '.replay-projection-v1.delta.jsonl'
const PROSE = /^(?:daily|audit)\/\d{4}-\d\d-\d\d[.]md$/

const read = (root, path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '')

/** The entries of a JSON line log; what cannot be read, as after a crash, is left out. */
function linesOf(root, path) {
  const parse = (line) => {
    try {
      return [JSON.parse(line)]
    } catch {
      return []
    }
  }
  return read(root, path).split('\n').flatMap(parse)
}

/**
 * All bytes that captures leave: day files, audit files, graph and replay authority, by path. The entries of the last are a
 * set wherever they stand: a compaction that a crash cut is made up for by a later capture.
 */
export function captureBytes(root) {
  const prose = listTree(root).filter(({ path }) => PROSE.test(path))
  const files = [...prose.map(({ path }) => path).sort(), GRAPH]
  const replay = replayOf(root).map((entry) => JSON.stringify(entry))
  return {
    ...Object.fromEntries(files.map((path) => [path, read(root, path)])),
    replay: [...new Set(replay)].sort().join('\n'),
  }
}

export const graphOf = (root) => linesOf(root, GRAPH)

export function replayOf(root) {
  const [{ entries = [] } = {}] = linesOf(root, SNAPSHOT)
  return [...entries, ...linesOf(root, DELTA)]
}

/** The plans that can be read, by stage: their ids, those of their turns where they have one. */
export function plansOf(root) {
  const plans = { retained: new Set(), commit: new Set(), remember: new Set() }
  if (!existsSync(join(root, '.capture-outbox'))) return plans
  for (const { path } of listTree(join(root, '.capture-outbox'))) {
    if (!path.endsWith('.json')) continue
    const [plan] = linesOf(root, `.capture-outbox/${path}`)
    if (plan !== undefined) plans[plan.stage]?.add(plan.id)
  }
  return plans
}

/** What the plan under way is to write, if there is one: lines of the graph, and entries of the replay authority. */
export function plannedLines(root) {
  const { commit, remember } = plansOf(root)
  const plans = [...commit, ...remember].flatMap((id) => linesOf(root, `.capture-outbox/${id}.json`))
  return { graph: plans.flatMap(({ graph }) => graph.lines), replay: plans.flatMap(({ replay }) => replay.edges) }
}

/** Tables whose rows carry numbers that depend on the way they came about. */
const NUMBERED = {
  memories: `select * from memories`,
  words: `select id, file, col, group_concat(term, ' ' order by offset) as words
    from word_instances left join memories on memories.row = doc group by doc, col`,
  vectors: `select id, file, memory_vectors.content_hash, hex(vector) as vector from memories
    join memory_vectors using (row)`,
  backlog: `select id, file from memories join vector_backlog using (row)`,
  files: `select path, size, digest from files`,
}
/** Of the file system, of the generation, of how it came about, or within `NUMBERED`. */
const OF_THE_PLACE =
  /^(?:memories|memory_|vector_backlog|word_frequencies|files|authority_files|index_identity|changed_rows|epochs|sqlite_)/

/** All rows of the index, table by table. */
export function indexRows(root) {
  return withIndex(root, (db) => {
    // The full text holds no texts; what it holds is read from its vocabulary.
    db.exec('create virtual table temp.word_instances using fts5vocab (main, memory_words, instance)')
    const names = db.prepare(`select name from sqlite_master where type = 'table'`).pluck().all()
    const plain = names.filter((name) => !OF_THE_PLACE.test(name)).map((name) => [name, `select * from ${name}`])
    const rowsOf = (query) =>
      db
        .prepare(query)
        .all()
        .map((columns) => JSON.stringify({ ...columns, row: undefined }))
    return Object.fromEntries(
      [...Object.entries(NUMBERED), ...plain].map(([table, query]) => [table, rowsOf(query).sort()]),
    )
  })
}

/** Reads a copy: SQLite leaves files beside what it opens. */
export function withIndex(root, use) {
  const copy = mkdtempSync(join(tmpdir(), 'index-'))
  try {
    const name = `.index/generations/${readManifest(root).generation}/memory.db`
    for (const suffix of ['', '-wal'])
      if (existsSync(join(root, name + suffix))) cpSync(join(root, name + suffix), join(copy, `memory.db${suffix}`))
    const db = new Database(join(copy, 'memory.db'))
    try {
      return use(db)
    } finally {
      db.close()
    }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
