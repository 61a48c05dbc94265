import type { MemoryHit, MemoryStatus, MemoryType } from '@mono-agent/memory-store'
import { searchRecords } from './search-records.js'
import type { Connection } from './sqlite/connection.js'
import { indexedRecords } from './sqlite/lexical-candidates.js'
import { ROW_COLUMNS, toIndexedMemory, type MemoryRow } from './sqlite/memory-rows.js'
import { prepared } from './sqlite/statements.js'
import type { IndexedMemory, IndexStats, LexicalRequest } from './types.js'

const MAX_LIMIT = 50
const COUNTED = 'is_duplicate = 0'

/** What is asked of one open database; every method runs within one snapshot of it. */
export class IndexQueries {
  private records: { readonly version: unknown; readonly count: number } | undefined

  constructor(private readonly db: Connection) {}

  /** @throws {RangeError} `limit` outside 1..50 */
  search(request: LexicalRequest): MemoryHit[] {
    if (typeof request.query !== 'string') throw new TypeError('The query must be a string.')
    const { limit } = request
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
      throw new RangeError(`The limit is 1..${MAX_LIMIT}.`)
    return this.inSnapshot(() => searchRecords(this.db, request, this.recordCount()))
  }

  get(id: string): IndexedMemory | undefined {
    return this.select(`where id = ? and ${COUNTED}`, id)[0]
  }

  findByContentHash(hash: string): IndexedMemory[] {
    return this.select(`where content_hash = ? and ${COUNTED} order by created_at, id`, hash)
  }

  listFile(file: string): IndexedMemory[] {
    return this.select(`where file = ? and ${COUNTED} order by position`, file)
  }

  top(limit: number): IndexedMemory[] {
    if (!Number.isInteger(limit) || limit < 1) throw new RangeError('The limit is a whole number from 1.')
    return this.select('where is_searchable = 1 order by salience desc, created_at desc, id limit ?', limit)
  }

  stats(generation: string): IndexStats {
    return this.inSnapshot(() => {
      const byStatus: Record<MemoryStatus, number> = {
        open: 0,
        done: 0,
        migrated: 0,
        scheduled: 0,
        dropped: 0,
        invalidated: 0,
      }
      const byType: Record<MemoryType, number> = { note: 0, event: 0, task: 0 }
      let memories = 0
      const groups = prepared<[], { status: MemoryStatus; type: MemoryType; count: number }>(
        this.db,
        `select status, type, count(*) as count from memories where ${COUNTED} group by status, type`,
      )
      for (const { status, type, count } of groups.all()) {
        byStatus[status] += count
        byType[type] += count
        memories += count
      }
      return {
        memories,
        byStatus,
        byType,
        conversations: this.count(`select count(distinct conversation_id) from memories where ${COUNTED}`),
        dayFiles: this.count('select count(*) from files'),
        bytes: this.count('pragma page_count') * this.count('pragma page_size'),
        generation,
      }
    })
  }

  /** A transaction, so that all of an answer comes from one state; no `await` can be inside. */
  private inSnapshot<T>(read: () => T): T {
    return this.db.inTransaction ? read() : this.db.transaction(read).deferred()
  }

  private select(rest: string, value: string | number): IndexedMemory[] {
    return prepared<[string | number], MemoryRow>(this.db, `select ${ROW_COLUMNS} from memories ${rest}`)
      .all(value)
      .map(toIndexedMemory)
  }

  private count(sql: string): number {
    return prepared<[], number>(this.db, sql).pluck().get() ?? 0
  }

  /** Counted again only after a change: of another connection (data_version) or of this one (total_changes). */
  private recordCount(): number {
    const other = this.count('pragma data_version')
    const own = this.count('select total_changes()')
    const version = `${other}:${own}`
    if (this.records?.version !== version) this.records = { version, count: indexedRecords(this.db) }
    return this.records.count
  }
}
