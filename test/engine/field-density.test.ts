import { describe, expect, it } from 'vitest'
import { ask, compiled, type World } from '../support/ask.js'
import { ndjson, TemporaryStore } from './temporary-store.js'

// Only frequent fields have columns. The result of a query must not show which ones: it is the same however the events are divided
// into batches, and however many other events there are.

/** Integers and floats, integers that a double does not hold, values of several types, and objects. */
const LINES = [
  '{"id":0,"i":7,"r":1.5,"m":1,"big":9007199254740993,"s":"a","b":true,"x":1,"o":{"p":7}}',
  '{"id":1,"i":-7,"r":1e20,"m":2.5,"big":5,"s":"7","b":false,"x":"1","o":{"p":10}}',
  '{"id":2,"i":0,"r":-0.25,"m":3,"big":10,"s":"","x":true}',
  '{"id":3,"i":10,"r":0.30000000000000004,"m":1e3,"s":"é😀","x":[1,"b"],"n":null}',
  '{"id":4,"i":9,"m":0,"s":"true","b":true,"x":1.5,"l":9007199254740993}',
  '{"id":5,"s":"B","big":4611686018427387905,"r":2.5,"x":null,"l":1.5}',
  '{"id":6}',
].map((line, i) => `${line.slice(0, -1)},"_time":"2026-01-01T00:00:0${i}Z"}\n`)
const OTHERS = ndjson(Array.from({ length: 2_000 }, (_, other) => ({ other })))

const FIELDS = ['i', 'm', 'big', 's', 'b', 'x', 'o.p', 'n', 'l']
const EXPRESSIONS = [
  ...['gettype(F)', 'tostring(F)', 'strcat(F, "x")', 'toint(F)', 'todouble(F)', 'tobool(F)'],
  ...['F == 7', 'F == "7"', 'F == true', 'F in (7, "a", 1)', 'F has "7"', 'F == i', 'F != s'],
  ...['isnull(F)', 'isempty(F)', 'todatetime(F)', 'coalesce(F, 0)', 'pack_array(F, 1)'],
  ...['case(F == "a", F, "z")', 'iff(isnull(F), F, 0)', 'hash(F)', 'strlen(tostring(F))'],
  ...['F / 2', 'F % 3', 'F - 0.5', 'F > 2', 'F >= i', 'bin(F, 2)', 'round(F)', '-F', 'F < "5"'],
]
const PIPELINES = [
  ...['summarize n = dcount(F), mi = min(F), ma = max(F), l = make_list(F)', 'getschema'],
  ...[
    'order by F asc, id asc',
    'order by F desc, id asc',
    'summarize count() by F | order by F asc',
  ],
  ...['top 2 by F', 'distinct F | order by F asc', 'summarize arg_max(F, id)', 'where * has "7"'],
  'join kind=inner (T | project i, k = id) on $left.F == $right.i | order by id asc, k asc',
  ...['where F in ((T | project F)) | project id', 'mv-expand F | order by id asc', 'project F'],
  'summarize s = sum(F), a = avg(F), p = percentile(F, 50)',
]

const EVENTS = "['logs'] | where isnotnull(id) | order by id asc |"

/** Returns queries of a field: one with all expressions that its type allows, and one for each pipeline that it allows. */
function queriesOf(field: string, world: World): readonly string[] {
  const of = (template: string): string => template.replace(/\bF\b/g, field)
  const isAllowed = (query: string): boolean => 'query' in compiled(world, query)
  const values = EXPRESSIONS.map(of).filter((one) => isAllowed(`${EVENTS} project ${one}`))
  const all = [`project id, ${values.map((one, i) => `v${i} = ${one}`).join(', ')}`, ...PIPELINES]
  return all.map((one) => `${EVENTS} ${of(one).replaceAll('(T |', `(${EVENTS}`)}`).filter(isAllowed)
}

/** Returns the events of a dataset as `logs`, without the fields that only some of the datasets have. */
function worldOf(evq: TemporaryStore, dataset: string): World {
  const layout = evq.store.layout(dataset)!
  const fields = layout.fields.filter(({ name }) => name !== 'other' && name !== '_sysTime')
  const types = fields.map(({ name, type }) => ({ name, type }))
  return {
    ...evq.world,
    datasets: new Map([['logs', { layout: { ...layout, fields }, fields: types }]]),
  }
}

describe('fields of a few events', () => {
  it('have the same values and types with and without columns', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(LINES.join(''))
    for (const line of LINES) await evq.ingest(line, { dataset: 'each' })
    for (const line of LINES.toReversed()) await evq.ingest(line, { dataset: 'reversed' })
    await evq.ingest(LINES.join('') + OTHERS, { dataset: 'diluted' })
    await evq.ingest(OTHERS, { dataset: 'later' })
    await evq.ingest(OTHERS + LINES.join(''), { dataset: 'later' })
    expect(evq.field('i')).toBe('int · integer · i:int')
    expect(evq.field('i', 'diluted')).toBe('int · integer · no column')
    expect(evq.field('m', 'diluted')).toBe('real · float|integer · no column')
    expect(evq.field('x', 'diluted')).toBe('dynamic · ? · no column')
    const world = worldOf(evq, 'logs')
    const queries = FIELDS.flatMap((field) => queriesOf(field, world))
    expect(queries.length).toBeGreaterThan(10 * FIELDS.length)
    const datasets = ['each', 'reversed', 'diluted', 'later']
    const others = datasets.map((dataset) => worldOf(evq, dataset))
    for (const query of queries) {
      const expected = await ask(world, query)
      const results = await Promise.all(others.map((other) => ask(other, query)))
      for (const [i, result] of results.entries()) {
        expect(result, `${datasets[i]}: ${query}`).toEqual(expected)
      }
    }
  })

  it('divide integers as integers, whichever other events there are', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(LINES.join('') + OTHERS)
    const { rows } = await ask(
      evq.world,
      "['logs'] | where id <= 1 | order by id asc | project i / 2, m / 2, strcat(i, s), gettype(i)",
    )
    expect(rows).toEqual([
      ['3', '0.5', '"7a"', '"long"'],
      ['-3', '1.25', '"-77"', '"long"'],
    ])
  })

  it('have the type of all values that were ever stored, also of events that were deleted', async () => {
    const evq = await TemporaryStore.open()
    const types: (string | undefined)[] = []
    for (const value of [null, 1, 2 ** 53, 0.5, 2 ** 53 + 2, true]) {
      await evq.ingest(OTHERS + ndjson([{ f: value }]))
      types.push(evq.field('f'))
    }
    expect(types).toEqual([
      'dynamic · ? · no column',
      'int · integer · no column',
      'int · integer · no column',
      'real · float|integer · no column',
      'dynamic · ? · no column',
      'dynamic · ? · no column',
    ])
    await evq.truncate()
    await evq.ingest(ndjson([{ f: 1 }]))
    await evq.reopen()
    expect(evq.field('f')).toBe('dynamic · ? · no column')
  })
})
