import { beforeEach, describe, expect, test } from 'vitest'
import { everythingIn, failureOf, MODEL, PROVIDERS, REQUEST, TIMEOUT_MS } from './support.js'
import { openSubject, type Subject } from './subjects.js'

const LONG = 'x'.repeat(262_145)
const afterAll = () => new Promise((resolve) => setImmediate(resolve))

/** What every provider of the port keeps (CAP-5, CAP-23). */
describe.each(PROVIDERS)('the chat model of %s', (provider) => {
  let subject: Subject
  beforeEach(async () => {
    subject = await openSubject(provider)
  })

  test('says who it is', () => {
    expect(subject.model.id).toBe(`${provider}:${MODEL}`)
  })

  test.each([
    { name: 'JSON', said: '{"memories":[]}' },
    { name: 'what the parser has to judge', said: '<think>\nhm\n</think>\n```json\n{"a":1,"a":2}\n``` and more' },
    { name: 'any script, and white space at its ends', said: ' \n日本語 🎉 Ünïcode \u2028\t' },
    { name: 'nothing', said: '' },
    { name: 'more than the parser takes, which is for it to say', said: LONG },
  ])('hands over $name as it was said', async ({ said }) => {
    subject.says(said)
    expect((await subject.model.complete(REQUEST)).text).toBe(said)
  })

  test('sends rules, data and schema whole, and nothing else', async () => {
    subject.says('{}')
    await subject.model.complete(REQUEST)
    expect(subject.asked).toMatchObject([
      {
        model: MODEL,
        messages: [
          { role: 'system', content: REQUEST.system },
          { role: 'user', content: REQUEST.user },
        ],
        schema: REQUEST.schema.schema,
        schemaName: 'extract',
      },
    ])
    expect(subject.asked[0]?.messages).toHaveLength(2)
  })

  test('a failure on the other side is unavailable, says no word of the turn, and is over with the next call', async () => {
    subject.breaks()
    const error = await failureOf(subject.model.complete(REQUEST))
    expect(error).toMatchObject({ code: 'chat_unavailable', concerns: 'service' })
    expect(everythingIn(error)).not.toMatch(/private/)
    expect(error.message).not.toMatch(/gateway/)
    subject.says('again')
    expect(await subject.model.complete(REQUEST)).toMatchObject({ text: 'again' })
  })

  test.each(['answer', 'failure'] as const)(
    'time is up: told as a timeout, not before; a late %s is nothing',
    async (how) => {
      subject.hangs()
      let isOver = false
      const failing = failureOf(subject.model.complete(REQUEST)).finally(() => (isOver = true))
      await subject.received(1)
      subject.clock.advance(TIMEOUT_MS - 1)
      await afterAll()
      expect(isOver).toBe(false)
      subject.clock.advance(1)
      const error = await failing
      expect(error).toMatchObject({ code: 'chat_timeout', concerns: 'service' })
      expect(error.message).toContain(`${TIMEOUT_MS} ms`)
      await subject.cancelled()
      subject.answersLate(how) // a rejection that nobody handles fails the run
      await afterAll()
      expect(subject.clock.sleeping).toBe(0)
    },
  )

  test.each(['answer', 'failure'] as const)(
    'given up: rejects with the reason at once; a late %s is nothing',
    async (how) => {
      subject.hangs()
      const controller = new AbortController()
      const reason = new Error('The store stops.')
      const call = subject.model.complete({ ...REQUEST, signal: controller.signal })
      await subject.received(1)
      controller.abort(reason)
      await expect(call).rejects.toBe(reason)
      await subject.cancelled()
      subject.answersLate(how)
      await afterAll()
      expect(subject.clock.sleeping).toBe(0)
    },
  )

  test('a signal that is aborted already sends nothing', async () => {
    const reason = new Error('gone')
    const call = subject.model.complete({ ...REQUEST, signal: AbortSignal.abort(reason) })
    await expect(call).rejects.toBe(reason)
    expect(subject.asked).toEqual([])
    expect(subject.clock.sleeping).toBe(0)
  })

  test('giving up one call leaves another alone', async () => {
    subject.says('first', 'second')
    const controller = new AbortController()
    await subject.model.complete({ ...REQUEST, signal: controller.signal })
    controller.abort(new Error('over'))
    expect(await subject.model.complete(REQUEST)).toMatchObject({ text: 'second' })
  })
})
