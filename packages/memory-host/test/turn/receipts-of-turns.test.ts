import { expect, test } from 'vitest'
import type { TurnContext } from '../../src/index.js'
import { MAX_LINES } from '../../src/turn/sessions.js'
import { block, line, ownersTurn, scriptedStore, succeeded, watch } from './support.js'

const KEY = line('m-1', '- – The key hangs behind the door.')
const TEA = line('m-2', '- – Morgan prefers green tea.')
const PROFILE = block('profile', line('m-3', '- Vegetarian.'))

const cold: Partial<TurnContext> = { session: { id: 's', state: 'cold' } }
const retained: Partial<TurnContext> = { session: { id: 's', state: 'retained' } }

function host() {
  const store = scriptedStore()
  store.blocks = [PROFILE, block('relevant', KEY)]
  const watched = watch(store)
  let run = 0
  /** The context of a turn that is completed at once. */
  const context = async (more: Partial<TurnContext>, status: 'succeeded' | 'failed' = 'succeeded') => {
    const turn = await watched.memory.begin(ownersTurn(more))
    await turn.complete({ ...succeeded(`r${(run += 1)}`), status })
    return turn.context.text
  }
  return { store, context, ...watched }
}

test('without a session unchanged context is the same bytes, twenty turns long', async () => {
  const { context } = host()
  const texts = new Set<string>()
  for (let i = 0; i < 20; i++) texts.add(await context({}))
  expect([...texts]).toHaveLength(1)
  expect([...texts][0]).toContain(KEY.text)
})

test('a session is given each line once, and the profile when it is seeded', async () => {
  const { store, context } = host()
  expect(await context(cold)).toMatch(/Vegetarian[\s\S]*key/)
  expect(await context(retained)).toBe('')
  store.blocks = [PROFILE, block('relevant', KEY, TEA)]
  const added = await context(retained)
  expect(added).toContain(TEA.text)
  expect(added).not.toMatch(/key|Vegetarian/)
  expect(await context(retained)).toBe('')
  expect(await context(cold)).toMatch(/Vegetarian[\s\S]*key[\s\S]*tea/)
})

test('a changed profile is given once, also when it has become empty', async () => {
  const { store, context } = host()
  await context(cold)
  store.blocks = [block('profile', line('m-4', '- Vegan.')), block('relevant', KEY)]
  expect(await context(retained)).toContain('Vegan')
  expect(await context(retained)).toBe('')
  store.blocks = [block('relevant', KEY)]
  expect(await context(retained)).toContain('It is empty now')
  expect(await context(retained)).toBe('')
  store.blocks = [PROFILE, block('relevant', KEY)]
  expect(await context(retained)).toContain('Vegetarian')
})

test('an empty profile is not spoken of to a session that was given none', async () => {
  const { store, context } = host()
  store.blocks = [block('relevant', KEY)]
  expect(await context(cold)).not.toContain('profile')
  expect(await context(retained)).toBe('')
})

test('an outage says nothing of the lines, and neither does a turn of somebody else of the profile', async () => {
  const { store, context } = host()
  await context(cold)
  store.mode = 'lexical'
  expect(await context(retained)).toBe('')
  store.mode = 'hybrid'
  expect(await context({ ...retained, speaker: { kind: 'user', token: 'sam' } })).toBe('')
  expect(await context(retained)).toBe('')
})

test('what a turn that failed was given is given again', async () => {
  const { store, context } = host()
  await context(cold)
  store.blocks = [PROFILE, block('relevant', KEY, TEA)]
  expect(await context(retained, 'failed')).toContain(TEA.text)
  expect(await context(retained)).toContain(TEA.text)
  expect(await context(retained)).toBe('')
})

test('a failed admission does not make the provider forget', async () => {
  const { store, context } = host()
  store.persist = () => Promise.reject(new Error('disk'))
  await context(cold)
  expect(await context(retained)).toBe('')
})

test('lines that did not fit are no receipts', async () => {
  const { store, context } = host()
  const long = (id: string, letter: string) => line(id, `- – ${letter.repeat(1_000)}`)
  store.blocks = [block('relevant', long('m-a', 'a'), long('m-b', 'b'))]
  expect(await context(cold)).not.toContain('bbb')
  const rest = await context(retained)
  expect(rest).toContain('bbb')
  expect(rest).not.toContain('aaa')
})

test.each<{ name: string; lose: (made: ReturnType<typeof host>) => Promise<unknown> | void }>([
  { name: 'never there', lose: () => undefined },
  {
    name: 'reset',
    lose: async ({ context, memory }) => {
      await context(cold)
      memory.resetSession('s')
    },
  },
  {
    name: 'forgotten with all',
    lose: async ({ context, memory }) => {
      await context(cold)
      memory.dispose()
    },
  },
  { name: 'of a cold turn that failed', lose: ({ context }) => context(cold, 'failed') },
])('with receipts that were $name there is nothing automatic until the session is seeded', async ({ lose }) => {
  const made = host()
  await lose(made)
  const { store, context, events } = made
  events.splice(0)
  store.queries.splice(0)
  expect(await context(retained)).toBe('')
  expect(await context(retained)).toBe('')
  expect(events).toEqual([{ kind: 'session_receipts_lost' }, { kind: 'session_receipts_lost' }])
  expect(store.queries).toEqual([])
  expect(await context(cold)).toContain(KEY.text)
  expect(await context(retained)).toBe('')
})

test('a session that was given more lines than are kept is full', async () => {
  const { store, context, events } = host()
  await context(cold)
  for (let i = 0; i < MAX_LINES; i += 4) {
    store.blocks = [block('relevant', ...[0, 1, 2, 3].map((k) => line(`m-${i + k}`, `- – Line ${i + k}.`)))]
    expect(await context(retained)).toContain(`Line ${i}.`)
  }
  expect(events.map(({ kind }) => kind)).not.toContain('session_receipts_lost')
  expect(await context(retained)).toBe('')
  expect(events.at(-1)).toEqual({ kind: 'session_receipts_lost' })
})

test('a turn that is shown nothing anyway does not speak of lost receipts', async () => {
  const { context, events } = host()
  await context({ ...retained, wake: 'continuation' })
  await context({ ...retained, speaker: { kind: 'unknown' } })
  expect(events).toEqual([])
})

test('a continuation loads nothing and leaves the receipts', async () => {
  const { context } = host()
  await context(cold)
  expect(await context({ ...retained, wake: 'continuation' })).toBe('')
  expect(await context(retained)).toBe('')
})

test('an isolated turn has its context whole and leaves the receipts alone', async () => {
  const { store, context } = host()
  const whole = await context(cold)
  expect(await context({ ...retained, isIsolated: true })).toBe(whole)
  store.blocks = [PROFILE, block('relevant', KEY, TEA)]
  expect(await context({ ...cold, isIsolated: true })).toContain(TEA.text)
  expect(await context(retained)).toMatch(/tea/)
})

test('two turns side by side on one session repeat at most, and lose nothing', async () => {
  const { store, memory, context } = host()
  await context(cold)
  store.blocks = [PROFILE, block('relevant', KEY, TEA)]
  const [one, two] = await Promise.all([memory.begin(ownersTurn(retained)), memory.begin(ownersTurn(retained))])
  expect(one.context.text).toBe(two.context.text)
  await Promise.all([one.complete(succeeded('a')), two.complete(succeeded('b'))])
  expect(await context(retained)).toBe('')
})

test('sessions know nothing of each other', async () => {
  const { context } = host()
  const whole = await context(cold)
  expect(await context({ session: { id: 'other', state: 'cold' } })).toBe(whole)
  expect(await context(retained)).toBe('')
})

test('lines that the session holds already are marked in what is handed over all the same', async () => {
  const { store, memory, context } = host()
  await context(cold)
  const turn = await memory.begin(ownersTurn(retained))
  expect(turn.context.text).toBe('')
  await turn.complete(succeeded('r', { captureText: `Assistant:\n${KEY.text}` }))
  expect(store.turns.at(-1)?.captureText).toContain('⟦memory:')
})
