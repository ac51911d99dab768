import { EventEmitter, once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { type Engine, EngineError } from '../../src/engine/engine.js'
import { openStore } from '../../src/engine/store.js'
import { StoreError } from '../../src/engine/store-error.js'
import type { RejectedEvent } from '../../src/wire/event/event-lines.js'
import { needsEmbedded, wrapped } from '../support/engine.js'
import { temporaryDirectory } from '../support/temporary.js'
import { until } from '../support/until.js'
import { ARRIVED, ndjson, TemporaryStore } from './temporary-store.js'

const reasons = (stored: { rejected: readonly RejectedEvent[] }): string[] =>
  stored.rejected.map(({ index, line, reason }) => `${index} @${line} ${reason}`)

describe('a store that can not be opened', () => {
  it('closes its engine', async () => {
    const directory = temporaryDirectory()
    await writeFile(join(directory, 'spool'), '')
    const close = vi.fn(async () => Promise.reject(new Error('another error')))
    const engine = { isShared: true, close } as Partial<Engine> as Engine
    await expect(openStore({ directory, now: () => 0n, engine })).rejects.toThrow('EEXIST')
    expect(close).toHaveBeenCalledOnce()
  })
})

describe('the type of a field', () => {
  it('stores each field in a column with the type of its values', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(ndjson([{ i: 1, r: 1.5, s: 'x', b: true, geo: { city: 'Bonn' } }]))
    expect(evq.field('i')).toBe('int · integer · i:int')
    expect(evq.field('r')).toBe('real · float · r:real')
    expect(evq.field('s')).toBe('string · string · s:string')
    expect(evq.field('b')).toBe('bool · boolean · b:bool')
    expect(evq.field('geo.city')).toBe('string · string · geo.city:string')
    expect(
      await evq.query(
        'SELECT `i:int` AS i, `r:real` AS r, `s:string` AS s, `b:bool` AS b, `geo.city:string` AS c FROM logs',
      ),
    ).toEqual({
      i: ['1'],
      r: ['1.5'],
      s: ['"x"'],
      b: ['true'],
      c: ['"Bonn"'],
    })
  })

  it('lists the times first, then the fields by name', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(ndjson([{ b: 1, a: { z: 1 }, B: 2 }]))
    expect(evq.store.schema.fields('logs')).toEqual([
      { name: '_sysTime', type: 'datetime', wireType: 'datetime' },
      { name: '_time', type: 'datetime', wireType: 'datetime' },
      { name: 'B', type: 'int', wireType: 'integer' },
      { name: 'a.z', type: 'int', wireType: 'integer' },
      { name: 'b', type: 'int', wireType: 'integer' },
    ])
    expect(evq.field('_time')).toBe('datetime · datetime · _time')
    expect(evq.store.schema.datasets).toEqual(['logs'])
    expect(evq.store.schema.fields('other')).toBeUndefined()
  })

  it('uses the first value of a duplicate key, also with objects', async () => {
    const evq = await TemporaryStore.open()
    const lines = ['{"a":{"b":1},"a":{"c":2}}', '{"a":{"b":2},"a":3}', '{"d":4,"d":{"e":5}}']
    for (const line of lines) {
      expect(await evq.ingest(`${line}\n`)).toMatchObject({ ingested: 1, rejected: [] })
    }
    expect(await evq.values("JSONExtractInt(line, 'a', 'b')")).toEqual(['1', '2', '0'])
    expect(evq.field('a.b')).toBe('int · integer · a.b:int')
    expect(await evq.values('`a.b:int`')).toEqual(['1', '2', 'null'])
    expect(evq.store.schema.fields('logs')?.map(({ name }) => name)).toContain('a.c')
  })

  it('widens a field from integers to reals, also for stored events', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(ndjson([{ n: 1 }, { n: 2 ** 53 }]))
    expect(evq.field('n')).toBe('int · integer · n:int')
    await evq.ingest(ndjson([{ n: 0.5 }]))
    expect(evq.field('n')).toBe('real · float|integer · n:real')
    expect(await evq.values('`n:real`')).toEqual(['1', '9007199254740992', '0.5'])
  })

  it('keeps a real field for integers that a double holds', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest('{"n":1.5}\n')
    await evq.ingest('{"n":-9007199254740992}\n')
    expect(evq.field('n')).toBe('real · float|integer · n:real')
    expect(await evq.values('`n:real`')).toEqual(['1.5', '-9007199254740992'])
    await evq.ingest('{"n":9007199254740993}\n')
    expect(evq.field('n')).toBe('dynamic · ? · no column')
    expect(await evq.values("JSONExtractRaw(line, 'n')")).toEqual([
      '"1.5"',
      '"-9007199254740992"',
      '"9007199254740993"',
    ])
  })

  it('never converts a stored integer to a double that does not hold it', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest('{"n":1}\n')
    await evq.ingest('{"n":9007199254740993}\n')
    expect(evq.field('n')).toBe('int · integer · n:int')
    await evq.ingest('{"n":0.5}\n')
    expect(evq.field('n')).toBe('dynamic · ? · no column')
  })

  it('keeps the extremes of 64-bit integers exactly', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(
      '{"n":9223372036854775807}\n{"n":-9223372036854775808}\n{"n":9007199254740993}\n',
    )
    expect(evq.field('n')).toBe('int · integer · n:int')
    expect(await evq.values('`n:int`')).toEqual([
      '9223372036854775807',
      '-9223372036854775808',
      '9007199254740993',
    ])
    await evq.ingest('{"n":18446744073709551615}\n')
    expect(evq.field('n')).toBe('dynamic · ? · no column')
    expect(await evq.values("JSONExtractRaw(line, 'n')")).toContain('"18446744073709551615"')
  })

  it.each([
    ['an integer', '5', ['"5"', 'true', '[5]', '{}', '18446744073709551615']],
    ['a string', '"x"', ['5', 'true', '1.5', '["x"]', '{"k":1}']],
  ])('makes fields dynamic after %s and values of other types', async (_, first, others) => {
    const evq = await TemporaryStore.open()
    const names = others.map((_, i) => `f${i}`)
    const event = (value: (i: number) => string | undefined): string =>
      `{${names.map((name, i) => `"${name}":${value(i)}`).join()}}\n`
    await evq.ingest(event(() => first))
    expect(await evq.ingest(event((i) => others[i]))).toMatchObject({ ingested: 1, rejected: [] })
    for (const [i, name] of names.entries()) {
      expect(evq.field(name)).toBe('dynamic · ? · no column')
      const values = await evq.values(`JSONExtractRaw(line, '${name}')`)
      expect(values.map((value) => JSON.parse(value))).toEqual([first, others[i]])
    }
  })

  it('keeps the type of a string field for nulls and strings that look like other values', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(ndjson([{ f: 'x', n: 1 }]))
    await evq.ingest(
      ndjson([
        { f: null, n: null },
        { f: '2026-01-01' },
        { f: '5' },
        { f: 'true' },
        { f: '{"a":1}' },
        {},
      ]),
    )
    expect(evq.field('f')).toBe('string · string · f:string')
    expect(evq.field('n')).toBe('int · integer · n:int')
    expect(await evq.values('`f:string`')).toEqual([
      '"x"',
      'null',
      '"2026-01-01"',
      '"5"',
      '"true"',
      '"{\\"a\\":1}"',
      'null',
    ])
  })

  it('finds the types of all events of a batch, also beyond the sample', async () => {
    const evq = await TemporaryStore.open()
    const events: unknown[] = Array.from({ length: 5000 }, (_, n) => ({ n }))
    events[4321] = { n: 'odd', only: 'here' }
    expect(await evq.ingest(ndjson(events))).toMatchObject({ ingested: 5000, rejected: [] })
    expect(evq.field('n')).toBe('dynamic · ? · no column')
    expect(evq.field('only')).toBe('string · string · no column')
  })

  it('keeps field types when the store is reopened', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(ndjson([{ i: 1, n: 1, f: 'x', g: { h: true } }]))
    await evq.ingest(ndjson([{ n: 1.5, f: 1 }]))
    const before = evq.store.layout('logs')
    await evq.reopen()
    expect(evq.store.layout('logs')).toEqual(before)
    expect(await evq.values('`n:real`')).toEqual(['1', '1.5'])
    await evq.ingest(ndjson([{ i: 'now a text' }]))
    expect(evq.field('i')).toBe('dynamic · ? · no column')
  })
})

describe('the fields of a dataset', () => {
  it('finds new fields anywhere in an event', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(ndjson([{ a: 1, o: { x: 1 } }]))
    await evq.ingest(ndjson([{ a: 1, b: 1 }]))
    await evq.ingest(ndjson([{ o: { y: 1 } }]))
    await evq.ingest(ndjson([{ o: { deep: { er: 1 } } }]))
    await evq.ingest(ndjson([{ o: 5 }]))
    await evq.ingest(ndjson([{ a: { inside: 1 } }]))
    await evq.ingest(ndjson([{ list: [{ not: 'a field' }], none: null, empty: {} }]))
    expect(
      evq.store.schema
        .fields('logs')
        ?.map(({ name }) => name)
        .slice(2),
    ).toEqual(['a', 'a.inside', 'b', 'list', 'none', 'o', 'o.deep.er', 'o.x', 'o.y'])
  })

  it('gives a column to a field that two of a hundred events have', async () => {
    const evq = await TemporaryStore.open()
    const events = Array.from({ length: 1000 }, (_, n) => ({
      n,
      ...(n < 19 && { rare: 'x' }),
      ...(n < 20 && { frequent: 'x' }),
    }))
    await evq.ingest(ndjson(events))
    expect(evq.field('rare')).toBe('string · string · no column')
    expect(evq.field('frequent')).toBe('string · string · frequent:string')
  })

  // Clusters add columns some time after they acknowledged the events.
  it(
    'gives the 49th column and further ones only to fields that a tenth of the events have',
    needsEmbedded,
    async () => {
      const evq = await TemporaryStore.open()
      const usual = Object.fromEntries(Array.from({ length: 47 }, (_, i) => [`u${i}`, i]))
      const events = Array.from({ length: 1000 }, (_, n) => ({
        ...usual,
        ...(n < 40 && { later: 'x' }),
        ...(n < 50 && { last: 'x' }),
      }))
      await evq.ingest(ndjson(events))
      expect(evq.field('last')).toBe('string · string · last:string')
      expect(evq.field('later')).toBe('string · string · no column')
      await evq.ingest(
        ndjson(
          events.map((event, n) => ({
            ...event,
            ...(n < 99 && { fewer: 'x' }),
            ...(n < 100 && { tenth: 'x' }),
          })),
        ),
      )
      expect(evq.field('tenth')).toBe('string · string · tenth:string')
      expect(evq.field('fewer')).toBe('string · string · no column')
    },
  )

  it('finds new fields inside a field that was rare and has no column', async () => {
    const evq = await TemporaryStore.open()
    const events: unknown[] = Array.from({ length: 2000 }, (_, n) => ({ n }))
    events[1] = { n: 1, rare: 'x' }
    events[2] = { n: 1, tags: ['x'] }
    await evq.ingest(ndjson(events))
    expect(evq.field('rare')).toBe('string · string · no column')
    await evq.ingest(
      ndjson([
        { n: 1, rare: { a: 1 } },
        { n: 1, tags: { b: { c: 1 } } },
      ]),
    )
    expect(evq.field('rare.a')).toBe('int · integer · no column')
    expect(evq.field('tags.b.c')).toBe('int · integer · no column')
  })

  it('gives a column to a new field of a few events when a thousand more are stored', async () => {
    const evq = await TemporaryStore.open()
    const events = (count: number, fields: object) =>
      ndjson(Array.from({ length: count }, (_, n) => ({ n, ...fields })))
    await evq.ingest(events(3000, {}))
    await evq.ingest(events(1, { added: 'x' }))
    expect(evq.field('added')).toBe('string · string · no column')
    await evq.ingest(events(1000, { added: 'x' }))
    await until(
      () => evq.field('added') === 'string · string · added:string',
      'the field has a column',
    )
    const found = await evq.query("SELECT count() AS n FROM logs WHERE `added:string` = 'x'")
    expect(found).toEqual({ n: ['1001'] })
  })

  it('merges a dotted key and the same path of keys into one field', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest('{"geo":{"city":"Bonn"}}\n')
    await evq.ingest('{"geo.city":"Kiel"}\n')
    const field = evq.store.layout('logs')?.fields.find(({ name }) => name === 'geo.city')
    expect(field).toEqual({
      name: 'geo.city',
      type: 'dynamic',
      wireType: '',
      paths: [['geo', 'city'], ['geo.city']],
      inColumns: [{ column: 'geo.city:string', type: 'string', path: ['geo', 'city'] }],
    })
    expect(await evq.values("JSONExtractRaw(line, 'geo', 'city')")).toEqual(['"\\"Bonn\\""', '""'])
  })

  it('stores fields with any name', async () => {
    const names = [
      'a b',
      '`',
      "'",
      '\\',
      '"',
      'é',
      '😀',
      'a:int',
      'line',
      '_seq',
      '_batch',
      'null',
      'x\ny',
      '\\` or 1=1 --',
      'a/b',
      '%',
      '1',
      '0',
      'a.b',
      'size0',
      'keys',
      '-',
      ' ',
      'SELECT',
      'a',
    ]
    const evq = await TemporaryStore.open()
    await evq.ingest(ndjson([Object.fromEntries(names.map((name, i) => [name, i]))]))
    await evq.ingest(ndjson([Object.fromEntries(names.map((name) => [name, 'text now']))]))
    expect(
      evq.store.schema
        .fields('logs')
        ?.map(({ name }) => name)
        .slice(2),
    ).toEqual([...names].sort())
    expect(await evq.values("JSONExtractRaw(line, 'a b')")).toEqual(['"0"', '"\\"text now\\""'])
  })

  it('stores fields with reserved names separately', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(
      ndjson([{ _sysTime: 1, _rowId: 'r', _cursor: 2, _source: { a: 1 }, _blockInfo: true }]),
    )
    expect(evq.store.schema.fields('logs')?.map(({ name }) => name)).toEqual([
      '_sysTime',
      '_time',
      '_user__blockInfo',
      '_user__cursor',
      '_user__rowId',
      '_user__source.a',
      '_user__sysTime',
    ])
    expect(await evq.values('`_user__rowId:string`')).toEqual(['"r"'])
  })

  it('stores two thousand fields', async () => {
    const evq = await TemporaryStore.open()
    const events = Array.from({ length: 2000 }, (_, n) =>
      Object.fromEntries(Array.from({ length: 20 }, (_, k) => [`field${(n * 20 + k) % 2000}`, n])),
    )
    expect(await evq.ingest(ndjson(events))).toMatchObject({ ingested: 2000 })
    expect(evq.store.layout('logs')?.fields).toHaveLength(2002)
    expect(await evq.ingest(ndjson(events))).toMatchObject({ ingested: 2000 })
    expect(
      evq.store.layout('logs')?.fields.filter(({ column }) => column !== undefined).length,
    ).toBeLessThanOrEqual(130)
    expect(await evq.count()).toBe(4000)
    await evq.reopen()
    expect(evq.store.layout('logs')?.fields).toHaveLength(2002)
  })
})

describe('the time of an event', () => {
  const times = async (text: string, timestampField = '_time'): Promise<readonly string[]> => {
    const evq = await TemporaryStore.open()
    await evq.ingest(text, { timestampField })
    return await evq.values('toUnixTimestamp64Nano(_time)')
  }
  const arrived = String(ARRIVED)

  it('parses event times in all notations to the nanosecond', async () => {
    const written = [
      '"2026-01-01T00:00:00.123456789Z"',
      '"2026-01-01 01:00:00.123456789+01:00"',
      '1767225600123456789',
      '"1767225600.123456789"',
      '1767225600.123456789',
    ]
    expect(await times(written.map((time) => `{"_time":${time}}\n`).join(''))).toEqual(
      written.map(() => '1767225600123456789'),
    )
  })

  it('infers the unit of a numeric event time from its magnitude', async () => {
    expect(
      await times(
        '{"_time":1767225600}\n{"_time":1767225600001}\n{"_time":1767225600000001}\n{"_time":1767225600000000001}\n{"_time":-1}\n{"_time":1767225600.5}\n',
      ),
    ).toEqual([
      '1767225600000000000',
      '1767225600001000000',
      '1767225600000001000',
      '1767225600000000001',
      '-1000000000',
      '1767225600500000000',
    ])
  })

  it('uses the time of arrival for events without a time', async () => {
    expect(await times('{"a":1}\n{"_time":null}\n{}\n')).toEqual([arrived, arrived, arrived])
    const evq = await TemporaryStore.open()
    await evq.ingest('{"_time":5}\n')
    expect(await evq.values('toUnixTimestamp64Nano(_sysTime)')).toEqual([arrived])
    expect(evq.store.schema.fields('logs')).toHaveLength(2)
  })

  it('reads the event time from the timestamp field of the request', async () => {
    expect(await times('{"ts":5,"_time":"2026-01-01T00:00:00Z"}\n{"_time":7}\n', 'ts')).toEqual([
      '5000000000',
      arrived,
    ])
    expect(await times('{"meta":{"at":5}}\n{"meta.at":6}\n', 'meta.at')).toEqual([
      '5000000000',
      '6000000000',
    ])
  })

  it('stores `_time` as a field when another field is the timestamp', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest('{"ts":5,"_time":"then"}\n{"ts":6}\n', { timestampField: 'ts' })
    expect(evq.field('_user__time')).toBe('string · string · _user__time:string')
    expect(evq.field('ts')).toBe('int · integer · ts:int')
    expect(await evq.values('toUnixTimestamp64Nano(_time)')).toEqual(['5000000000', '6000000000'])
    expect(await evq.values('`_user__time:string`')).toEqual(['"then"', 'null'])
  })

  it('accepts another timestamp field and type in each batch', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest('{"ts":5,"_time":"then"}\n', { timestampField: 'ts' })
    // Here it is the timestamp, as a number, and both events are parsed in the same way.
    expect(await evq.ingest('{"_time":7}\n')).toMatchObject({ ingested: 1, rejected: [] })
    expect(evq.field('_user__time')).toBe('dynamic · ? · no column')
    expect(await evq.values('toUnixTimestamp64Nano(_time)')).toEqual(['5000000000', '7000000000'])
    expect(await evq.contradictions()).toEqual([])
  })

  it('rejects events whose time is invalid', async () => {
    const evq = await TemporaryStore.open()
    const stored = await evq.ingest(
      '{"_time":"soon"}\n{"_time":[1]}\n{"_time":{"a":1}}\n{"_time":true}\n{"_time":1}\n{"_time":"1899-12-31T23:59:59Z"}\n{"_time":"2262-04-12T00:00:00Z"}\n{"_time":"1900-01-01T00:30:00+01:00"}\n{"_time":{}}\n',
    )
    expect(stored.ingested).toBe(1)
    expect(reasons(stored)).toEqual([
      '0 @1 `_time` is not a time between 1900 and 2262: "soon"',
      '1 @2 `_time` is not a time between 1900 and 2262: an array',
      '2 @3 `_time` is not a time between 1900 and 2262: an object',
      '3 @4 `_time` is not a time between 1900 and 2262: a boolean',
      '5 @6 `_time` is not a time between 1900 and 2262: "1899-12-31T23:59:59Z"',
      '6 @7 `_time` is not a time between 1900 and 2262: "2262-04-12T00:00:00Z"',
      '7 @8 `_time` is not a time between 1900 and 2262: "1900-01-01T00:30:00+01:00"',
      '8 @9 `_time` is not a time between 1900 and 2262: an object',
    ])
  })
})

describe('lines', () => {
  it('skips blank lines but counts them in line numbers', async () => {
    const evq = await TemporaryStore.open()
    const stored = await evq.ingest('\n{"a":1}\n \t\n\r\n{"a":2}\r\nbad\r\n\n\n{"a":3}')
    expect(stored.ingested).toBe(3)
    expect(reasons(stored)).toEqual(['2 @6 not JSON: a value expected, `b` found at column 1'])
    expect(await evq.values('line')).toEqual(['"{\\"a\\":1}"', '"{\\"a\\":2}"', '"{\\"a\\":3}"'])
  })

  it('skips a byte-order mark at the start', async () => {
    const evq = await TemporaryStore.open()
    expect(await evq.ingest('\ufeff{"a":1}\n{"a":2}\n')).toMatchObject({
      ingested: 2,
      rejected: [],
    })
    expect(await evq.values('`a:int`')).toEqual(['1', '2'])
  })

  it('stores the other events when some lines are invalid', async () => {
    const evq = await TemporaryStore.open()
    const lines = Array.from({ length: 5000 }, (_, n) =>
      n % 10 === 3 ? `{"n":${n}` : `{"n":${n}}`,
    )
    for (const _ of ['first', 'again']) {
      const stored = await evq.ingest(lines.join('\n'))
      expect(stored.ingested).toBe(4500)
      expect(stored.rejected).toHaveLength(500)
      expect(stored.rejected[1]).toEqual({
        index: 13,
        line: 14,
        reason: 'not JSON: `}` expected, the end of the line found at column 8',
      })
    }
    expect(await evq.count()).toBe(9000)
  })

  it('rejects lines that are not UTF-8', async () => {
    const evq = await TemporaryStore.open()
    const stored = await evq.ingest(
      Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}\n{"a":"ok"}\n')]),
    )
    expect(stored.ingested).toBe(1)
    expect(reasons(stored)).toEqual(['0 @1 not UTF-8'])
  })

  it('creates no dataset when all lines are invalid', async () => {
    const evq = await TemporaryStore.open()
    const nothing = { ingested: 0, failed: 0, rejected: [], blocksCreated: 0, arrivedAt: ARRIVED }
    expect(await evq.ingest('')).toEqual({ ...nothing, bytes: 0 })
    expect(await evq.ingest('\n\r\n')).toEqual({ ...nothing, bytes: 3 })
    expect(await evq.ingest('[]\n')).toMatchObject({ ingested: 0, rejected: [{ index: 0 }] })
    expect(evq.store.schema.datasets).toEqual([])
  })

  it('accepts braces in strings and objects in arrays', async () => {
    const evq = await TemporaryStore.open()
    const event = { s: 'a { b } {', list: [{ a: 1 }, { b: {} }], o: { t: '{"x":1}' } }
    for (const _ of ['first', 'second', 'third']) {
      expect(await evq.ingest(ndjson([event]))).toEqual({
        ingested: 1,
        failed: 0,
        rejected: [],
        blocksCreated: 1,
        bytes: 66,
        arrivedAt: ARRIVED,
      })
    }
    expect(
      evq.store.schema
        .fields('logs')
        ?.map(({ name }) => name)
        .slice(2),
    ).toEqual(['list', 'o.t', 's'])
  })
})

describe('an array in place of an object', () => {
  it('does not read the elements of an array as members of an object', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(ndjson([{ geo: { city: 'Bonn' } }]))
    await evq.ingest(ndjson([{ geo: ['x', 'y'] }]))
    await evq.ingest(ndjson([{ geo: ['z'] }, { geo: { city: 'Kyoto' } }]))
    expect(evq.field('geo.city')).toBe('string · string · geo.city:string')
    expect(await evq.values('`geo.city:string`')).toEqual(['"Bonn"', 'null', 'null', '"Kyoto"'])
  })
})

describe('batches', () => {
  it('stores a batch with a repeated id once', async () => {
    const evq = await TemporaryStore.open()
    const first = await evq.ingest('{"a":1}\nbad\n{"a":2}\n', { batchId: 'b1' })
    expect(first).toMatchObject({ ingested: 2, rejected: [{ line: 2 }] })
    expect(await evq.ingest('{"a":1}\nbad\n{"a":2}\n', { batchId: 'b1' })).toEqual(first)
    await evq.reopen()
    expect(await evq.ingest('{"a":1}\nbad\n{"a":2}\n', { batchId: 'b1' })).toEqual(first)
    expect(await evq.ingest('{"a":1}\n', { batchId: 'b2' })).toMatchObject({ ingested: 1 })
    expect(await evq.ingest('{"a":1}\n', { batchId: 'b1', dataset: 'other' })).toMatchObject({
      ingested: 1,
    })
    expect(await evq.count()).toBe(3)
    expect(await evq.count('other')).toBe(1)
  })

  it('stores concurrent batches with the same id once', async () => {
    const evq = await TemporaryStore.open()
    const text = ndjson(Array.from({ length: 1000 }, (_, n) => ({ n })))
    const all = await Promise.all([1, 2, 3].map(() => evq.ingest(text, { batchId: 'same' })))
    expect(all.map(({ ingested }) => ingested)).toEqual([1000, 1000, 1000])
    expect(await evq.count()).toBe(1000)
  })

  it('returns the outcome of each of several concurrent batches for different datasets', async () => {
    const evq = await TemporaryStore.open()
    const work = Array.from({ length: 60 }, async (_, i) => {
      const dataset = `set-${i % 3}`
      const bad = i % 7 === 0 ? 'bad\n' : ''
      const text =
        bad + ndjson(Array.from({ length: i + 1 }, (_, n) => ({ n, i, [`field${i % 5}`]: i })))
      const stored = await evq.ingest(text, { dataset })
      expect(stored.ingested).toBe(i + 1)
      expect(stored.rejected).toHaveLength(bad === '' ? 0 : 1)
    })
    await Promise.all(work)
    for (const [remainder, dataset] of ['set-0', 'set-1', 'set-2'].entries()) {
      const sizes = Array.from({ length: 60 }, (_, i) => (i % 3 === remainder ? i + 1 : 0))
      const expected = String(sizes.reduce((a, b) => a + b, 0))
      expect(
        await evq.query(`SELECT count() AS rows, uniqExact(_seq) AS seqs FROM \`${dataset}\``),
      ).toEqual({ rows: [expected], seqs: [expected] })
    }
  })

  it('makes a batch visible atomically to concurrent queries', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(ndjson([{ n: 0, batch: 0 }]))
    const counts: number[] = []
    let done = false
    const reader = (async () => {
      while (!done) counts.push(Number((await evq.query('SELECT count() AS n FROM logs')).n?.[0]))
    })()
    const text = ndjson(Array.from({ length: 3000 }, (_, n) => ({ n, batch: 1 })))
    try {
      for (let i = 0; i < 8; i++) await evq.ingest(text)
    } finally {
      done = true
      await reader
    }
    expect(counts.every((count, i) => count % 3000 === 1 && count >= (counts[i - 1] ?? 0))).toBe(
      true,
    )
  })

  it('numbers rows in the order of arrival, after those of earlier processes', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(ndjson([{ n: 1 }, { n: 2 }]))
    await evq.ingest(ndjson([{ n: 3 }]))
    await evq.reopen()
    await evq.ingest(ndjson([{ n: 4 }]))
    expect(await evq.values('`n:int`')).toEqual(['1', '2', '3', '4'])
    expect(await evq.query('SELECT uniqExact(_seq) AS n FROM logs')).toEqual({ n: ['4'] })
  })

  it('rejects files with paths that the engine would expand', async () => {
    const evq = await TemporaryStore.open()
    for (const sign of ['*', '?', '{a}', ',']) {
      const directory = `${evq.directory}/with ${sign}`
      await expect(openStore({ directory, now: () => ARRIVED })).rejects.toThrow(
        'since the engine expands',
      )
      const path = `${evq.store.spool}/${sign}.ndjson`
      await writeFile(path, '{"a":1}\n')
      const batch = {
        dataset: 'logs',
        lines: { kind: 'file', path } as const,
        arrivedAt: ARRIVED,
        timestampField: '_time',
      }
      await expect(evq.store.ingest(batch)).rejects.toThrow('since the engine expands')
    }
  })

  it('stores files with any other path', async () => {
    const evq = await TemporaryStore.open()
    await evq.store.close()
    evq.directory = `${evq.directory}/it's [a] "b" \\ \u00e9`
    await evq.reopen()
    expect(await evq.ingest('{"a":1}\nbad\n')).toMatchObject({
      ingested: 1,
      rejected: [{ index: 1 }],
    })
    expect(await evq.count()).toBe(1)
  })

  it('rejects a batch whose file is missing with a message and stores later ones', async () => {
    const evq = await TemporaryStore.open()
    const lost = evq.store.ingest({
      dataset: 'logs',
      lines: { kind: 'file', path: `${evq.store.spool}/none` },
      arrivedAt: ARRIVED,
      timestampField: '_time',
    })
    await expect(lost).rejects.toThrow(StoreError)
    await expect(lost).rejects.toThrow('None of these events could be stored.')
    expect(await evq.ingest('{"a":1}\n')).toMatchObject({ ingested: 1 })
  })
})

/** True while this process has no operation on a file in progress. */
function areFilesRead(): boolean {
  return !process.getActiveResourcesInfo().some((resource) => /^FS|CloseReq/i.test(resource))
}

describe('batches stored together', () => {
  it('never stores a batch after rejecting it', async () => {
    const tried: number[] = []
    const signs = new EventEmitter()
    const evq = await TemporaryStore.open((engine) =>
      wrapped(engine, {
        async load(insert) {
          tried.push(insert.files.length)
          if (tried.length === 3) {
            signs.emit('held')
            await once(signs, 'go on')
          }
          // The load of the other batch, before the one with a new field.
          if (tried.length === 4) throw new EngineError(210, 'gone')
          return await engine.load(insert)
        },
      }),
    )
    await evq.ingest('{"n":0}\n')
    tried.length = 2
    const isHeld = once(signs, 'held')
    const first = evq.ingest('{"n":1}\n')
    await isHeld
    const together: Promise<unknown>[] = []
    for (const text of ['{"odd":true}\n', '{"n":2}\n']) {
      together.push(evq.ingest(text))
      // A batch waits once its file has been read, and they are to wait in this order.
      await until(areFilesRead, 'the file of the batch has been read')
    }
    const outcomes = Promise.allSettled(together)
    signs.emit('go on')
    await first
    for (const { status } of await outcomes) expect(status).toBe('rejected')
    expect(tried.slice(2)).toEqual([1, 1])
    await evq.ingest('{"n":3}\n')
    expect(await evq.values('line')).toEqual(['"{\\"n\\":0}"', '"{\\"n\\":1}"', '"{\\"n\\":3}"'])
  })
})
