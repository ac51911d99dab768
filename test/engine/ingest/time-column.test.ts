import { describe, expect, it } from 'vitest'
import { ARRIVED, ndjson, TemporaryStore } from '../temporary-store.js'

/** Returns the times of events stored after events that taught the engine their time format. */
async function timesAfter(
  first: string,
  written: readonly string[],
  timestampField = '_time',
): Promise<readonly string[]> {
  const evq = await TemporaryStore.open()
  await evq.ingest(first, { timestampField })
  const before = await evq.count()
  expect(
    await evq.ingest(written.map((line) => `${line}\n`).join(''), { timestampField }),
  ).toMatchObject({
    ingested: written.length,
    rejected: [],
  })
  const times = await evq.values('toUnixTimestamp64Nano(_time)')
  return times.slice(before)
}

describe('numbers with a fraction', () => {
  it('keeps all digits of a fractional timestamp, wherever its key is', async () => {
    const first = '{"_time":1767225600.5,"a":1,"b":{"_time":1}}\n'
    const exact = '1767225600123456789'
    expect(
      await timesAfter(first, [
        '{"_time":1767225600.123456789}',
        '{"_time" :\t1767225600.1234567891 ,"a":2}',
        '{"a":3,"_time":1767225600.123456789}',
        // A second occurrence of the key leaves the parsing to JavaScript.
        '{"b":{"_time":1767225600.5},"_time":1767225600.123456789}',
        '{"_time":1767225600.123456789,"_time":1767225600.5}',
        String.raw`{"\u005ftime":1767225600.123456789,"b":{"_time":1767225600.1234567}}`,
        '{"_time":"1767225600.123456789"}',
        '{"_time":1767225600123.456789}',
        '{"_time":1767225600123456.789}',
        '{"_time":"1767225600123456.7891"}',
        '{"_time":1.767225600123456789e9}',
        '{"_time":176722560012345678.9e1}',
      ]),
    ).toEqual(Array(12).fill(exact))
  })

  it('parses fractional timestamps in all JSON notations', async () => {
    const first = '{"_time":1767225600.5}\n'
    expect(
      await timesAfter(first, [
        '{"_time":-0.5}',
        '{"_time":1.5}',
        '{"_time":9223372036.854775807}',
        '{"_time":1767225600.0}',
        '{"_time":null}',
      ]),
    ).toEqual([
      '-500000000',
      '1500000000',
      '9223372036854775807',
      '1767225600000000000',
      String(ARRIVED),
    ])
  })

  it('parses fractional timestamps in objects and under unusual names', async () => {
    expect(
      await timesAfter('{"a":{"t":1767225600.5}}\n', ['{"a":{"t":1767225600.000000001}}'], 'a.t'),
    ).toEqual(['1767225600000000001'])
    expect(
      await timesAfter('{"a\\"b":1767225600.5}\n', ['{"a\\"b":1767225600.000000001}'], 'a"b'),
    ).toEqual(['1767225600000000001'])
  })

  it('rejects fractional timestamps after 2262', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest('{"_time":1767225600.5}\n')
    const { rejected } = await evq.ingest(
      '{"_time":9223372036.854775808}\n{"_time":9999999999.5}\n{"_time":"9999999999.5"}\n',
    )
    expect(rejected.map(({ line }) => line)).toEqual([1, 2, 3])
  })
})

describe('common time formats', () => {
  it('parses common time formats the same in the first batch, in later ones and after a restart', async () => {
    const written = [
      '01/Jan/2026:01:00:00 +0100',
      '[01/Jan/2026:00:00:00 +0000]',
      '2026-01-01 00:00:00,000',
      '2026-01-01t00:00:00z',
      '2026-01-01 00:00:00.000 UTC',
      '2026-01-01 05:30:00+05:30',
      '2026-01-01 02:00+02',
      '2026/01/01 00:00:00',
      'Thu, 01 Jan 2026 00:00:00 GMT',
      'Wed, 31 Dec 2025 19:00:00 EST',
      'Thu Jan  1 00:00:00.000 2026',
      'Thu Jan  1 01:00:00 CET 2026',
      '2026-01-01',
      '1767225600.000',
      '1767225600000000',
    ]
    const evq = await TemporaryStore.open()
    const batch = ndjson(written.map((_time) => ({ _time })))
    for (let i = 0; i < 3; i++) {
      if (i === 2) await evq.reopen()
      expect(await evq.ingest(batch)).toMatchObject({ ingested: written.length, rejected: [] })
    }
    expect(await evq.values('toUnixTimestamp64Nano(_time)')).toEqual(
      Array(3 * written.length).fill('1767225600000000000'),
    )
  })

  it('parses rare time formats row by row', async () => {
    const evq = await TemporaryStore.open()
    const usual = Array.from({ length: 999 }, () => ({ _time: '2026-01-01T00:00:00Z' }))
    const batch = ndjson([...usual, { _time: '01/Jan/2026:00:00:00 +0000' }])
    for (let i = 0; i < 2; i++) {
      expect(await evq.ingest(batch)).toMatchObject({ ingested: 1000, rejected: [] })
    }
    const { n } = await evq.query('SELECT uniqExact(_time) AS n FROM `logs`')
    expect(n).toEqual(['1'])
  })

  it('does not parse other values in a format that it has learned', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(ndjson([{ _time: '01/Jan/2026:00:00:00 +0000' }, { _time: '2026-01-01' }]))
    const bad = [
      '32/Jan/2026:00:00:00 +0000',
      '31/Feb/2026:00:00:00 +0000',
      '01/Jam/2026:00:00:00 +0000',
      '01/Jan/2026:24:00:00 +0000',
      '01/Jan/2026:23:59:60 +0000',
      '01/01/2026:00:00:00 +0000',
      '01/Jan/1899:00:00:00 +0000',
      '01/Jan/2263:00:00:00 +0000',
      '2026-02-29',
      '0000-00-00',
      'Thu Jan  1 00:00:00 IST 2026',
      'yesterday',
      '',
    ]
    const { ingested, rejected } = await evq.ingest(ndjson(bad.map((_time) => ({ _time }))))
    expect([ingested, rejected.map(({ index }) => index)]).toEqual([0, bad.map((_, i) => i)])
    expect(rejected[1]?.reason).toBe(
      '`_time` is not a time between 1900 and 2262: "31/Feb/2026:00:00:00 +0000"',
    )
  })
})

it('reads integers after numbers with a fraction', async () => {
  const times = await timesAfter(
    '{"ts":1767225600.5}\n',
    ['{"ts":1767225601.25}', '{"ts":1767225602}'],
    'ts',
  )
  expect(times).toEqual(['1767225601250000000', '1767225602000000000'])
})

it('reads integers when fractions are rare', async () => {
  const written = ['{"ts":1767225601.25}', ...Array(200).fill('{"ts":1767225602}')]
  const times = await timesAfter('{"ts":1767225600}\n', written, 'ts')
  expect(times).toEqual(['1767225601250000000', ...Array(200).fill('1767225602000000000')])
})
