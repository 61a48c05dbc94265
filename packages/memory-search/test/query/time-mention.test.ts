import { describe, expect, test } from 'vitest'
import { monthNames } from '../../src/query/month-names.js'
import { MAX_TIME_MENTIONS, timeMentions } from '../../src/query/time-mention.js'

describe('timeMentions', () => {
  test.each([
    { query: 'dinner on May 3, 2023?', mentions: [{ year: 2023, month: 5, day: 3 }] },
    { query: '8th of May', mentions: [{ month: 5, day: 8 }] },
    { query: 'am 8. Mai 2023', mentions: [{ year: 2023, month: 5, day: 8 }] },
    { query: 'le 8 mai', mentions: [{ month: 5, day: 8 }] },
    { query: 'el 8 de mayo de 2023', mentions: [{ year: 2023, month: 5, day: 8 }] },
    { query: '8 мая 2023 года', mentions: [{ year: 2023, month: 5, day: 8 }] },
    { query: 'w sierpniu 2024', mentions: [{ year: 2024 }] },
    { query: '3 sierpnia 2024', mentions: [{ year: 2024, month: 8, day: 3 }] },
    { query: '2023-05-08', mentions: [{ year: 2023, month: 5, day: 8 }] },
    { query: 'in 2023-05', mentions: [{ year: 2023, month: 5 }] },
    { query: '2023年5月8日に', mentions: [{ year: 2023, month: 5, day: 8 }] },
    { query: '5月に', mentions: [{ month: 5 }] },
    { query: '2023年', mentions: [{ year: 2023 }] },
    { query: '2023년 5월 8일', mentions: [{ year: 2023, month: 5, day: 8 }] },
    { query: 'June 2023 and July', mentions: [{ year: 2023, month: 6 }, { month: 7 }] },
    { query: 'back in 1999', mentions: [{ year: 1999 }] },
    { query: '5/8/2026', mentions: [{ year: 2026 }] },
    { query: '2023-13-01', mentions: [{ year: 2023 }] },
    { query: 'what happened in May', mentions: [{ month: 5 }] },
    { query: '3 jan', mentions: [{ month: 1, day: 3 }] },
  ])('$query', ({ query, mentions }) => expect(timeMentions(query)).toEqual(mentions))

  test.each(['May I ask', 'you may go', 'room 1899', 'room 2100', 'yesterday', '12 eggs', '', '\ud800'])(
    'finds no time in %j',
    (query) => expect(timeMentions(query)).toEqual([]),
  )

  test('four mentions count', () => {
    expect(timeMentions('2001 2002 2003')).toHaveLength(3)
    expect(timeMentions('2001 2002 2003 2004')).toHaveLength(MAX_TIME_MENTIONS)
    expect(timeMentions('2001 2002 2003 2004 2005')).toHaveLength(MAX_TIME_MENTIONS)
  })

  test('a name that two languages use for different months is none', () => {
    // Czech and Polish October and November, Croatian October and November.
    expect(monthNames().get('listopad')).toBeUndefined()
    expect(monthNames().get('dezember')).toBe(12)
  })
})
