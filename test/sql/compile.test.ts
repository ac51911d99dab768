import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CompiledQuery } from '../../src/sql/compiled-query.js'
import { type AskOptions, ask, compiled, matchedBy, rowsOf, type World } from '../support/ask.js'
import { layOut } from '../support/dataset.js'
import { openTestEngine } from '../support/engine.js'

const SECOND = 1_000_000_000n
const START = 1_767_225_600n * SECOND // 2026-01-01T00:00:00Z

let world: World

beforeAll(async () => {
  const engine = await openTestEngine()
  // Ten events one second apart, then ten at the same instant; one in five has the service `b`.
  const events = Array.from({ length: 20 }, (_, i) => {
    const second = String(Math.min(i, 10)).padStart(2, '0')
    const service = i % 5 === 0 ? 'b' : 'a'
    return `{"_time":"2026-01-01T00:00:${second}Z","i":${i},"service":"${service}","half":${i / 2}}`
  })
  const wide = Array.from({ length: 12 }, (_, i) => {
    const own = Array.from({ length: 20 }, (_, f) => `"field_${(f * 251 + i) % 5000}":${f}`)
    return `{"_time":"2026-01-01T00:00:${String(i).padStart(2, '0')}Z",${own.join(',')},"n":{"i":${i}}}`
  })
  const all = Array.from({ length: 5000 }, (_, f) => `"field_${f}":"none"`)
  const first = `{"_time":"2025-01-01T00:00:00Z",${all.join(',')}}`
  const inText = await layOut(engine, { table: 'wide', events: [first, ...wide], hot: false })
  const partly = await layOut(engine, {
    table: 'partly',
    events: [
      '{"_time":"2026-01-01T00:00:01Z","g":"x","n":1,"o":{"k":"old"},"a":[1],"m":"one","f0":0,"f1":1,"f2":2,"f3":3,"f4":4}',
      '{"_time":"2026-01-01T00:00:02Z","g":"x","n":3,"o":{"k":"new"},"m":7,"f0":10,"f2":null,"f4":14}',
      '{"_time":"2026-01-01T00:00:03Z","g":"x","n":2,"a":[2],"m":"two","f0":20,"f1":21,"f2":22,"f3":23,"f4":24}',
      '{"_time":"2026-01-01T00:00:04Z","g":"y","o":{"k":"no number"},"a":[3],"m":"three","f0":30}',
    ],
    hot: false,
  })
  world = {
    engine,
    now: START,
    datasets: new Map([
      ['t', await layOut(engine, { table: 't', events, hot: true })],
      ['wide', inText],
      ['partly', partly],
      ['arrived', { ...inText, layout: { ...inText.layout, order: 'arrival' } }],
    ]),
  }
})

afterAll(() => world.engine.close())

function query(apl: string, options: AskOptions = {}): CompiledQuery {
  const result = compiled(world, apl, options)
  if ('problems' in result) throw new Error(result.problems[0]!.message)
  return result.query
}

describe('the time range of a compiled query', () => {
  it('may begin before 1970', async () => {
    const range = { start: -1n, end: START + 2n * SECOND }
    expect(await rowsOf(world, 't | project i', { range })).toEqual(['1', '0'])
    const early = { start: -2n * START, end: -1n }
    expect(await rowsOf(world, 't | count', { range: early })).toEqual(['0'])
  })

  it('includes its start and not its end', async () => {
    const range = { start: START + 2n * SECOND, end: START + 5n * SECOND }
    expect(await rowsOf(world, 't | project i', { range })).toEqual(['4', '3', '2'])
  })

  it('is narrowed by the query and never widened', async () => {
    const range = { start: START + 2n * SECOND }
    const apl = 't | where _time < datetime(2026-01-01T00:00:04Z) | project i'
    expect(await rowsOf(world, apl, { range })).toEqual(['3', '2'])
  })
})

it('reads no JSON to convert a part of a split string', () => {
  const { statement } = query("t | where toint(split(service, '.')[1]) > 1 | count")
  expect(statement.text).not.toContain('JSON')
})

it.each(['array_slice(parts, 0, 2)', 'array_reverse(parts)', 'array_rotate_left(parts, 1)'])(
  'writes no JSON for elements of a split string: %s',
  (array) => {
    const apl = `t | extend parts = split(service, '.') | project strcat_array(${array}, '.')`
    expect(query(apl).statement.text).not.toContain('JSON')
  },
)

it('reads the elements of an array once for all bounds of a slice', () => {
  const { text } = query('t | project array_slice(todynamic(service), -2, 5)').statement
  expect(text.match(/JSONExtractArrayRaw/g)).toHaveLength(1)
})

describe.each(['arg_max', 'arg_min'])('%s by the time of events', (name) => {
  it('compares the age of events alone', () => {
    const { text } = query(`t | summarize ${name}(_time, i) by service`).statement
    expect(text).not.toContain('toInt256')
  })

  it('returns the event that arrived first of those of the same time', async () => {
    const apl = `t | where i > 9 | summarize ${name}(_time, i, half, service) by b = i > 14 | project b, i`
    expect(await rowsOf(world, `${apl} | sort by i asc`)).toEqual(['false 10', 'true 15'])
  })
})

describe('the fields of events found by arg_max(n, *)', () => {
  it('are extracted only from these events', () => {
    const { text } = query('partly | summarize arg_max(n, *) by g').statement
    const grouping = text.slice(text.indexOf('argMax'))
    expect(text).toContain('JSONExtractKeysAndValuesRaw')
    expect(grouping).not.toContain('JSONExtractKeysAndValuesRaw')
    expect(grouping).not.toContain("'f4'")
  })

  it('are null where the event lacks them, and in groups without a value', async () => {
    const apl =
      'partly | summarize arg_max(n, *) by g | project g, n, a, m, o.k, f0, f1, f2, f3, f4'
    expect(await rowsOf(world, `${apl} | sort by g asc`)).toEqual([
      '"x" 3 null 7 "new" 10 null null null 14',
      '"y" null null null null null null null null null',
    ])
  })

  it('can be filtered and sorted by', async () => {
    const apl =
      "partly | summarize arg_max(_time, *), least = min(f0) by g | where m startswith 't'"
    const shown = 'project o.k, f0, f1, f2, f3, f4, a, n, g, least'
    expect(await rowsOf(world, `${apl} | sort by f0 desc | ${shown}`)).toEqual([
      '"no number" 30 null null null null [3] null "y" 30',
      'null 20 21 22 23 24 [2] 2 "x" 0',
    ])
  })

  it('can be grouped by', async () => {
    const keys = 'f4, f0, f1, f2, f3, a, m, n'
    const apl = `partly | summarize arg_min(_time, *) by g | summarize count() by ${keys}`
    expect(await rowsOf(world, `${apl} | sort by f0 asc`)).toEqual([
      '4 0 1 2 3 [1] "one" 1 1',
      'null 30 null null null [3] "three" null 1',
    ])
  })
})

describe('the events found by arg_max(x, *)', () => {
  it.each([
    ['partly | summarize arg_max(n, *) by g', true],
    ['union partly, wide | summarize arg_min(_time, *) by g', true],
    ['wide | summarize arg_max(_time, *) by field_1', true],
    ['partly | summarize arg_max(n, *), count(), arg_min(_time, *) by g', true],
    // These rows, groups and values differ when they are read again.
    ['partly | where rand() < 0.5 | summarize arg_max(n, *) by g', false],
    ['partly | summarize arg_max(n, *), count() by rand() < 0.5', false],
    ['partly | extend r = rand() | summarize arg_max(r, *) by g', false],
    // Rows that a limit has sorted, and events of files, would be read twice.
    ['partly | take 3 | summarize arg_max(n, *) by g', false],
    ['partly | top 3 by n | summarize arg_max(n, *) by g', false],
    ['arrived | summarize arg_max(_time, *) by field_1', false],
  ])('are found before their fields are read where that is faster: %s: %s', (apl, isFirst) => {
    expect(query(apl).statement.text.includes(' IN (SELECT ')).toBe(isFirst)
  })

  it('may be found in a union, among the elements of arrays, and in computed groups', async () => {
    const fields = 'o.k, f0, f1, f2, f3, f4'
    const newest = `summarize arg_max(_time, *) by g | sort by g asc | project g, n, m, ${fields}`
    const rows = [
      '"x" 2 "two" null 20 21 22 23 24',
      '"y" null "three" "no number" 30 null null null null',
    ]
    expect(await rowsOf(world, `partly | ${newest}`)).toEqual(rows)
    expect(
      await rowsOf(world, `union partly, (t | where i == 0 | extend g = 'x') | ${newest}`),
    ).toEqual(rows)
    const elements = `partly | mv-expand e = a to typeof(int) | summarize arg_min(n, *) by e`
    expect(await rowsOf(world, `${elements} | sort by e asc | project e, g, m, ${fields}`)).toEqual(
      [
        'null "x" 7 "new" 10 null null null 14',
        '1 "x" "one" "old" 0 1 2 3 4',
        '2 "x" "two" null 20 21 22 23 24',
        '3 null null null null null null null null',
      ],
    )
    const odd = `partly | summarize arg_max(f0, *) by isOdd = n % 2 == 1`
    expect(await rowsOf(world, `${odd} | sort by isOdd asc | project isOdd, n, ${fields}`)).toEqual(
      ['false null "no number" 30 null null null null', 'true 3 "new" 10 null null null 14'],
    )
  })

  it('are beside other aggregates, with keys that may be null and without keys', async () => {
    const shown = 'g, n, m, o.k, a, f0, f1, f2, f3, f4, count_, least'
    const newest = 'partly | summarize arg_max(_time, *), count(), least = min(f0)'
    expect(await rowsOf(world, `${newest} | project ${shown}`)).toEqual([
      '"y" null "three" "no number" [3] 30 null null null null 4 0',
    ])
    const rows = await rowsOf(world, `${newest} by k = f1, z = f2 / 0 | project k, ${shown}`)
    expect(rows.toSorted()).toEqual([
      '1 "x" 1 "one" "old" [1] 0 1 2 3 4 1 0',
      '21 "x" 2 "two" null [2] 20 21 22 23 24 1 20',
      'null "y" null "three" "no number" [3] 30 null null null null 2 10',
    ])
  })

  it('are the first and the last beside each other', async () => {
    const both = 'arg_max(n, *), arg_min(_time, *)'
    const apl = `partly | summarize ${both}, events = count() by g | sort by g asc`
    const largest = 'n, m, ["o.k"], a, f0, f1, f2, f3, f4'
    const first = 'n1, m1, ["o.k1"], a1, f01, f11, f21, f31, f41'
    expect(await rowsOf(world, `${apl} | project g, ${largest}, ${first}, events`)).toEqual([
      '"x" 3 7 "new" null 10 null null null 14 1 "one" "old" [1] 0 1 2 3 4 3',
      '"y" null null null null null null null null null null "three" "no number" [3] 30 null null null null 1',
    ])
  })

  it('include the newest of events that arrived at the same time', async () => {
    const shown = 'project service, i, half, t0, t1, t2, t3, t4, t5, t6'
    const many = 'extend t0 = i, t1 = i, t2 = i, t3 = i, t4 = i, t5 = i, t6 = i'
    const newest = `t | ${many} | summarize arg_max(_time, *) by service | sort by service asc`
    // Ten events have the same, newest time: the one that arrived first is taken.
    expect(await rowsOf(world, `${newest} | ${shown}`)).toEqual([
      '"a" 11 5.5 11 11 11 11 11 11 11',
      '"b" 10 5 10 10 10 10 10 10 10',
    ])
  })
})

describe('sets and frequent values beside other aggregates', () => {
  it.each([
    ['t | summarize make_set(i), count() by service', true],
    ['t | summarize make_set(i), topk(half, 2), make_set(service)', true],
    // The events would be read five times.
    ['t | summarize make_set(i), topk(half, 2), topk(i, 1), make_set(service), count()', false],
    ['t | extend r = rand() | summarize make_set(r), max(r)', false],
    ['t | take 5 | summarize make_set(i), count()', false],
    ['arrived | summarize make_set(field_1), count()', false],
  ])('are grouped apart where that is faster: %s: %s', (apl, isApart) => {
    expect(query(apl).statement.text.includes(' INNER JOIN ')).toBe(isApart)
  })

  it('are of the same groups', async () => {
    const apl = `t | where i > 15 | summarize make_set(i), count(), topk(service, 1), max(i) by k = iff(i > 18, "x", "")`
    expect(await rowsOf(world, `${apl} | sort by k asc`)).toEqual([
      '"" [18,17,16] 3 [{"key":"a","count":3,"error":0}] 18',
      '"x" [19] 1 [{"key":"a","count":1,"error":0}] 19',
    ])
  })

  it.each([
    ['t | take 5 | summarize topk(i, 2), count()'],
    ['t | summarize by i, service | summarize topk(i, 2), count(), countif(i > 3) by service'],
    ['t | mv-expand i | summarize topk(i, 2), n = count() by service'],
  ])('are counted by value with the numbers of rows that are read once: %s', (apl) => {
    expect(query(apl).statement.text).not.toMatch(/(sum|count)Map|INNER JOIN/)
  })

  it('have the numbers of rows that are read once', async () => {
    const rows = 't | where i > 15 | extend a = pack_array(1, i) | mv-expand a to typeof(long)'
    const apl = `${rows} | summarize n = count(), s = make_set(a), odd = countif(a % 2 == 1) by b = i > 18`
    expect(await rowsOf(world, `${apl} | sort by b asc`)).toEqual([
      'false 6 [1,18,17,16] 4',
      'true 2 [1,19] 2',
    ])
    const none = 't | where i > 99 | mv-expand i | summarize n = count(), s = make_set(i)'
    expect(await rowsOf(world, none)).toEqual(['0 []'])
  })
})

it.each([
  ['by service | count', false],
  ['by service | where n > 1 | distinct n', false],
  ['by service | summarize max(n) by service', false],
  ['by service | summarize make_list(n)', true],
  ['by service | limit 1 | count', true],
  ['by service | project n', true],
  // Without keys, an aggregate makes the row.
  ['| count', true],
])(
  'computes the first aggregate where the order of groups has an effect: %s: %s',
  (rest, isComputed) => {
    const { text } = query(`t | summarize max(half), n = count() ${rest}`).statement
    expect(text.includes('half')).toBe(isComputed)
  },
)

describe('a list of literals for a field of several types', () => {
  it('may have thousands of integers', async () => {
    const numbers = Array.from({ length: 20_000 }, (_, i) => i).join(', ')
    expect(await rowsOf(world, `partly | where m in (${numbers}) | project m`)).toEqual(['7'])
    expect(await rowsOf(world, `partly | where m !in (${numbers}) | count`)).toEqual(['3'])
  })

  it('is compared by the types of its literals', async () => {
    const values =
      '1.0, "1", "1e2", "one", true, dynamic(null), 9007199254740993, "9007199254740992.0"'
    const among = async (list: string) => {
      const apl = `datatable(d: dynamic)[${values}] | where d in (${list}) | project tostring(d)`
      return (await rowsOf(world, apl)).map((text) => JSON.parse(text)).sort()
    }
    expect(await among('1, 100')).toEqual(['1', '1', '1e2'])
    expect(await among('9007199254740992, 5')).toEqual(['9007199254740992.0'])
    expect(await among('9007199254740993, "one", "1", true')).toEqual([
      ...['1', '1', '9007199254740993', 'one', 'true'],
    ])
    expect(await among('"x", "y", -1, 2')).toEqual([])
  })
})

it('reads the JSON text of an item only for rows in which `todouble` finds no number', () => {
  const { text } = query('t | extend n = todouble(todynamic(service)[0]) | where n > 1').statement
  expect(text.indexOf('toFloat64OrNull')).toBeLessThan(text.indexOf('JSONExtractRaw'))
})

it('computes the operand of `todouble` once', () => {
  const of = (value: string) => query(`t | extend n = todouble(${value}) | where n > 1`).statement
  expect(of('array_sum(todynamic(service))').text.match(/accurateCast/g)).toHaveLength(1)
  expect(of('series_stats_dynamic(todynamic(service)).max').text.match(/arrayAvg/g)).toHaveLength(2)
})

it('reads the numbers of arrays without their texts', () => {
  const { text } = query('t | extend n = series_sum(todynamic(service))').statement
  expect(text).toContain("'Array(Nullable(Float64))'")
})

it('computes an array once for both ways to add up its elements', () => {
  const { text } = query('t | extend n = array_sum(array_reverse(todynamic(service)))').statement
  expect(text.match(/arrayReverse\(/g)).toHaveLength(1)
})

it('reads a member of an item without the text of the item', () => {
  const apl = "t | summarize l = make_list(service) | where l[0].k == 'x'"
  expect(query(apl).statement.text).not.toContain('JSONExtractRaw')
})

it.each(['set_has_element(todynamic(service), "x")', 'array_index_of(todynamic(service), "x")'])(
  'compares no JSON of elements with a string: %s',
  (call) => {
    expect(query(`t | project ${call}`).statement.text).not.toContain('JSONExtractArrayRaw')
  },
)

it('parses the ranges of a literal once', () => {
  const apl =
    't | where ipv4_is_in_any_range(service, dynamic(["10.0.0.0/8", "11.0.0.0/8"])) | count'
  expect(query(apl).statement.text).not.toContain('arrayExists')
})

describe('a member of a parsed text', () => {
  it('is read from the text of a column', () => {
    const apl =
      't | extend j = parse_json(service) | where j.a > 1 | summarize count() by tostring(j.b.c)'
    expect(query(apl).statement.text).not.toContain('isValidJSON')
  })

  it('is null when the text is not an object', async () => {
    const texts = [
      '{"a":{"b":1}}',
      ' {"a":"x","a":2}',
      '{"a":1',
      '{"a":1}}',
      '"a"',
      '[{"a":2}]',
      'null',
      '',
    ]
    const source = `datatable(s:string)[${texts.map((text) => `'${text}'`)}]`
    const apl = `${source} | extend j = parse_json(s), k = todynamic(s) | where true | project j.a, j.a.b, k.a`
    const nulls = Array.from({ length: 6 }, () => 'null null null')
    expect(await rowsOf(world, apl)).toEqual(['{"b":1} 1 {"b":1}', '"x" null "x"', ...nulls])
  })
})

it('compares strings with those of a nested query by one key', () => {
  const { statement } = query('t | where service in ((t | where i > 15 | project service)) | count')
  expect(statement.text).not.toContain('isNull')
})

describe('a list of terms', () => {
  // Each pattern of the engine searches the text from its start.
  it('is searched with one pattern for strings of ASCII and one for others', () => {
    const terms = Array.from({ length: 20 }, (_, i) => `'w${i}'`)
    const { text } = query(`t | where service has_any (${terms}) | count`).statement
    expect(text.match(/\bmatch\(/g)).toHaveLength(2)
  })
})

it('counts rows by value for a single topk or phrases', () => {
  for (const call of ['topk(service, 2)', 'phrases(service)']) {
    const single = query(`t | summarize ${call} by bin(_time, 1h)`).statement
    expect(single.text).not.toMatch(/(sum|count)Map/)
  }
})

describe('the first rows of a union', () => {
  const apl = 'union t, arrived | where i >= 0 | top 3 by half | project i, half'

  it('are the first of its parts, which read other columns of these rows only', () => {
    const { text } = query(apl).statement
    expect(text.match(/LIMIT 3\b/g)).toHaveLength(3)
    expect(text.match(/>= 0/g)).toHaveLength(2)
  })

  it('are in the order of all rows', async () => {
    expect(await rowsOf(world, apl)).toEqual(['19 9.5', '18 9', '17 8.5'])
  })
})

describe('the order of a compiled query', () => {
  it('is newest first, and latest arrival first at the same instant', async () => {
    expect((await rowsOf(world, 't | project i')).slice(0, 11)).toEqual([
      '19',
      '18',
      '17',
      '16',
      '15',
      '14',
      '13',
      '12',
      '11',
      '10',
      '9',
    ])
  })

  it('is the order of arrival when time ascends', async () => {
    const rows = await rowsOf(world, 't | sort by _time asc | project i')
    expect(rows).toEqual(Array.from({ length: 20 }, (_, i) => String(i)))
  })

  it('has cursors also when events in the order of arrival are read from their texts', async () => {
    const apl =
      'arrived | where field_0 == 0 or field_251 == 1 or field_252 == "none" or n.i == 3 | sort by _time asc | project n.i'
    expect(query(apl, { cursors: {} }).eventOrder).toBe('asc')
    expect(await rowsOf(world, apl)).toEqual(['null', '0', '3'])
  })

  it('is described as far as the result contains its columns', () => {
    expect(query('t').order).toEqual([{ field: '_time', desc: true }])
    expect(query('t | project i').order).toEqual([])
    expect(query('t | sort by service asc, i').order).toEqual([
      { field: 'service', desc: false },
      { field: 'i', desc: true },
      { field: '_time', desc: true },
    ])
    expect(query('t | sort by service asc, i | project i').order).toEqual([])
    expect(query('t | summarize n = count() by bin(_time, 1m), service').order).toEqual([
      { field: '_time', desc: false },
      { field: 'n', desc: true },
      { field: 'service', desc: false },
    ])
  })
})

describe('the limit of a compiled query', () => {
  it('truncates the rows, but not the count of matching events', async () => {
    expect(await rowsOf(world, 't | where i >= 5 | project i', { limit: 2n })).toEqual(['19', '18'])
    expect(await matchedBy(world, 't | where i >= 5 | limit 3 | project i')).toBe('[15]')
  })

  it('does not raise a lower limit of the query', async () => {
    expect(await rowsOf(world, 't | limit 1 | project i', { limit: 5n })).toEqual(['19'])
  })

  it('counts rows also for a table over time', async () => {
    const apl = 't | summarize count() by bin(_time, 1s), service'
    expect(await rowsOf(world, apl, { limit: 2n })).toHaveLength(2)
  })
})

describe('the description of the result', () => {
  it('contains the groups and bins of a summarize', () => {
    const table = query('t | summarize count() by bin(_time, 5m), service')
    expect(table.groups).toEqual(['service'])
    expect(table.buckets).toEqual({ field: '_time', size: 300n * SECOND })
  })

  it('omits columns that the result does not contain', () => {
    const table = query('t | summarize n = count() by bin(_time, 5m), service | project n')
    expect(table.groups).toEqual([])
    expect(table.buckets).toBeUndefined()
  })

  it('keeps the type of a renamed field', () => {
    const [half, more] = query('t | project h = half, m = half + 1').columns
    expect([half?.wireType, more?.wireType]).toEqual(['float|integer', 'float'])
  })

  it('counts matching events before other operators are applied', async () => {
    expect(await matchedBy(world, 't | where i < 7 | summarize count() by service')).toBe('[7]')
    expect(await matchedBy(world, 't | extend x = i + 1 | where x > 18')).toBe('[2]')
    expect(await matchedBy(world, 't | limit 3 | where i < 7')).toBe('[20]')
  })
})

describe('many fields', () => {
  it('are all returned for the rows of the page', async () => {
    const { names, rows } = await ask(world, 'wide | limit 2')
    expect(names).toHaveLength(2 + 5000 + 1)
    const shown = (row: readonly string[]) =>
      names.flatMap((name, i) =>
        row[i] === 'null' || name.startsWith('_') ? [] : [`${name}=${row[i]}`],
      )
    const expected = (i: number) => [
      ...Array.from({ length: 20 }, (_, f) => `field_${(f * 251 + i) % 5000}=${f}`),
      `n.i=${i}`,
    ]
    expect(shown(rows[0]!).sort()).toEqual(expected(11).sort())
    expect(shown(rows[1]!).sort()).toEqual(expected(10).sort())
  })

  it('are extracted together when a filter uses several', async () => {
    const apl =
      'wide | where field_0 == 0 or field_251 == 1 or field_252 == "none" or n.i == 3 | project n.i'
    expect(await rowsOf(world, apl)).toEqual(['3', '0', 'null'])
  })
})

it('compiles and runs a hundred operators', async () => {
  const steps = Array.from(
    { length: 50 },
    (_, i) => `| where i != ${i + 100} | extend x${i} = i + ${i}`,
  )
  expect(await rowsOf(world, `t ${steps.join(' ')} | limit 1 | project x49`)).toEqual(['68'])
})

describe('the events read by a query', () => {
  it.each([
    ['t | extend j = i + 1 | project j', true],
    ['t | where i > 3', false],
    ['union t, wide | project _time', true],
    ['union (t | where i > 3), wide', false],
    ['union t, (union (t | where i > 3), wide | extend j = 1)', false],
  ])('all make a row or not: %s', (apl, isUnfiltered) => {
    expect(query(apl)).toMatchObject({ isUnfiltered })
  })
})

describe('the number of matching events', () => {
  it.each([
    ['t | where i > 3', 'rows', undefined],
    ['t | where i > 3 | summarize count() by service', 'aggregation', 16],
    ['t | summarize count() by service | sort by service asc | limit 1', 'aggregation', 20],
    ['t | extend k = 1 | summarize min(_time) by k', 'aggregation', 20],
    ['t | where i < 0 | distinct service', 'aggregation', 0],
    ['t | where i > 3 | summarize avg(half)', 'aggregation', 16],
    ['t | where i > 3 | summarize count(), max(_time)', 'column', undefined],
    ['t | summarize max(_time)', undefined, undefined],
    ['t | summarize n = count() by service | where service == "a"', undefined, undefined],
    ['t | where i in ((t | summarize max(i))) | summarize count() by i', undefined, undefined],
    ['t | limit 3 | summarize count() by i', undefined, undefined],
    // The engine groups more than once.
    ['t | summarize topk(i, 2) by service', undefined, undefined],
    ['t | summarize make_set(i) by service | sort by service asc', undefined, undefined],
    ['wide | summarize arg_max(_time, *) by field_1', undefined, undefined],
    ['t | summarize topk(i, 2), count() by service', undefined, undefined],
    ['union t, wide | summarize count() by i', 'aggregation', 33],
    ['union t, (wide | extend j = 1) | where i > 3 | limit 5', 'rows', undefined],
    ['union (t | where i > 3), (union t, wide) | count', 'column', undefined],
    ['union wide, (t | where i in ((t | summarize max(i)))) | distinct i', undefined, undefined],
    ['union (t | limit 3), wide | count', undefined, undefined],
  ])('is implied by the result of `%s`: %s', async (apl, kind, events) => {
    const { matchedCount, statement } = query(apl)
    expect(matchedCount?.kind).toBe(kind)
    if (kind !== 'aggregation') return
    const limits = { timeoutMs: 120_000, memoryBytes: 1_000_000_000, countsAggregated: true }
    const { rowsAggregated } = await world.engine.read(statement, limits)
    expect(rowsAggregated).toBe(events)
  })
})
