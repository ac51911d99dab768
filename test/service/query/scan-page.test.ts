import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { columnCells } from '../../../src/render/transpose/rows.js'
import { scanNativeResponse } from '../../../src/render/transpose/scan-response.js'
import { ChunkedBuffer } from '../../../src/wire/bytes/chunked-buffer.js'
import { NATIVE_RESULT, NATIVE_RESULT_WITH_DOUBLES } from '../../../src/wire/http/native-result.js'
import { needsEmbedded } from '../../support/engine.js'
import { nativeColumn, nativeIntegers, nativeLength } from '../../support/native-column.js'
import { NOW, type Running, run, type Send, type TestResponse } from '../running.js'

/** More than the engine reads at once. */
const EVENTS = 30_000
const SECOND = 1_767_225_600
/** The first second that is left after a deletion. */
const LEFT = 250

let service: Running
let scans: MockInstance<NonNullable<Running['store']['scan']>>

beforeEach(async () => {
  // However slow the machine is, a scan is still open when the next page is requested.
  service = await run({ scanIdleMs: 600_000 })
  scans = vi.spyOn(service.store as Required<typeof service.store>, 'scan')
  // A hundred events of each time, in two parts of the table that overlap.
  const half = (odd: number) =>
    Array.from({ length: EVENTS / 2 }, (_, i) => event(2 * i + odd, Math.floor(i / 50)))
  await ingest(half(0))
  await ingest(half(1))
})

afterEach(async () => {
  await service.close()
  expect(service.reported).toEqual([])
})

function event(n: number, second: number) {
  return { _time: SECOND + second, n, text: n % 7 === 0 ? null : `"${n}",\n` }
}

async function ingest(events: readonly object[], dataset = 'logs'): Promise<void> {
  const headers = { 'content-type': 'application/x-ndjson' }
  const body = events.map((each) => JSON.stringify(each)).join('\n')
  const { status, text } = await service.send({ path: `/v1/ingest/${dataset}`, headers, body })
  expect(status, text).toBe(200)
}

const NATIVE = `${NATIVE_RESULT}, application/json`
const NEXT = { asc: 'maxCursor', desc: 'minCursor' } as const

interface Export {
  readonly apl?: string
  readonly order?: 'asc' | 'desc'
  readonly limit?: number
  readonly shortPages?: boolean
  /** The media types that the client accepts; by default, the format Native if pages may be short. */
  readonly accept?: string
  readonly send?: Send
  /** Called after each page with its number of rows. */
  readonly between?: (page: number) => Promise<void>
}

/** The rows of an export, the number of rows in each page, and the numbers of matching events that the pages report. */
async function exported(options: Export = {}) {
  const { apl = "['logs']", order = 'asc', limit = 16_384, shortPages = true } = options
  const { send = service.send, accept = shortPages ? NATIVE : 'application/json' } = options
  const sizes: number[] = []
  const types: (string | undefined)[] = []
  const rows: string[] = []
  const matched = new Set<number>()
  let cursor = ''
  for (let page = 1; ; page++) {
    const path = '/v1/datasets/_apl?format=tabular'
    const request = {
      apl: `${apl} | sort by _time ${order} | limit ${limit}`,
      ...{ endTime: new Date(Number(NOW / 1_000_000n)).toISOString() },
      queryOptions: { shortPages },
      ...(cursor !== '' && { cursor }),
    }
    const response = await send({ path, headers: { accept }, body: JSON.stringify(request) })
    expect(response.status, response.text).toBe(200)
    const { columns, status } = pageOf(response)
    const count = columns[0]!.length
    expect(count).toBeLessThanOrEqual(limit)
    if (count === 0) return { rows, sizes, types: [...new Set(types)], matched: [...matched] }
    sizes.push(count)
    matched.add(status.rowsMatched)
    types.push(response.headers['content-type'])
    for (let row = 0; row < count; row++) {
      rows.push(JSON.stringify(columns.map((column) => column[row])))
    }
    cursor = status[NEXT[order]]
    await options.between?.(page)
  }
}

/** Reads a page in either form. */
function pageOf({ bytes, headers, body }: TestResponse) {
  if (headers['content-type'] !== NATIVE_RESULT) {
    return { columns: body.tables[0].columns as readonly unknown[][], status: body.status }
  }
  const response = scanNativeResponse(ChunkedBuffer.of(bytes))
  const { tables, status } = response.result
  const columns = tables[0]!.fields.map((_, i) =>
    columnCells(response, { table: 0, column: i }).map((cell) => JSON.parse(cell) as unknown),
  )
  return { columns, status }
}

// Other engines return whole results.
describe('rows in the format Native', needsEmbedded, () => {
  it.each([
    {},
    { order: 'desc' as const },
    {
      apl: "['logs'] | where n % 3 > 0 | extend more = strcat('x', text), part = n / 7.0, at = bin(_time, 1m) | project _time, more, n, part, at",
    },
    { apl: "['logs'] | project n, _time" },
    {
      apl: "['logs'] | extend part = n / 7.0, none = todouble(n) / 0.0 | project _time, part, none",
      accept: NATIVE_RESULT_WITH_DOUBLES,
    },
  ])('are the same as in JSON, and read in one scan: %j', async (options) => {
    const { rows, matched } = await exported({ ...options, shortPages: false })
    expect(scans).not.toHaveBeenCalled()
    expect(matched).toEqual([rows.length])
    const native = await exported(options)
    expect(native.rows).toEqual(rows)
    expect(native.matched).toEqual(matched)
    expect(native.types).toEqual([NATIVE_RESULT])
    expect(native.sizes.length).toBeGreaterThan(2)
    expect(scans).toHaveBeenCalledTimes(1)
  })

  it('are the same when columns are members of the remainders of events', async () => {
    const values = [null, 7, 'x,"y"', true, [1, { k: 'v' }], 1.5, '']
    // Each of 24 fields has all of these values in some events, and one of them has members in others.
    const events = Array.from({ length: 9_000 }, (_, i) => ({
      _time: SECOND + i,
      ...Object.fromEntries([0, 5, 11].map((n) => [`f${(i + n) % 24}`, values[(i + n) % 7]])),
      ...(i % 10 === 0 && { f9: { inner: 'z' } }),
      // A field with two paths, and one whose column no longer fits.
      ...(i % 11 === 0 && { 'f9.inner': 1.5 }),
      late: i < 4_500 ? i : `${i}`,
    }))
    await ingest(events.slice(0, 4_500), 'wide')
    await ingest(events.slice(4_500), 'wide')
    for (const apl of [
      "['wide']",
      "['wide'] | where isnotnull(f3) or tostring(f5) == '7'",
      "['wide'] | extend g = f4, h = strcat('h', tostring(f4)) | project-away f7, f8",
    ]) {
      scans.mockClear()
      const { rows } = await exported({ apl, shortPages: false })
      const native = await exported({ apl })
      expect(native.rows).toEqual(rows)
      expect(native.types).toEqual([NATIVE_RESULT])
      expect(scans).toHaveBeenCalledTimes(1)
      // Only fields that conditions and other columns are computed from are read by the engine.
      const { text } = scans.mock.calls[0]![0]
      expect(text.split("JSONExtractRaw(line, 'f").length - 1).toBeLessThan(6)
    }
  })

  it('may have more columns than a scan reads, as members of remainders', async () => {
    const events = Array.from({ length: 9_000 }, (_, i) => ({
      _time: SECOND + i,
      [`f${i % 600}`]: [i],
      [`g${i % 600}`]: 'x',
    }))
    await ingest(events, 'wide')
    const response = await service.send({
      path: '/v1/datasets/_apl?format=tabular',
      headers: { accept: NATIVE },
      body: JSON.stringify({
        apl: "['wide'] | sort by _time asc | limit 9000",
        endTime: new Date(Number(NOW / 1_000_000n)).toISOString(),
        queryOptions: { shortPages: true },
      }),
    })
    expect(response.headers['content-type']).toBe(NATIVE_RESULT)
    const { result } = scanNativeResponse(ChunkedBuffer.of(response.bytes))
    // With `_time` and `_sysTime`.
    expect(result.tables[0]!.fields).toHaveLength(2 * 600 + 2)
  })

  it('are sent only to clients that accept them', async () => {
    const { types } = await exported({ accept: 'application/json' })
    expect(types).toEqual(['application/json'])
    expect(scans).not.toHaveBeenCalled()
  })

  it('are read as JSON when the type of a column is not readable', async () => {
    const { rows } = await exported({ shortPages: false })
    scans.mockImplementation(async function* () {
      const number = (name: string, type: string) =>
        nativeColumn(name, type, nativeIntegers([1n], 8))
      const columns = [number('time', 'Int64'), number('seq', 'UInt64')]
      const day = nativeColumn('day', 'Date', nativeIntegers([1n], 2))
      yield Buffer.concat([nativeLength(3), nativeLength(1), ...columns, day])
    })
    const other = await exported()
    expect(other.rows).toEqual(rows)
    expect(other.types).toEqual(['application/json'])
    expect(scans).toHaveBeenCalled()
  })
})

describe('short pages', needsEmbedded, () => {
  it('have at most as many rows as requested, also when the engine reads more at once', async () => {
    const { rows } = await exported({ shortPages: false })
    const limits = [5_000, 12_000]
    for (const limit of limits) expect((await exported({ limit })).rows).toEqual(rows)
  })

  it('contain events that were stored after the scan began, and none that were deleted', async () => {
    const before = await exported({ shortPages: false })
    const { rows, sizes } = await exported({
      async between(page) {
        if (page === 2) await ingest([event(-1, EVENTS)])
        // Events of the last 50 seconds of the range are all that is left.
        if (page === 3) await service.store.trim('logs', BigInt(SECOND + LEFT) * 1_000_000_000n)
      },
    })
    const read = sizes[0]! + sizes[1]! + sizes[2]!
    expect(rows.slice(0, read)).toEqual(before.rows.slice(0, read))
    expect(read).toBeLessThan(100 * LEFT)
    expect(rows.slice(read, -1)).toEqual(before.rows.slice(100 * LEFT))
    expect(rows.at(-1)).toContain(',-1,')
  })

  it('are read for two clients at the same position', async () => {
    const { rows } = await exported({ shortPages: false })
    const both = await Promise.all([exported(), exported()])
    for (const one of both) expect(one.rows).toEqual(rows)
  })

  it('go on with another scan after a pause', async () => {
    const { rows } = await exported({ shortPages: false })
    const slow = await exported({
      // A scan waits for two seconds by default.
      send: service.limited({}),
      between: (page) => new Promise((resolve) => setTimeout(resolve, page === 2 ? 2_500 : 0)),
    })
    expect(slow.rows).toEqual(rows)
    expect(scans.mock.calls.length).toBeGreaterThan(1)
  })

  it('are read with a statement each when the end of the range is open, or from several datasets', async () => {
    const { rows } = await exported({ shortPages: false })
    const union = await exported({ apl: 'union logs' })
    expect(union.rows).toEqual(rows)
    // The lengths of the rows are not known before the first page.
    expect(union.sizes.slice(0, 2)).toEqual([1_000, 16_384])
    expect(scans).not.toHaveBeenCalled()
  })
})

describe('a scan', needsEmbedded, () => {
  it('of a dataset that is deleted before it begins is refused as the query of an unknown dataset', async () => {
    const { read } = service.store
    const spy = vi.spyOn(service.store, 'read').mockImplementation(async (...given) => {
      spy.mockRestore()
      const result = await read(...given)
      await service.send({ method: 'DELETE', path: '/v1/datasets/logs' })
      return result
    })
    const path = '/v1/datasets/_apl?format=tabular'
    const body = JSON.stringify({
      apl: "['logs'] | sort by _time asc | limit 16384",
      endTime: new Date(Number(NOW / 1_000_000n)).toISOString(),
      queryOptions: { shortPages: true },
    })
    const response = await service.send({ path, headers: { accept: NATIVE }, body })
    expect([response.status, response.body.message]).toEqual([
      404,
      'There is no dataset `logs`. There are no datasets yet; ingesting events creates one.',
    ])
  })
})
