import { searchError } from '../errors.js'
import { nameKey } from '../query/name-tokens.js'
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
  // What recall blocks ask (REC-6, 7, 17, 18, 24). Labels, and the memories of an entity, stand by the instant at which they
  // were recorded: the newest of tens of thousands are found without looking at the others. Triggers keep both.
  `
  alter table entities add column name_key text not null default '';
  update entities set name_key = name_key(name);
  create index entities_by_name on entities (name_key, id);

  create table memory_labels (
    row integer not null,
    kind text not null,
    scope text not null,
    entity_id text not null,
    has_key integer not null,
    recorded_at text not null,
    id text not null,
    primary key (row, kind, scope, entity_id, has_key)
  ) strict, without rowid;
  create index memory_labels_by_kind on memory_labels (kind, recorded_at desc, id);
  create index memory_labels_by_scope on memory_labels (kind, scope, recorded_at desc, id) where scope <> '';
  create index memory_labels_by_entity on memory_labels (entity_id, has_key, recorded_at desc, id) where entity_id <> '';
  create view labels_of_memories as
    select distinct memories.row as row, label.value ->> 'kind' as kind, coalesce(label.value ->> 'scope', '') as scope,
        coalesce(label.value ->> 'entityId', '') as entity_id, label.value ->> 'key' is not null as has_key,
        created_at as recorded_at, memories.id as id
      from memories, json_each(memories.labels) as label where memories.labels <> '[]';
  create trigger memory_labels_added after insert on memories when new.labels <> '[]' begin
    insert into memory_labels select * from labels_of_memories where row = new.row;
  end;
  create trigger memory_labels_changed after update of labels, created_at, id on memories
    when new.labels <> old.labels or new.created_at <> old.created_at or new.id <> old.id
  begin
    delete from memory_labels where row = new.row;
    insert into memory_labels select * from labels_of_memories where row = new.row;
  end;
  create trigger memory_labels_removed after delete on memories when old.labels <> '[]' begin
    delete from memory_labels where row = old.row;
  end;
  insert into memory_labels select * from labels_of_memories;

  create table entity_memories (
    entity_id text not null,
    row integer not null,
    recorded_at text not null,
    id text not null,
    primary key (row, entity_id)
  ) strict, without rowid;
  create index entity_memories_by_entity on entity_memories (entity_id, recorded_at desc, id);
  create view memories_of_entities as
    select distinct entity_id, row, memories.created_at as recorded_at, id
      from memories join associations on associations.memory_id = memories.id;
  create trigger entity_memories_added after insert on memories begin
    insert into entity_memories select * from memories_of_entities where row = new.row;
  end;
  create trigger entity_memories_changed after update of created_at, id on memories
    when new.created_at <> old.created_at or new.id <> old.id
  begin
    delete from entity_memories where row = new.row;
    insert into entity_memories select * from memories_of_entities where row = new.row;
  end;
  create trigger entity_memories_removed after delete on memories begin
    delete from entity_memories where row = old.row;
  end;
  create trigger entity_memories_associated after insert on associations begin
    insert or ignore into entity_memories
      select new.entity_id, row, created_at, id from memories where id = new.memory_id;
  end;
  create trigger entity_memories_parted after delete on associations
    when not exists (select 1 from associations where entity_id = old.entity_id and memory_id = old.memory_id)
  begin
    delete from entity_memories
      where entity_id = old.entity_id and row in (select row from memories where id = old.memory_id);
  end;
  insert into entity_memories select * from memories_of_entities;

  create index relations_by_source on relations (src, created_at desc, dst, relation);
  create index relations_by_target on relations (dst, created_at desc, src, relation);
  create index memories_by_time on memories (moment, id) where is_duplicate = 0 and status <> 'dropped';

  create table access_counts (
    memory_id text primary key,
    count integer not null,
    last_at integer not null
  ) strict, without rowid;
  `,
  // What `change-log.ts` keeps (SEA-19). Change 0 is what the index holds now: freshly built, or as an earlier release left it.
  `
  create table changed_rows (change integer primary key, row integer not null unique) strict;
  create table epochs (first_change integer primary key, nonce text not null) strict;
  insert into epochs values (0, lower(hex(randomblob(16))));
  `,
  // Words without a second copy of their texts, which the rows give again (`stale-words.ts`). Not `contentless_delete`: what
  // it deletes goes on counting in the number of rows and the lengths that bm25 is made of.
  `
  drop table word_frequencies;
  alter table memory_words rename to words_with_texts;
  create virtual table memory_words using fts5 (body, before1, before2, tags, tokenize = 'ascii', content = '');
  insert into memory_words (rowid, body, before1, before2, tags)
    select rowid, body, before1, before2, tags from words_with_texts order by rowid;
  drop table words_with_texts;
  create virtual table word_frequencies using fts5vocab (memory_words, row);
  insert into memory_words (memory_words, rank) values ('rank', 'bm25(${COLUMN_WEIGHTS})');
  `,
  // A vector is of the words that its row has: the content of the memories finds it as well.
  `
  drop index memory_vectors_by_content;
  `,
  // Read backwards these say what the ones before said. Memories come in the order of time: where they are put in at the end of an
  // index its pages get full, at its beginning they stay half empty.
  `
  drop index memories_by_salience;
  create index memories_by_salience on memories (salience, created_at, id desc) where is_searchable = 1;
  drop index memories_by_moment;
  create index memories_by_moment on memories (moment, id desc) where is_searchable = 1;
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
  // Of entities that an index of an earlier release holds; nothing else calls it.
  db.function('name_key', { deterministic: true }, nameKey)
  steps.slice(version).forEach((step, at) => {
    db.transaction(() => {
      db.exec(step)
      db.pragma(`user_version = ${version + at + 1}`)
    })()
  })
}
