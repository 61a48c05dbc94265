import { MemoryError } from '@mono-agent/memory-store'

/** code → meaning and mend; `docs/errors.md` is made from this table. */
export const SEARCH_ERRORS = {
  configured_identity_mismatch:
    'The index was built for another tier, provider, model, dimension or instruction policy. Nothing was written. Use the configuration it was built for, or stop the agent and run `mono-agent-memory rebuild` with this one.',
  manifest_missing:
    'There is no index manifest. Nothing was written. A lite store builds its index when it is opened for writing; otherwise stop the agent and run `mono-agent-memory rebuild`.',
  manifest_invalid:
    'The index manifest cannot be read as one. Nothing was written. A lite store builds its index anew when it is opened for writing; otherwise stop the agent and run `mono-agent-memory rebuild`.',
  index_obstructed:
    'Something of another kind stands where the index, or a part of it, has to be: a file instead of a directory, or the other way round. Nothing was written. Stop the agent and run `mono-agent-memory rebuild`, which removes it and builds the index anew; if it is yours, move it away first.',
  index_gone:
    'The index was deleted, moved or replaced while it was open. The Markdown is not touched by this, and no memory is lost. If the whole root was moved, put it back. Then open the store again: lite builds the index anew, for another tier run `mono-agent-memory rebuild` first.',
  index_newer:
    'The index was made by a newer version of this library. It was left as it is. Use that version, or delete `.index` and rebuild with this one.',
  index_older:
    'The index was made by an earlier version of this library, and whoever only reads cannot bring it up to date. Nothing was written, and nothing is lost. Open the store for writing once, as starting the agent does: that brings it up to date.',
  database_missing:
    'The database that the manifest names is gone. Nothing was written. A lite store builds it anew when it is opened for writing; otherwise stop the agent and run `mono-agent-memory rebuild`.',
  sqlite_integrity_failed:
    'The index database is damaged. The Markdown is not touched by this. A lite store builds it anew when it is closed and opened again; otherwise stop the agent and run `mono-agent-memory rebuild`.',
  metadata_mismatch:
    'The index database is not what its manifest says: other generation, schema or analyzer. Stop the agent and run `mono-agent-memory rebuild`.',
  fts_mismatch:
    'A new index did not hold the words of its rows, so it was not switched to; the former one stays. Rebuild again; if it comes back, report it.',
  vector_mismatch:
    'A new index did not hold the vectors of its rows, so it was not switched to; the former one stays. Rebuild again; if it comes back, report it.',
  canonical_mismatch:
    'The index holds what the canonical files do not explain, such as after `daily/`, `graph.jsonl` or the replay authority vanished or another directory took its place. Nothing was dropped, nothing was written; turns stay due. Put back what is missing, or stop the agent and run `mono-agent-memory rebuild` if what it held is gone for good.',
  lifecycle_unexpected:
    'The index holds graph, lifecycle or edges, which only bujo keeps, and it is for another tier. Nothing was written. Stop the agent and run `mono-agent-memory rebuild` with this configuration, or go back to the bujo one.',
  source_changed:
    'Day files changed while an index was built from them, or since the index to go back to was kept. The present index stays in use. Stop whatever writes them and rebuild with the configuration you want.',
  rollback_unavailable:
    'There is no previous index to go back to: none was kept, or what it holds is not what the day files say. Nothing was changed; the present index stays in use. Stop the agent and run `mono-agent-memory rebuild` with the configuration you want.',
  previous_damaged:
    'The previous index is not what was kept: its database is gone, damaged or changed. Nothing was changed; the present index stays in use. Stop the agent and run `mono-agent-memory rebuild` with the configuration you want.',
  index_busy: 'Another connection held the index for more than two seconds. Nothing was written. Try again.',
  index_failed:
    'SQLite could not read or write the index (disk full, I/O error, permission). The Markdown is not touched by this. Mend the cause and open the store again.',
  native_module_unavailable:
    'The native module `better-sqlite3` could not be loaded on this platform. Nothing was written. Install it again (`npm rebuild better-sqlite3`, with the Node.js that runs the agent).',
  vectors_unavailable:
    'The native module `sqlite-vec` could not be loaded on this platform. Nothing was written. Install it again (`npm rebuild`, or a platform it is built for); lite works without it.',
  ranking_thread_failed:
    'The thread that ranks large stores could not be had, or ended by itself. Rankings are made on the event loop until the store is opened again: the answers are the same, but each holds it for as long as it takes. Told once, as event `background_error`. A bundler that leaves out `dist/aside/ranking-worker.cjs` of `@mono-agent/memory-search` is one cause.',
  sidecar_invalid:
    'The sealed copy of the sidecar, from which recall is fast, is damaged, cut off, of another database, of another release, or cannot be read. It was not used. Answers are the same, only slower, until it has been made anew from the index, which happens by itself. Told as event `background_error`; nothing needs to be done, unless it comes back: then look after the disk, and for something else of its name (`memory.sidecar`, a link or a folder), which the store never touches: remove that.',
  sidecar_unwritten:
    'The sealed copy of the sidecar could not be written, as on a full disk, or where something else has its name (`memory.sidecar`: a link, a folder, a file of another owner). Recall is as fast as before; after the next opening it is made from the index again, which takes a while. Told as event `background_error`. Mend the disk, or remove what is in the way; the next sealing tries again.',
  sidecar_failed:
    'The sidecar, from which recall is fast, could not be built or could not follow the index. Answers are the same, only slower, until the store is opened again. Told once, as event `background_error`. If it comes back, run `mono-agent-memory rebuild`, and report it.',
  index_closed: 'The index was closed before this call. Open it again.',
} as const

export type SearchErrorCode = keyof typeof SEARCH_ERRORS

export class SearchError extends MemoryError<SearchErrorCode> {
  override readonly name = 'SearchError'
}

/** The error of this code with the text of the table; `detail` says what is particular, without memory text or paths. */
export function searchError(code: SearchErrorCode, detail?: string, cause?: unknown): SearchError {
  const text = detail === undefined ? SEARCH_ERRORS[code] : `${SEARCH_ERRORS[code]} (${detail})`
  return new SearchError(code, text, cause === undefined ? {} : { cause })
}
