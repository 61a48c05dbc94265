import { layout, type FileSystem } from '@mono-agent/memory-store'
import { join } from 'node:path'
import {
  buildIndex,
  openIndexReader,
  openWritableIndex,
  type IndexReader,
  type OpenIndexOptions,
  type SearchIndex,
} from '../../../src/index.js'
import type { IndexQueries } from '../../../src/index-queries.js'
import { append, deltaBytes, entity, graphBytes, put } from '../../support/authority.js'
import { manifestOf } from '../../support/dump.js'
import type { TestRoot } from '../../support/roots.js'
import { newRoot } from '../../support/scenario.js'
import { build, hashProvider } from '../../support/vectors.js'
import type { Appended, Story } from './stories.js'
import type { Tier } from './tiers.js'

const AT = Date.parse('2026-06-01T00:00:00.000Z')

/** A root whose files tell a story, and the ways to open its index. */
export class Store {
  /** Codes of what was told of sidecars, in order; and the details in their messages. */
  readonly faults: { readonly code: string; readonly detail: string | undefined }[] = []
  /** Of those who open it; a faulty one for tests of faults. */
  fs: FileSystem

  private constructor(
    readonly root: TestRoot,
    readonly tier: Tier,
    readonly story: Story,
  ) {
    this.fs = root.fs
  }

  static async of(story: Story, tier: Tier): Promise<Store> {
    const store = new Store(await newRoot(), tier, story)
    store.write()
    if (store.isBujo) {
      put(store.root, layout.graph, graphBytes([entity('person:ana', 'Ana'), entity('org:tea', 'Tea House')]))
      put(store.root, layout.replayDelta, deltaBytes([]))
    }
    await store.build()
    return store
  }

  get isBujo(): boolean {
    return this.tier.identity.tier === 'bujo'
  }
  /** Of the generation that is in use. */
  get sidecarPath(): string {
    return join(this.root.path, layout.sidecar(this.generation))
  }
  get databasePath(): string {
    return join(this.root.path, layout.database(this.generation))
  }
  get generation(): string {
    return manifestOf(this.root.path).generation
  }

  write(): void {
    for (const [file, bullets] of this.story.files) this.root.write(file, bullets)
  }

  /** Carries out what a step left to the writer, and catches up with the files. */
  async follow(index: SearchIndex, { graph, replay }: Appended): Promise<void> {
    await index.catchUp()
    if (graph.length + replay.length > 0) index.record([], append(this.root, graph, replay))
  }

  /** A new generation; no writer may be open. */
  async build(): Promise<void> {
    const { identity, calibration, vectorOf } = this.tier
    if (vectorOf !== undefined) {
      const embed = { ...hashProvider(vectorOf), identity: identity as Required<typeof identity> }
      await build(this.root, { identity, calibration, embed })
    } else await buildIndex({ ...this.#options, lease: this.root.lease })
  }

  /** The fast path, from the first record on. */
  writer(options: Partial<OpenIndexOptions> = {}): Promise<SearchIndex> {
    return openWritableIndex({ ...this.#options, sidecarFrom: 1, lease: this.root.lease, ...options })
  }
  reader(options: Partial<OpenIndexOptions> = {}): IndexReader {
    return openIndexReader({ ...this.#options, sidecarFrom: 1, ...options })
  }
  /** The reference path. */
  reference(): IndexReader {
    return openIndexReader({ ...this.#options, sidecarFrom: Infinity })
  }

  get #options(): OpenIndexOptions {
    const { fs, root, tier } = this
    return {
      root: root.path,
      fs,
      identity: tier.identity,
      now: () => AT,
      onSidecarFault: (error) => {
        const { code, message } = error as { code: string; message: string }
        this.faults.push({ code, detail: /\(([^()]*)\)$/.exec(message)?.[1] })
      },
    }
  }
}

/** Whether the next ranking would be made from the sidecar: tests of the fast path must not compare the reference with itself. */
export function isFast(index: IndexReader): boolean {
  index.countMissingVectors() // a reader follows a new generation with its next question
  const inside = index as unknown as { queries?: IndexQueries; opened?: { queries: IndexQueries } }
  const queries = inside.queries ?? inside.opened?.queries
  if (queries === undefined) throw new Error('an index asks its database through `IndexQueries`')
  return queries.isFast()
}
