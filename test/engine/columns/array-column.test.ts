import { describe, expect, it } from 'vitest'
import { compiled, rowsOf } from '../../support/ask.js'
import { needsEmbedded } from '../../support/engine.js'
import { ndjson, TemporaryStore } from '../temporary-store.js'

/** Arrays as they are in events, and as they are in results. */
const ARRAYS = [
  ['[1, 2.50,\t1e3]', '[1,2.5,1000]'],
  ['["a\\u0041\\/", "\\ud834\\udd1e", "tab\\t"]', '["aA/","𝄞","tab\\t"]'],
  ['[ ]', '[]'],
  ['[null, true, {"k" : [ {"in": "x"} ]}, [[ ]]]', '[null,true,{"k":[{"in":"x"}]},[[]]]'],
  ['[9223372036854775807, -0, 0.1]', '[9223372036854775807,0,0.1]'],
] as const

const LINES = ARRAYS.map(([array], n) => `{"n":${n},"list":${array}}\n`).join('')
const SHOWN = ARRAYS.map(([, shown]) => shown)

const lists = (evq: TemporaryStore): Promise<readonly string[]> =>
  rowsOf(evq.world, 'logs | where isnotnull(list) | sort by n asc | project list')

async function answersOf(
  evq: TemporaryStore,
  questions: readonly string[],
): Promise<readonly (readonly [string, readonly string[]])[]> {
  const found: [string, readonly string[]][] = []
  for (const each of questions) {
    const apl = `logs | ${each} | project n, v | sort by n asc, tostring(v) asc`
    found.push([each, await rowsOf(evq.world, apl)])
  }
  return found
}

describe('a column of arrays', () => {
  it('has the text of arrays, which results show in one form', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(LINES)
    expect(evq.field('list')).toBe('dynamic · array · list:array')
    const stored = await evq.values('`list:array`')
    expect(stored.map((text) => JSON.parse(text))).toEqual(ARRAYS.map(([array]) => array))
    expect(await evq.values('stored_line')).toEqual(ARRAYS.map(() => '""'))
    expect(await lists(evq)).toEqual(SHOWN)
    await evq.reopen()
    expect(await lists(evq)).toEqual(SHOWN)
  })

  it('is found by functions, operators and conditions as an array in the remainder is', async () => {
    const evq = await TemporaryStore.open()
    const questions = [
      'extend v = array_length(list)',
      'extend v = list[1]',
      'extend v = tostring(list[-1])',
      'extend v = list[2].k[0]["in"]',
      'extend v = array_sum(list)',
      'extend v = isarray(list)',
      'extend v = tostring(list)',
      'extend v = gettype(list)',
      'extend v = set_has_element(list, 2.5)',
      'extend v = array_index_of(list, true)',
      'extend v = strcat_array(list, "|")',
      'extend v = list has "aa"',
      'extend v = list contains "AB"',
      'extend v = list == dynamic([])',
      'mv-expand v = list',
      'mv-expand v = list to typeof(long)',
      'where list has "tab" | extend v = 1',
      'where * has "in" | extend v = 1',
      'where list contains "0.1" | extend v = 1',
      'search "1000" | extend v = 1',
      'summarize v = make_list(list) by n',
      'summarize v = count() by n = array_length(list)',
      'join kind=inner (logs | project m = n, list) on list | extend v = m',
      'union (logs | project n, list) | extend v = list',
    ]
    await evq.ingest(LINES)
    const ofColumn = await answersOf(evq, questions)
    expect(evq.field('list')).toBe('dynamic · array · list:array')
    // A list that is a text first has no column.
    const other = await TemporaryStore.open()
    await other.ingest(
      ndjson([
        { n: 9, list: 'a text' },
        { n: 9, list: [1] },
      ]),
    )
    await other.truncate()
    await other.ingest(LINES)
    expect(other.field('list')).toBe('dynamic · ? · no column')
    const inText = await answersOf(other, questions)
    expect(ofColumn).toEqual(inText)
  })

  it('is null where an event has no array, which needs no reading of JSON', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(
      ndjson([{ n: 1, list: ['a'] }, { n: 2, list: [] }, { n: 3, list: null }, { n: 4 }]),
    )
    for (const condition of ['isnull(list)', 'isempty(list)', 'list == dynamic(null)']) {
      const apl = `logs | where ${condition} | sort by n asc | project n`
      expect(await rowsOf(evq.world, apl)).toEqual(['3', '4'])
      const result = compiled(evq.world, `logs | where not(${condition}) | count`)
      expect('query' in result && result.query.statement.text).not.toContain('JSON')
    }
  })

  it('is added for a field that becomes frequent, with the arrays stored before', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(ndjson(Array.from({ length: 100 }, (_, n) => ({ n: n + 100 }))))
    await evq.ingest(LINES)
    expect(await lists(evq)).toEqual(SHOWN)
  })

  it('is kept and no longer filled when a value is no array', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(LINES)
    await evq.ingest(
      ndjson([
        { n: 7, list: 'a text' },
        { n: 8, list: ['later'] },
      ]),
    )
    expect(evq.field('list')).toBe('dynamic · ? · no column')
    expect(await lists(evq)).toEqual([...SHOWN, '"a text"', '["later"]'])
    const lengths = 'logs | sort by n asc | project array_length(list)'
    expect(await rowsOf(evq.world, lengths)).toEqual(['3', '3', '0', '4', '3', 'null', '1'])
  })

  it('has a token index of its own', needsEmbedded, async () => {
    const evq = await TemporaryStore.open()
    const events = Array.from({ length: 30_000 }, (_, n) => ({ n, list: [`w${n}`, { k: n }] }))
    const odd = { n: 40_000, list: ['gamma\ndelta', 'caf\u00e9', 'e\u0001f'] }
    await evq.ingest(ndjson([...events, odd]))
    await evq.change('OPTIMIZE TABLE datasets.logs FINAL')
    await evq.reopen()
    const terms = { w777: 1, gamma: 1, ndelta: 1, 'caf\u00e9': 1, absent: 0 }
    for (const [term, count] of Object.entries(terms)) {
      for (const condition of [`list has "${term}"`, `* has "${term}"`]) {
        const apl = `logs | where ${condition} | count`
        expect([condition, await rowsOf(evq.world, apl)]).toEqual([condition, [`${count}`]])
      }
    }
  })
})
