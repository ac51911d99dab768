import { describe, expect, it } from 'vitest'
import { specifiedService } from './service.js'

const service = specifiedService()

const NDJSON = 'application/x-ndjson'
const CSV = 'text/csv'

describe('Where the specification says not shown: what is stored', () => {
  it('`_time` from the timestamp field, else the time of arrival. `_sysTime` is the time of arrival.', async () => {
    const before = new Date().toISOString()
    await service.ingest('arrival', [{ n: 1, _time: '2026-01-01T00:00:00Z' }, { n: 2 }])
    const after = `${new Date().toISOString().slice(0, -1)}999999Z`
    const rows = await service.rows('arrival | sort by n asc | project _time, _sysTime')
    expect(rows[0]?.[0]).toBe('2026-01-01T00:00:00Z')
    for (const time of [rows[0]?.[1], rows[1]?.[0], rows[1]?.[1]]) {
      const padded = nanoseconds(String(time))
      expect(padded >= nanoseconds(before) && padded <= nanoseconds(after)).toBe(true)
    }
  })

  it('`_rowId` is a unique, ordered row identity that doubles as the row’s cursor', async () => {
    const time = '2026-01-01T00:00:00Z'
    await service.ingest(
      'identity',
      Array.from({ length: 5 }, (_, n) => ({ n, _time: time })),
    )
    const { body } = await service.legacy('identity', { order: [{ field: '_time', desc: false }] })
    const ids = body.matches.map((match: { _rowId: string }) => match._rowId)
    expect(new Set(ids).size).toBe(5)
    expect(ids.toSorted()).toEqual(ids)
    const order = [{ field: '_time', desc: false }]
    const behind = await service.legacy('identity', { order, cursor: ids[2] })
    expect(behind.body.matches.map((match: { _rowId: string }) => match._rowId)).toEqual(
      ids.slice(3),
    )
  })

  it("Nested objects flatten to dotted fields: written `['geo.city']` or `geo.city`. Arrays stay arrays.", async () => {
    await service.ingest('flat', [{ geo: { city: 'x' }, list: [1, [2], { a: 3 }] }])
    expect(await service.rows("flat | project a = ['geo.city'], b = geo.city, list")).toEqual([
      ['x', 'x', [1, [2], { a: 3 }]],
    ])
  })

  it('A key that itself has a dot folds into the same dotted name.', async () => {
    await service.ingest('folded', [{ 'geo.city': 'a' }, { geo: { city: 'b' } }])
    const rows = await service.rows('folded | project geo.city | sort by geo.city asc')
    expect(rows).toEqual([['a'], ['b']])
  })

  it('The grouped form is one event; nothing is unpacked: fields `time`, `data.k`, `labels.k`. `time` becomes `_time` only through `timestamp-field=time`.', async () => {
    const event = { time: '2025-06-01T00:00:00Z', data: { k: 1 }, labels: { k: 'v' } }
    await service.ingest('unpacked', [event])
    const apl =
      "unpacked | project isTime = _time == datetime(2025-06-01), time, ['data.k'], ['labels.k']"
    expect(await service.rows(apl)).toEqual([[false, event.time, 1, 'v']])
    await service.ingest('timed?timestamp-field=time', [event])
    expect(await service.rows('timed | project _time')).toEqual([[event.time]])
  })

  it('A field may hold several types over time; none of the values is lost or rounded, and the result’s field type names the union.', async () => {
    await service.ingest('mixed', '{"n":1,"v":1}\n{"n":2,"v":1.5}\n{"n":3,"v":"x"}\n', {
      type: NDJSON,
    })
    const { body } = await service.query('mixed | sort by n asc | project v')
    const [{ fields, columns }] = body.tables
    expect(columns).toEqual([[1, 1.5, 'x']])
    expect(fields[0].type.split('|').sort()).toEqual(['float', 'integer', 'string'])
  })

  it('Integers are exact 64-bit; times are exact to the nanosecond.', async () => {
    const time = '2026-01-01T00:00:00.123456789Z'
    const line = `{"_time":"${time}","max":9223372036854775807,"min":-9223372036854775808,"odd":9007199254740993}`
    await service.ingest('exact', line, { type: NDJSON })
    const { text, body } = await service.query('exact | project _time, max, min, odd')
    expect(body.tables[0].columns[0]).toEqual([time])
    for (const digits of ['[9223372036854775807]', '[-9223372036854775808]', '[9007199254740993]'])
      expect(text).toContain(digits)
  })

  it.each(['_sysTime', '_rowId', '_cursor', '_source', '_blockInfo'])(
    'Reserved names in an event are stored as `_user_<name>`: %s',
    async (name) => {
      await service.ingest(`reserved${name}`, [{ [name]: 'mine' }])
      expect(await service.rows(`['reserved${name}'] | project ['_user_${name}']`)).toEqual([
        ['mine'],
      ])
    },
  )

  it('An empty object is no field, an empty array is one; an empty field name fails the event.', async () => {
    const { body } = await service.ingest('empty', '[{"o":{},"a":[],"n":1},{"":1}]')
    expect(body).toMatchObject({ ingested: 1, failed: 1, failures: [{ index: 1 }] })
    const result = await service.query('empty')
    const [{ fields, columns }] = result.body.tables
    const names = fields.map(({ name }: { name: string }) => name)
    expect(names).toEqual(['_sysTime', '_time', 'a', 'n'])
    expect(columns[2]).toEqual([[]])
  })
})

describe('Where the specification says not shown: events that fail', () => {
  it.each([
    '{}',
    '[]',
    '[1]',
    'true',
    'false',
    '"1899-12-31T23:59:59Z"',
    '"2263-01-01T00:00:00Z"',
    '"nonsense"',
  ])(
    '`_time` must be a text or a number, within 1900 to 2262: %s fails that event',
    async (time) => {
      const { body } = await service.ingest('untimely', `[{"_time":${time}},{"n":1}]`)
      expect(body).toMatchObject({ ingested: 1, failed: 1, failures: [{ index: 0 }] })
    },
  )

  it.each(['1900-01-01T00:00:00Z', '2261-12-31T23:59:59.999999999Z'])(
    'a time within 1900 to 2262 is stored: %s',
    async (time) => {
      const dataset = `year-${time.slice(0, 4)}`
      await service.ingest(dataset, [{ _time: time }])
      expect(await service.rows(`['${dataset}'] | project _time`)).toEqual([[time]])
    },
  )

  it('Blank lines are skipped and not counted as events; `line` counts physical lines from 1, `index` events from 0.', async () => {
    const lines = '\n{"n":1}\n\n \t\r\n{\n{"n":2}\n\n[]\n'
    const { body } = await service.ingest('blank', lines, { type: NDJSON })
    expect(body).toMatchObject({ ingested: 2, failed: 2 })
    expect(body.failures).toMatchObject([
      { index: 1, line: 5 },
      { index: 3, line: 8 },
    ])
  })

  it('A JSON array cut in the middle: the whole events before the cut are stored, and one failure says where it ends.', async () => {
    const { status, body } = await service.ingest('cut', '[{"n":1},{"n":2},{"n":')
    expect(status).toBe(200)
    expect(body).toMatchObject({ ingested: 2, failed: 1, failures: [{ index: 2 }] })
    expect(await service.rows('cut | count')).toEqual([[2]])
  })
})

describe('Where the specification says not shown: CSV', () => {
  it('spaces around are kept, values are strings unless unambiguously a number or boolean, an empty cell is a missing field', async () => {
    const text = 'id,v\n1, x \n2,42\n3,-1.5\n4,true\n5,\n6,1e3x\n'
    await service.ingest('csv-values', text, { type: CSV })
    const rows = await service.rows("['csv-values'] | sort by id asc | project v")
    expect(rows).toEqual([[' x '], [42], [-1.5], [true], [null], ['1e3x']])
  })

  it('`007` and other numbers that would not print back equal stay strings', async () => {
    const cells = ['007', '+1', '1e400', '0x10', '.5', '-0']
    const text = `id,v\n${cells.map((cell, at) => `${at},${cell}\n`).join('')}`
    await service.ingest('csv-strings', text, { type: CSV })
    const rows = await service.rows("['csv-strings'] | sort by id asc | project v")
    expect(rows.flat()).toEqual(cells)
  })

  it('orders the numbers of a column by their size, also those whose fraction ends in zeros', async () => {
    const text = 'id,amount\n1,391.12\n2,998.89\n3,997.00\n4,99.10\n'
    await service.ingest('csv-money', text, { type: CSV })
    const rows = await service.rows("['csv-money'] | top 2 by amount | project id, amount")
    expect(rows).toEqual([
      [2, 998.89],
      [3, 997],
    ])
    const types = await service.rows("['csv-money'] | summarize by gettype(amount)")
    expect(types).toEqual([['real']])
  })

  it('quoted newlines, CRLF and a byte-order mark are handled', async () => {
    const text = '\ufeffa,b\r\n"one\r\ntwo","say ""hi"""\r\n'
    await service.ingest('csv-quoted', text, { type: CSV })
    expect(await service.rows("['csv-quoted'] | project a, b")).toEqual([
      ['one\r\ntwo', 'say "hi"'],
    ])
  })

  it('A CSV row with too few cells lacks the last fields; one with too many fails. After a quoted newline `line` is the record’s first.', async () => {
    const text = 'a,b\n1\n"x\ny",2,3\n4,5\n6,7,8\n'
    const { body } = await service.ingest('csv-cells', text, { type: CSV })
    expect(body).toMatchObject({ ingested: 2, failed: 2 })
    expect(body.failures).toMatchObject([
      { index: 1, line: 3 },
      { index: 3, line: 6 },
    ])
    expect(await service.rows("['csv-cells'] | sort by a asc | project a, b")).toEqual([
      [1, null],
      [4, 5],
    ])
  })
})

/** A time as a string that sorts chronologically. */
function nanoseconds(time: string): string {
  const [seconds = '', fraction = ''] = time.slice(0, -1).split('.')
  return `${seconds}.${fraction.padEnd(9, '0')}`
}
