import { describe, expect, test } from 'vitest'
import type { MemoryLabel } from '@mono-agent/memory-bujo'
import { angleEmbeddings } from '../../memory-bujo/test/support/angle-embeddings.js'
import { about, openWritten, person } from '../../memory-bujo/test/support/written-store.js'
import { bujoFolder, type BujoFolder } from './support/bujo.js'
import { commandIn, jsonOf } from './support/command.js'

const home = (entityId: string, text: string): MemoryLabel => ({
  kind: 'fact',
  entityId,
  key: 'home_location',
  value: { type: 'text', text },
  attribution: 'user-stated',
})
const PREFERENCE: MemoryLabel = { kind: 'preference', scope: 'agent', attribution: 'user-stated' }
const TURN = '0123456789abcdef0123456789abcdef'
const LUND = `r-${TURN}-0`
const MALMO = 'm-2'
const REPLACED_AT = '2026-05-01T10:00:00.000Z'

const MEMORIES = [
  { id: LUND, sentence: 'Ana lives in Lund.', labels: [home('person:ana', 'Lund')] },
  {
    id: MALMO,
    sentence: 'Ana lives in Malmö.',
    labels: [home('person:ana', 'Malmö')],
    createdAt: '2026-04-30T09:00:00.000Z',
    salience: 0.9,
  },
  { id: 'm-3', sentence: 'Answers should be short.', labels: [PREFERENCE] },
  { id: 'm-4', sentence: 'The fair took place.', type: 'event', dueAt: '2020-01-02', attribution: 'document' },
  { id: 'm-5', sentence: 'I live in Kiruna.', labels: [home('person:owner', 'Kiruna')] },
  { id: 'm-6', sentence: 'Visit the harbour.', dueAt: '2020-01-03', attribution: 'assistant-inferred' },
  { id: 'm-7', sentence: 'Visit the moon.', dueAt: '2999-01-01' },
  { id: 'm-8', sentence: 'The visit is over.', status: 'done' },
] as const

/** A configured folder whose store holds these memories. */
async function folderWith(memories: Parameters<typeof openWritten>[1]['memories'] = MEMORIES): Promise<BujoFolder> {
  const folder = await bujoFolder()
  const graph = [
    person('person:ana', 'Ana Ruiz', '2026-04-30T09:00:00.000Z'),
    about(LUND, 'person:ana'),
    about(MALMO, 'person:ana'),
  ]
  const supersessions = [{ id: MALMO, by: LUND, at: REPLACED_AT }]
  const isWhole = memories === MEMORIES
  const written = isWhole ? { memories, graph, supersessions } : { memories }
  await (
    await openWritten(
      folder.root,
      written,
      angleEmbeddings(() => 0.5),
    )
  ).close()
  return folder
}

interface Answer {
  readonly hits: readonly { id: string; currentness?: string; endedOn?: string }[]
  readonly note?: string
  readonly sections: readonly { kind: string }[]
}

describe('search', () => {
  const searching = async (command: BujoFolder['command'], ...words: string[]): Promise<Answer> => {
    const finished = await command.run(['search', ...words, '--json'])
    expect(finished).toMatchObject({ exitCode: 0, stderr: '' })
    return jsonOf(finished) as Answer
  }
  const idsOf = ({ hits }: Answer): string[] => hits.map(({ id }) => id).sort()

  test('in words: what has to be said, marks, who said it, the fact sheet', async () => {
    const { command } = await folderWith()
    const { stdout, stderr } = await command.run(['search', 'Where does Ana Ruiz live?', '--limit', '50'])
    expect(stderr).toBe('')
    const lines = stdout.split('\n')
    expect(lines[0]).toMatch(/^Insufficient evidence: /)
    const block = (sentence: string): string => {
      const at = lines.findIndex((line) => line.endsWith(sentence))
      return lines.slice(at, at + 2).join('\n')
    }
    expect(block('Ana lives in Lund.')).toMatch(
      /^-?\d\.\d{3} {2}2026-05-01 {2}Ana lives in Lund\.\n +note · recorded 2026-05-01 · you said · daily\/2026-05-01\.md · r-/,
    )
    expect(block('Ana lives in Malmö.')).toContain('  [superseded] Ana lives in Malmö.')
    expect(block('The fair took place.')).toMatch(
      / \[ended 2020-01-02\] .*\n +event · recorded 2026-05-01 · from a document · /,
    )
    expect(block('The visit is over.')).toContain(' [done] ')
    expect(block('Visit the harbour.')).toMatch(/ \[due 2020-01-03\] .*\n.* · assistant noted · /)
    expect(stdout).toMatch(
      /\n\nFact sheet: .*\n.*Ana Ruiz.*\n- home town: Lund \(you said, recorded 2026-05-01\)\n- home town: Malmö .*superseded/,
    )
  })

  test('guidance of a kind, about somebody, about nobody', async () => {
    const { command } = await folderWith()
    const preferences = await searching(command, 'how to answer', '--kind', 'preference')
    expect(idsOf(preferences)).toEqual(['m-3'])
    expect(preferences.sections).toMatchObject([{ kind: 'guidance' }])
    expect((await command.run(['search', 'how to answer', '-k', 'preference'])).stdout).toMatch(
      /\n\nPreferences & lessons:\n.*Answers should be short\./,
    )
    expect(idsOf(await searching(command, 'home', '--kind', 'lesson'))).toEqual([])
    for (const name of ['person:ana', 'ana ruiz']) {
      expect(idsOf(await searching(command, 'home', '--about', name))).toEqual([MALMO, LUND])
    }
    const { hits, note } = await searching(command, 'home', '--about', 'Bo')
    expect({ hits, note }).toEqual({ hits: [], note: expect.stringMatching(/^Nothing of this id/) as string })
    expect((await command.run(['search', 'home', '-a', 'Bo'])).stdout).toMatch(
      /^Nothing of this id.*\n\nNo memory matches\.\n$/,
    )
  })

  test('as of an instant', async () => {
    const { command } = await folderWith()
    const about = async (instant: string) => {
      const { hits } = await searching(command, 'home', '--about', 'person:ana', '--as-of', instant)
      return Object.fromEntries(hits.map(({ id, currentness }) => [id, currentness]))
    }
    expect(await about('2026-04-30T08:59:59Z')).toEqual({})
    expect(await about('2026-04-30T11:00:00+02:00')).toEqual({ [MALMO]: 'current' })
    expect(await about('2026-05-01T09:30:00Z')).toEqual({ [MALMO]: 'current', [LUND]: 'current' })
    expect(await about(REPLACED_AT)).toEqual({ [MALMO]: 'superseded', [LUND]: 'current' })
  })

  test('explained: the parts of the score, the turn, the conversation, the file, the chain', async () => {
    const { command } = await folderWith()
    const words = ['home', '--about', 'person:ana', '--explain']
    const chain = [{ id: MALMO, supersededAt: REPLACED_AT }, { id: LUND }]
    const { hits } = await searching(command, ...words)
    expect(hits.find(({ id }) => id === LUND)).toMatchObject({
      explanation: { semantic: expect.any(Number) as number, lexical: 0 },
      provenance: { turn: TURN, conversationId: 'web:earlier', file: 'daily/2026-05-01.md', chain },
    })
    const { stdout } = await command.run(['search', ...words])
    expect(stdout).toMatch(/\n +semantic -?\d\.\d{3} \+ lexical 0\.000 \+ order \d\.\d{3}\n/)
    expect(stdout).toContain(` turn ${TURN}… · conversation web:earlier · daily/2026-05-01.md\n`)
    expect(stdout).toContain(' no turn · conversation web:earlier · daily/2026-04-30.md\n')
    expect(stdout).toContain(` chain ${MALMO} (superseded ${REPLACED_AT}) → ${LUND}\n`)
    const plain = await command.run(['search', ...words.slice(0, -1)])
    for (const part of ['semantic', 'turn ', 'chain', 'web:earlier']) expect(plain.stdout).not.toContain(part)
  })

  test('the switches of the configuration and its variables reach it; those of the tools do not', async () => {
    const { folder, command, configure } = await folderWith()
    const harbour = async (from: BujoFolder['command']) => {
      const { hits } = await searching(from, 'harbour', '--limit', '50')
      const { currentness, endedOn } = hits.find(({ id }) => id === 'm-6') ?? {}
      return { currentness, endedOn }
    }
    const ended = { currentness: 'ended', endedOn: '2020-01-03' }
    expect(await harbour(command)).toEqual({ currentness: 'current' })
    configure({ recallTool: { enabled: false } })
    expect(await harbour(command)).toEqual({ currentness: 'current' })
    const env = { MONO_AGENT_MEMORY_RECALL_INTENT_EXPIRY: 'true' }
    expect(await harbour(await commandIn(folder, env))).toEqual(ended)
    configure({ recall: { intentExpiry: true } })
    expect(await harbour(command)).toEqual(ended)
  })
})

describe('listings', () => {
  test('show marks what is history and says who said it', async () => {
    const { command } = await folderWith()
    const { stdout } = await command.run(['show', '2026-04-30'])
    expect(stdout).toContain('  [superseded] Ana lives in Malmö.\n')
    expect(stdout).toContain(' · you said · daily/2026-04-30.md · ')
    expect(jsonOf(await command.run(['show', '2026-05-01', '--json']))).toMatchObject({
      memories: [
        { attribution: 'user-stated', currentness: 'current' },
        { id: 'm-3' },
        { attribution: 'document', currentness: 'ended', endedOn: '2020-01-02' },
        { id: 'm-5' },
        { attribution: 'assistant-inferred', currentness: 'current' },
        { currentness: 'current' },
        { status: 'done' },
      ],
    })
    expect((await command.run(['log', MALMO])).stdout).toMatch(/\nattribution +user-stated\nstanding +superseded\n/)
  })

  test('top lists what stands, history where it is asked for', async () => {
    const { command } = await folderWith()
    const ids = async (...words: string[]) =>
      (jsonOf(await command.run(['top', '--json', ...words])) as { memories: { id: string }[] }).memories.map(
        ({ id }) => id,
      )
    expect(await ids()).toEqual(['m-3', 'm-5', 'm-6', 'm-7', 'm-8', LUND])
    expect((await ids('--all'))[0]).toBe(MALMO)
    expect(await ids('--all')).toHaveLength(MEMORIES.length)
  })
})

describe('profile', () => {
  test('as an agent is shown it, also where it is off, which is said', async () => {
    const { folder, root, command, configure } = await folderWith()
    const shown = await command.run(['profile'])
    expect(shown.exitCode).toBe(0)
    expect(shown.stderr).toBe('note: `profile.enabled` is off: no agent is shown this.\n')
    expect(shown.stdout).toMatch(
      /^<memory>\n.*\nOwner profile.*:\n- – Answers should be short\. .*\n- – I live in Kiruna\. \(recorded 2026-05-01\)\n<\/memory>\n$/,
    )
    configure({ profile: { enabled: true } })
    expect(await command.run(['profile'])).toEqual({ ...shown, stderr: '' })
    configure()
    const on = await commandIn(folder, { MONO_AGENT_MEMORY_PROFILE_ENABLED: 'true' })
    expect(jsonOf(await on.run(['profile', '--json']))).toEqual({
      enabled: true,
      text: shown.stdout.trimEnd(),
      memoryIds: ['m-3', 'm-5'],
      stale: false,
    })
    expect(await command.run(['profile', '--path', root])).toEqual({ ...shown, stderr: '' })
    const bare = jsonOf(await command.run(['profile', '--path', root, '--json']))
    expect(bare).toMatchObject({ memoryIds: ['m-3', 'm-5'] })
    expect(bare).not.toHaveProperty('enabled')
  })

  test.each([
    { absent: 'no_labels', memory: { id: 'm-1', sentence: 'Tea.' }, says: /no memory holds a fact of the owner/ },
    {
      absent: 'none_eligible',
      memory: { id: 'm-1', sentence: 'I move.', dueAt: '2999-01-01', labels: [home('person:owner', 'Kiruna')] },
      says: /none is an open note that stands/,
    },
  ])('none ($absent), and why', async ({ absent, memory, says }) => {
    const { command } = await folderWith([memory])
    const finished = await command.run(['profile'])
    expect(finished).toMatchObject({ exitCode: 0, stderr: '' })
    expect(finished.stdout).toMatch(/^There is no owner profile: .*\.\n$/)
    expect(finished.stdout).toMatch(says)
    expect(jsonOf(await command.run(['profile', '--json']))).toMatchObject({ absent, text: '', memoryIds: [] })
  })
})

describe('curate', () => {
  test('dated notes and done ones, as they will stand, with what to do', async () => {
    const { root, command, configure } = await folderWith()
    const { exitCode, stdout, stderr } = await command.run(['curate'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toMatch(/^3 dated or done notes; `recall\.intentExpiry` is off\n\n/)
    expect(stdout.split('\n').filter((line) => line.startsWith('2026-'))).toEqual([
      '2026-05-01  [ended 2020-01-03] Visit the harbour.',
      '2026-05-01  [due 2999-01-01] Visit the moon.',
      '2026-05-01  [done] The visit is over.',
    ])
    // Of a root alone nobody knows what its configuration says.
    expect((await command.run(['curate', '--path', root])).stdout).toMatch(/^3 dated or done notes\n\n/)
    expect(jsonOf(await command.run(['curate', '--path', root, '--json']))).not.toHaveProperty('enabled')
    configure({ recall: { intentExpiry: true } })
    expect(jsonOf(await command.run(['curate', '--json']))).toMatchObject({
      enabled: true,
      stale: false,
      notes: [
        { id: 'm-6', why: 'dated', currentness: 'ended' },
        { id: 'm-7', why: 'dated', currentness: 'current' },
        { id: 'm-8', why: 'done' },
      ],
    })
  })

  test('nothing is said too', async () => {
    const { command } = await folderWith([{ id: 'm-1', sentence: 'Tea.' }])
    expect((await command.run(['curate'])).stdout).toBe('0 dated or done notes; `recall.intentExpiry` is off\n')
  })
})
