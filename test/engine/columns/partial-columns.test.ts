import { describe, expect, it } from 'vitest'
import { ask } from '../../support/ask.js'
import { randomFrom } from '../../support/events.js'
import { RUNS } from '../../support/runs.js'
import { TemporaryStore } from '../temporary-store.js'

// A column that holds some of the values of a field without a common type.

/** Returns the rows of a query of `logs`, each as the JSON texts of its cells. */
async function rowsOf(evq: TemporaryStore, operators: string): Promise<readonly string[]> {
  const { rows } = await ask(evq.world, `['logs'] | ${operators}`, { limit: 10_000n })
  return rows.map((row) => row.join(' '))
}

const lines = (...values: readonly string[]): string =>
  values.map((value) => `{"f":${value}}\n`).join('')

describe('a field without a common type', () => {
  it('has values in a column and in remainders, also after a restart', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(lines('1', '2', '3'))
    await evq.ingest(lines('"x"', '4', '1.5', '[5]', 'true', '9007199254740993'))
    await evq.reopen()
    await evq.ingest(lines('6', '"y"'))
    const { f, line } = await evq.query('SELECT `f:int` AS f, line FROM logs ORDER BY _seq')
    expect(f?.join()).toBe('1,2,3,null,4,null,null,null,9007199254740993,6,null')
    expect(line?.map((one) => JSON.parse(one))).toEqual([
      ...['', '', '', '{"f":"x"}', '', '{"f":1.5}', '{"f":[5]}', '{"f":true}', '', '', '{"f":"y"}'],
    ])
    const shown = ['1', '2', '3', '"x"', '4', '1.5', '[5]', 'true', '9007199254740993', '6', '"y"']
    expect((await rowsOf(evq, 'project f')).toSorted()).toEqual(shown.toSorted())
    expect(await rowsOf(evq, 'where f == 4 or f == "x" | count')).toEqual(['2'])
    expect(await rowsOf(evq, 'where f >= 6 | count')).toEqual(['2'])
    // Of 1.5, `toint` makes 1, and so it does of true.
    const sum = 1n + 2n + 3n + 4n + 1n + 1n + 9007199254740993n + 6n
    expect(await rowsOf(evq, 'summarize sum(toint(f))')).toEqual([String(sum)])
  })

  it('keeps a long integer out of a column of doubles', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(lines('0.5', '1', '"x"'))
    await evq.ingest(lines('9007199254740993', '2.5', '7'))
    await evq.reopen()
    await evq.ingest(lines('-9007199254740993', '8'))
    const all = ['0.5', '1', '"x"', '9007199254740993', '2.5', '7', '-9007199254740993', '8']
    expect((await rowsOf(evq, 'project f')).toSorted()).toEqual(all.toSorted())
  })

  it('is read with many others at once', async () => {
    const evq = await TemporaryStore.open()
    const names = Array.from({ length: 12 }, (_, i) => `f${i}`)
    const event = (value: (i: number) => string): string =>
      `{${names.map((name, i) => `"${name}":${value(i)}`).join()}}\n`
    await evq.ingest(event(String).repeat(20))
    await evq.ingest(event((i) => (i % 2 === 0 ? `"t${i}"` : 'null')))
    await evq.ingest(event((i) => (i % 2 === 0 ? 'null' : `[${i},"a"]`)))
    const all = (test: string): string => names.map((name) => `${test}(${name})`).join(' and ')
    expect(await rowsOf(evq, `where ${all('isnotnull')} | count`)).toEqual(['20'])
    expect(await rowsOf(evq, `where ${all('isnull')} | count`)).toEqual(['0'])
    const sums = names.map((name) => `sum(toint(${name}))`).join()
    const expected = names.map((_, i) => String(20 * i)).join(' ')
    expect(await rowsOf(evq, `summarize ${sums}`)).toEqual([expected])
    const lengths = names.map((name) => `sum(array_length(${name}))`).join()
    const counted = names.map((_, i) => (i % 2 === 0 ? '0' : '2')).join(' ')
    expect(await rowsOf(evq, `summarize ${lengths}`)).toEqual([counted])
    const texts = names.map((name) => `tostring(${name}[1])`).join(", '-', ")
    const found = await rowsOf(evq, `project t = strcat(${texts}) | summarize count() by t`)
    const dashes = names.map((_, i) => (i % 2 === 0 ? '' : 'a')).join('-')
    expect(found.toSorted()).toEqual([`"${'-'.repeat(11)}" 21`, `"${dashes}" 1`].toSorted())
    const last = names.map((_, i) => (i % 2 === 0 ? 'null' : `[${i},"a"]`)).join(' ')
    expect(await rowsOf(evq, `take 3 | project ${names.join()}`)).toContain(last)
  })

  it('takes labels of each type', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(lines('1', '"x"', '2'))
    await evq.ingest('{"n":1}\n', { labels: '"f":"12"' })
    await evq.ingest('{"n":2}\n', { labels: '"f":13' })
    await evq.ingest('{"n":3,"f":4}\n', { labels: '"f":true' })
    expect((await rowsOf(evq, 'where isnotnull(n) | project n, f')).toSorted()).toEqual([
      '1 "12"',
      '2 13',
      '3 true',
    ])
  })

  it('has no column when few events have values of one type', async () => {
    const evq = await TemporaryStore.open()
    const values = Array.from({ length: 200 }, (_, i) => (i % 5 === 0 ? '"x"' : `${i}`))
    const rare = values.map((value, i) => `{"n":${i}${i % 3 === 0 ? `,"f":${value}` : ''}}\n`)
    await evq.ingest(rare.join(''))
    await evq.ingest(values.map((value) => `{"g":${value}}\n`).join(''), { dataset: 'others' })
    const { name } = await evq.query(
      "SELECT name FROM system.columns WHERE database = 'datasets' AND match(name, '^[fg]:')",
    )
    expect(name).toEqual(['"g:int"'])
  })
})

const KINDS = {
  integers: ['0', '500', '-7', '1000000'],
  texts: ['"x"', '"500"', '""', '"2026-01-01"', '"true"', '"a\\"b"', '"null"'],
  reals: ['0.5', '-2.25', '1e300'],
  booleans: ['true', 'false'],
  arrays: ['[]', '[1,"x"]', '[[2]]'],
}

const SEEDS = Array.from({ length: Math.ceil(RUNS / 25) }, (_, i) => i + 1)

it.each(SEEDS)('queries find the values of all events while types change (%i)', async (seed) => {
  const random = randomFrom(seed)
  const evq = await TemporaryStore.open()
  const kinds = Object.values(KINDS)
  const used = kinds.filter(() => random(2) === 0).slice(0, 3)
  const first = used[random(Math.max(1, used.length))] ?? KINDS.integers
  const all: string[] = []
  for (let batch = 0; batch < 4; batch++) {
    const own = Array.from({ length: 60 }, () => {
      const others = batch === 0 ? first : (used[random(Math.max(1, used.length))] ?? first)
      const values = random(10) < 7 ? first : others
      return values[random(values.length)]!
    })
    await evq.ingest(lines(...own))
    all.push(...own)
    if (random(3) === 0) await evq.reopen()
  }
  // Without a common type, all questions make sense.
  const last = ['"x"', '1', '[1]']
  await evq.ingest(lines(...last))
  all.push(...last)
  const parsed = all.map((json): unknown => JSON.parse(json))
  const textOf = (value: unknown): string =>
    typeof value === 'string' ? value : JSON.stringify(value).replace('1e+300', '1e300')
  const counted = (isCounted: (value: unknown) => boolean): string[] => [
    String(parsed.filter(isCounted).length),
  ]
  const groups = new Map<string, number>()
  for (const value of parsed) groups.set(textOf(value), (groups.get(textOf(value)) ?? 0) + 1)
  const expected = [...groups].map(([text, n]) => `${JSON.stringify(text)} ${n}`)
  expect((await rowsOf(evq, 'summarize count() by tostring(f)')).toSorted()).toEqual(
    expected.toSorted(),
  )
  expect(await rowsOf(evq, 'where f == 500 | count')).toEqual(
    counted((value) => value === 500 || value === '500'),
  )
  // A text of a number counts as one beside a literal.
  const numberOf = (value: unknown): number =>
    typeof value === 'number' || value === '500' ? Number(value) : Number.NaN
  expect(await rowsOf(evq, 'where f >= 0.5 | count')).toEqual(
    counted((value) => numberOf(value) >= 0.5),
  )
  expect(await rowsOf(evq, 'extend g = f | take 10000 | where g < 0 | count')).toEqual(
    counted((value) => numberOf(value) < 0),
  )
  expect(await rowsOf(evq, 'where f in (500, -7, "x") | count')).toEqual(
    counted((value) => [500, -7].includes(numberOf(value)) || value === 'x'),
  )
  expect(await rowsOf(evq, 'where toint(f) == 0 | count')).toEqual(
    counted((value) => value === 0 || value === 0.5 || value === false),
  )
  expect(await rowsOf(evq, 'where todouble(f) == -2.25 or todouble(f) == 500 | count')).toEqual(
    counted((value) => [500, -2.25].includes(numberOf(value))),
  )
  expect(await rowsOf(evq, 'where f == "x" | count')).toEqual(counted((value) => value === 'x'))
  expect(await rowsOf(evq, 'where set_has_element(f, "x") | count')).toEqual(
    counted((value) => Array.isArray(value) && value.includes('x')),
  )
  expect(await rowsOf(evq, 'where f contains "5" | count')).toEqual(
    counted((value) => textOf(value).includes('5')),
  )
})
