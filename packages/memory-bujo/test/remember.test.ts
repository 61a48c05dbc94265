import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeTemporaryRoot } from '../../../test/support/temporary-root.js'
import { DAY, dayFile, openStore } from './support/open-store.js'

describe('Remember (REC-25, REC-26)', () => {
  test('is recallable when it returns, and echoed as stored', async () => {
    const store = await openStore(makeTemporaryRoot())
    const { status, text, id } = await store.remember({ text: '  Ana’s ﬂat is in Malmö. ', conversationId: 'web:9' })
    expect({ status, text }).toEqual({ status: 'stored', text: 'Ana’s flat is in Malmö.' })
    expect((await store.recallWithOutcome('malmo')).hits).toMatchObject([
      { id, text, source: { conversationId: 'web:9' } },
    ])
  })

  test('a repeat is a duplicate and keeps its session, also after the index was lost', async () => {
    const root = makeTemporaryRoot()
    const first = await openStore(root)
    const stored = await first.remember({ text: 'Ana lives in Malmö.', conversationId: 'web:1' })
    await first.close()
    rmSync(join(root, '.index'), { recursive: true })
    const second = await openStore(root)
    expect(
      await second.remember({ text: 'Ana  lives in\u00a0Malmö.'.replace('  ', ' '), conversationId: 'web:2' }),
    ).toEqual({
      ...stored,
      status: 'duplicate',
    })
    expect((await second.recallWithOutcome('malmo')).hits).toMatchObject([{ source: { conversationId: 'web:1' } }])
  })

  test('twice at once is once', async () => {
    const root = makeTemporaryRoot()
    const store = await openStore(root)
    const both = await Promise.all([store.remember({ text: 'Twice.' }), store.remember({ text: 'Twice.' })])
    expect(both.map(({ status }) => status).sort()).toEqual(['duplicate', 'stored'])
    expect(dayFile(root).match(/Twice\./g)).toHaveLength(1)
  })

  test('a line that a person removed a moment ago is written again', async () => {
    const root = makeTemporaryRoot()
    const store = await openStore(root)
    await store.remember({ text: 'Gone and back.' })
    writeFileSync(join(root, 'daily', `${DAY}.md`), `# ${DAY}\n`)
    expect(await store.remember({ text: 'Gone and back.' })).toMatchObject({ status: 'stored' })
    expect(dayFile(root).match(/Gone and back\./g)).toHaveLength(1)
  })

  test.each([
    ['nothing', '   ', 'sentence_invalid'],
    ['two lines', 'one\ntwo', 'sentence_invalid'],
    ['a comment marker', 'a <!--mem b', 'sentence_invalid'],
    ['2,049 bytes', 'x'.repeat(2_049), 'sentence_invalid'],
    ['a credential', ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_'), 'credential_rejected'],
  ])('%s is rejected and nothing is written', async (_name, text, code) => {
    const root = makeTemporaryRoot()
    const store = await openStore(root)
    await expect(store.remember({ text })).rejects.toMatchObject({ code })
    expect(existsSync(join(root, 'daily'))).toBe(false)
  })

  test('2,048 bytes are stored', async () => {
    const store = await openStore(makeTemporaryRoot())
    expect(await store.remember({ text: 'x'.repeat(2_048) })).toMatchObject({ status: 'stored' })
  })

  test('writeMode disabled refuses it', async () => {
    const store = await openStore(makeTemporaryRoot(), {}, { writeMode: 'disabled' })
    await expect(store.remember({ text: 'No.' })).rejects.toMatchObject({ code: 'write_disabled' })
  })
})
