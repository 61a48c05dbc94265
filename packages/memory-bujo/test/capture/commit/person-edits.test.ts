import { readdirSync, rmSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { layout } from '@mono-agent/memory-store'
import type { CarriedOut } from '../../../src/capture/commit/carry-out.js'
import { idOf, spareOf, TODAY, TURN_ID, YESTERDAY } from './support/captures.js'
import { makeCommitRoot, type CommitRoot } from './support/commit-root.js'
import { capture, OLDER, seed } from './support/full-capture.js'
import { endsAt, endsOncePlanned, mortal, type End } from './support/mortal.js'

/** A capture of which a killed process left the plan, and as much as it had done. */
async function cut(end: End): Promise<CommitRoot> {
  const root = await makeCommitRoot(seed)
  const process = mortal(end)
  const opened = await root.open(process.fs, process.step)
  await opened.recover()
  await expect(opened.capture(() => capture)).rejects.toThrow()
  opened.close()
  expect(process.isDead()).toBe(true)
  return root
}

const whilePlanned = (): Promise<CommitRoot> => cut(endsOncePlanned(/daily/))
const beforeGraph = (): Promise<CommitRoot> => cut(endsOncePlanned(/graph\.jsonl$/))
const beforeIndex = (): Promise<CommitRoot> => cut(endsAt('record'))
const beforeReceipt = (): Promise<CommitRoot> => cut(endsAt('settle'))

async function recover(root: CommitRoot): Promise<CarriedOut> {
  const opened = await root.open()
  const { carriedOut } = await opened.recover()
  opened.close()
  expect(root.turns.get(TURN_ID)?.memoryIds).toEqual(carriedOut?.memoryIds)
  const { kept, rebuilt } = await root.indexes()
  expect(kept).toEqual(rebuilt) // no edge without authority, no row without a line
  if (carriedOut === undefined) throw new Error('there was no plan')
  return carriedOut
}

const LINES = { note: 'm-note', fact: 'm-fact', other: 'm-other', task: 'm-task' } as const
const fileOf = (id: string): string => (id === LINES.task ? OLDER : YESTERDAY)
const bulletOf = (id: string): RegExp => new RegExp(`- .*\\n  <!--mem id=${id} .*\\n`)
const removeLine = (root: CommitRoot, id: string): void =>
  root.edit(fileOf(id), (text) => text.replace(bulletOf(id), ''))
const reword = (root: CommitRoot, id: string): void =>
  root.edit(fileOf(id), (text) => text.replace(bulletOf(id), (lines) => lines.replace('.\n', ', says a person.\n')))
const lines = (root: CommitRoot, file: string): string[] => root.text(file).split('\n').slice(0, -1)
const edges = (root: CommitRoot): string[] =>
  lines(root, layout.replayDelta).map((line) => {
    const { kind, id, by, from, to } = JSON.parse(line) as Record<string, string>
    return kind === 'thread' ? `${from} > ${to}` : `${id} < ${by}`
  })

const ALL = [`m-other > m-fact`, `m-fact < ${idOf(3)}`, `m-task < ${idOf(4)}`, `${idOf(1)} > m-other`]
const without = (edge: number): string[] => ALL.filter((_, at) => at !== edge)

describe('a target that a person changed between plan and replay', () => {
  test.each([
    { name: 'of a supersession removed', edit: removeLine, id: LINES.fact, expected: without(1) },
    { name: 'of a supersession reworded', edit: reword, id: LINES.fact, expected: without(1) },
    { name: 'of a superseded task removed', edit: removeLine, id: LINES.task, expected: without(2) },
    { name: 'of a superseded task reworded', edit: reword, id: LINES.task, expected: without(2) },
    { name: 'of a thread removed', edit: removeLine, id: LINES.other, expected: without(3) },
    { name: 'of a thread reworded', edit: reword, id: LINES.other, expected: without(3) },
  ])('$name: the memory is added, the edge left out, theirs stays', async ({ edit, id, expected }) => {
    const root = await whilePlanned()
    edit(root, id)
    const theirs = root.text(fileOf(id)).match(bulletOf(id))?.[0]
    const { memoryIds, dropped } = await recover(root)
    expect(memoryIds).toEqual([idOf(1), 'm-note', idOf(3), idOf(4)])
    expect(dropped).toEqual({ echo: 1, edge_target_gone: 1 })
    expect(edges(root)).toEqual(expected)
    expect(root.text(fileOf(id)).match(bulletOf(id))?.[0]).toBe(theirs)
    for (const n of [1, 3, 4]) expect(root.text(TODAY)).toContain(`id=${idOf(n)} `)
    expect(root.text(OLDER)).not.toContain(spareOf(4)) // a task that is not superseded is not written once more
  })

  test.each([
    { name: 'removed', edit: removeLine },
    { name: 'reworded', edit: reword },
  ])('of an update $name: ours becomes a line of its own, and the graph speaks of that', async ({ edit }) => {
    const root = await whilePlanned()
    edit(root, LINES.note)
    const { memoryIds, dropped } = await recover(root)
    expect(memoryIds).toEqual([idOf(1), spareOf(2), idOf(3), idOf(4)])
    expect(dropped).toEqual({ echo: 1, edge_target_gone: 1 })
    expect(root.text(YESTERDAY)).toContain(`- – Morgan likes green tea.\n  <!--mem id=${spareOf(2)} `)
    expect(root.text(layout.graph)).toContain(`"entityId":"drink:tea","kind":"association","memoryId":"${spareOf(2)}"`)
    expect(root.text(layout.graph)).not.toContain('"memoryId":"m-note"')
    expect(edges(root)).toEqual(ALL)
  })

  test('after the edge was written: what is durable stays, and the index says the same', async () => {
    for (const id of [LINES.fact, LINES.other, LINES.task]) {
      for (const stage of [beforeIndex, beforeReceipt]) {
        const root = await stage()
        removeLine(root, id)
        await recover(root)
        expect(edges(root)).toEqual(ALL)
      }
    }
  })
})

describe('what a person makes of the new lines before the receipt', () => {
  test.each([layout.graph, layout.replayDelta])(
    '%s was torn at its beginning: nothing of it is anybody’s',
    async (log) => {
      const root = await beforeIndex()
      const [name = ''] = readdirSync(root.at(layout.outbox))
      const plan = JSON.parse(root.text(`${layout.outbox}/${name}`)) as Record<string, { base: { length: number } }>
      const { length } = plan[log === layout.graph ? 'graph' : 'replay']?.base ?? { length: 0 }
      root.edit(log, (text) => text.slice(0, length) + '\0'.repeat(10) + text.slice(length + 10))
      root.edit(TODAY, (text) => text.replace(bulletOf(idOf(3)), ''))
      root.edit(TODAY, (text) => text.replace(bulletOf(idOf(1)), ''))
      const { memoryIds } = await recover(root)
      expect(memoryIds).toEqual(['m-note', idOf(4)])
      for (const id of [idOf(1), idOf(3)]) expect(root.text(log)).not.toContain(id)
    },
  )

  test('one removed stays removed, and nothing refers to it', async () => {
    const root = await beforeGraph()
    root.edit(TODAY, (text) => text.replace(bulletOf(idOf(3)), ''))
    const { memoryIds } = await recover(root)
    expect(memoryIds).toEqual([idOf(1), 'm-note', idOf(4)])
    expect(root.text(TODAY)).not.toContain(idOf(3))
    expect(root.text(layout.graph)).not.toContain(idOf(3))
    expect(edges(root)).toEqual(without(1))
  })

  test('one reworded keeps their words', async () => {
    const root = await beforeGraph()
    root.edit(TODAY, (text) => text.replace('Ana lives in Lisbon.', 'Ana lives in Lisboa.'))
    await recover(root)
    expect(root.text(TODAY)).toContain('- – Ana lives in Lisboa.')
    expect(edges(root)).toEqual(ALL)
  })
})

describe('logs that a person edited meanwhile', () => {
  const ours = (text: string): number => text.split('\n').filter((line) => line.includes(TURN_ID.slice(0, 32))).length
  const theirs =
    '{"createdAt":"2026-05-02T08:00:00.000Z","id":"person:zoe","kind":"entity","name":"Zoë","type":"person"}\n'

  test.each([
    {
      name: 'their change of a line before ours',
      edit: (text: string) => text.replace('"Ana"', '"Anna"'),
      kept: '"Anna"',
    },
    { name: 'their line before all others', edit: (text: string) => theirs + text, kept: theirs },
    { name: 'their line at the end', edit: (text: string) => text + theirs, kept: theirs },
  ])('$name: stays, with all of ours once', async ({ edit, kept }) => {
    const plain = await whilePlanned()
    await recover(plain)
    const count = ours(plain.text(layout.graph))
    for (const stage of [whilePlanned, beforeGraph, beforeIndex, beforeReceipt]) {
      const root = await stage()
      root.edit(layout.graph, edit)
      await recover(root)
      expect(root.text(layout.graph)).toContain(kept)
      expect(ours(root.text(layout.graph))).toBe(count)
      expect(edges(root)).toEqual(ALL)
    }
  })

  test('an edit after the plan was carried out is seen whole, in the process that did it', async () => {
    const root = await beforeIndex()
    const opened = await root.open()
    await opened.recover()
    root.edit(layout.graph, (text) => text + theirs)
    await opened.index.catchUp()
    opened.close()
    const { kept, rebuilt } = await root.indexes()
    expect(kept).toEqual(rebuilt)
  })

  test('their removal of an edge from the delta stays', async () => {
    const root = await whilePlanned()
    root.edit(layout.replayDelta, () => '')
    await recover(root)
    expect(edges(root)).toEqual(without(0))
  })

  test('a line that is none is canonical_invalid, whatever the plan covers before it; mended, all goes on', async () => {
    const root = await whilePlanned()
    const before = root.text(layout.graph)
    root.edit(layout.graph, () => `no line\n${before}`)
    const opened = await root.open()
    await expect(opened.recover()).rejects.toMatchObject({ code: 'canonical_invalid' })
    opened.close()
    expect(root.turns.get(TURN_ID)).toBeUndefined()
    root.edit(layout.graph, () => before)
    await recover(root)
    expect(edges(root)).toEqual(ALL)
  })
})

test('the day file of today was made and removed again: what was published is published again, once', async () => {
  const root = await beforeGraph()
  rmSync(root.at(TODAY))
  const { memoryIds } = await recover(root)
  expect(memoryIds).toHaveLength(4)
  expect(root.text(TODAY).match(/<!--mem /g)).toHaveLength(3)
})
