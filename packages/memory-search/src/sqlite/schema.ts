import { searchError } from '../errors.js'
import type { Connection } from './connection.js'

/** Weights of the words in a record, and in the one and the two before it (SEA-9). Tags choose, they do not count. */
export const COLUMN_WEIGHTS = '1.0, 0.5, 0.25, 0.0'

/**
 * Forward steps; the version of a database is how many it has taken. A new database takes all of them, so that a fresh and
 * a migrated one are the same. A step that was released never changes.
 */
export const SCHEMA_STEPS: readonly string[] = [
  `
  create table index_identity (key text primary key, value text not null) strict, without rowid;

  create table memories (
    row integer primary key,
    id text not null,
    file text not null,
    position integer not null,
    sentence text not null,
    type text not null,
    status text not null,
    salience real not null,
    is_insight integer not null,
    created_at text not null,
    refs text not null,
    due_at text,
    occurred_at text,
    speaker text,
    attribution text,
    replaceable integer,
    rev text,
    conversation_id text,
    labels text not null,
    moment integer not null,
    content_hash text not null,
    digest text not null,
    is_duplicate integer not null,
    is_searchable integer not null,
    unique (file, id)
  ) strict;
  create index memories_by_id on memories (id);
  create index memories_by_content on memories (content_hash);
  create index memories_by_conversation on memories (conversation_id, moment, file, position)
    where is_searchable = 1 and conversation_id is not null;
  create index memories_by_salience on memories (salience desc, created_at desc, id) where is_searchable = 1;

  create table files (
    path text primary key,
    dev text not null,
    ino text not null,
    size integer not null,
    mtime_ns text not null,
    ctime_ns text not null,
    digest text not null,
    recorded_at integer not null
  ) strict, without rowid;

  create virtual table memory_words using fts5 (body, before1, before2, tags, tokenize = 'ascii');
  create virtual table word_frequencies using fts5vocab (memory_words, row);
  insert into memory_words (memory_words, rank) values ('rank', 'bm25(${COLUMN_WEIGHTS})');
  `,
  // Vectors: every searchable row has one or waits for one, in tiers with embeddings; lite leaves both tables empty.
  `
  alter table memories add column content_id text;
  create index memories_by_content_id on memories (content_id) where content_id is not null;

  create table memory_vectors (
    row integer primary key,
    content_hash text not null,
    vector blob not null
  ) strict;
  create index memory_vectors_by_content on memory_vectors (content_hash);

  create table vector_backlog (row integer primary key) strict;
  `,
  // Graph and lifecycle as folded from their files (FMT-7, 8); lite and journal leave all of that empty. Besides, the facts
  // that labels state, as `<entity id> <fact key>`: found without looking at every memory of an entity.
  `
  create table entities (
    id text primary key,
    name text not null,
    type text not null,
    summary text,
    created_at text not null
  ) strict, without rowid;

  create table relations (
    src text not null,
    relation text not null,
    dst text not null,
    valid_from text not null,
    valid_to text not null,
    created_at text not null,
    primary key (src, relation, dst, valid_from, valid_to)
  ) strict, without rowid;

  create table relation_support (
    src text not null,
    relation text not null,
    dst text not null,
    valid_from text not null,
    valid_to text not null,
    memory_id text not null,
    primary key (src, relation, dst, valid_from, valid_to, memory_id)
  ) strict, without rowid;

  create table associations (
    entity_id text not null,
    memory_id text not null,
    provenance text not null,
    created_at text not null,
    primary key (entity_id, memory_id, provenance)
  ) strict, without rowid;
  create index associations_by_memory on associations (memory_id);

  create table thread_edges (
    from_id text not null,
    to_id text not null,
    weight real not null,
    at text not null,
    authority_kind text not null,
    authority_digest text not null,
    primary key (from_id, to_id)
  ) strict, without rowid;

  create table supersessions (
    id text primary key,
    by_id text not null,
    at text not null,
    authority_kind text not null,
    authority_digest text not null
  ) strict, without rowid;
  create index supersessions_by_successor on supersessions (by_id);

  create table terminals (
    id text primary key,
    at text not null,
    authority_kind text not null,
    authority_digest text not null
  ) strict, without rowid;

  create table memory_facts (
    fact_key text not null,
    row integer not null,
    primary key (fact_key, row)
  ) strict, without rowid;
  create index memory_facts_by_row on memory_facts (row);
  create trigger memory_facts_added after insert on memories when new.labels <> '[]' begin
    insert into memory_facts select fact_key, row from facts_of_labels where row = new.row;
  end;
  create trigger memory_facts_changed after update of labels on memories when new.labels <> old.labels begin
    delete from memory_facts where row = new.row;
    insert into memory_facts select fact_key, row from facts_of_labels where row = new.row;
  end;
  create trigger memory_facts_removed after delete on memories when old.labels <> '[]' begin
    delete from memory_facts where row = old.row;
  end;
  create view facts_of_labels as
    select distinct label.value ->> 'entityId' || ' ' || (label.value ->> 'key') as fact_key, memories.row as row
      from memories, json_each(memories.labels) as label
      where memories.labels <> '[]' and label.value ->> 'kind' = 'fact' and label.value ->> 'key' is not null;
  insert into memory_facts select fact_key, row from facts_of_labels;
  create index memories_by_moment on memories (moment desc, id) where is_searchable = 1;

  create table authority_files (
    path text primary key,
    dev text not null,
    ino text not null,
    size integer not null,
    mtime_ns text not null,
    ctime_ns text not null,
    digest text not null,
    recorded_at integer not null
  ) strict, without rowid;
  `,
]

export const SCHEMA_VERSION = SCHEMA_STEPS.length

export const schemaVersionOf = (db: Connection): number => db.pragma('user_version', { simple: true }) as number

/**
 * Brings a database to the newest version, in one transaction a step.
 * @param steps  for tests only
 * @throws {SearchError} index_newer: it has taken steps that this library does not know
 */
export function migrate(db: Connection, steps: readonly string[] = SCHEMA_STEPS): void {
  const version = schemaVersionOf(db)
  if (version > steps.length) throw searchError('index_newer', `schema ${version}, known ${steps.length}`)
  steps.slice(version).forEach((step, at) => {
    db.transaction(() => {
      db.exec(step)
      db.pragma(`user_version = ${version + at + 1}`)
    })()
  })
}
