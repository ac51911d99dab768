import { beforeAll, describe, expect, it } from 'vitest'
import { specifiedService } from './service.js'

const service = specifiedService()

/** Seven events, three of them at one instant. */
const SECONDS = [1, 2, 3, 3, 3, 4, 5]
const RANGE = { startTime: '2026-01-01T00:00:00Z', endTime: '2026-01-01T00:01:00Z' }
const ASCENDING = [0, 1, 2, 3, 4, 5, 6]

beforeAll(async () => {
  await service.ingest(
    'logs',
    SECONDS.map((second, n) => ({ _time: `2026-01-01T00:00:0${second}Z`, n })),
  )
})

/** A page, from either kind of query. */
interface Page {
  readonly numbers: readonly number[]
  readonly times: readonly string[]
  readonly minCursor: string
  readonly maxCursor: string
  readonly rowsMatched: number
}

interface PageRequest {
  readonly desc: boolean
  readonly limit?: number
  readonly startTime?: string
  readonly endTime?: string
  readonly cursor?: string
  readonly includeCursor?: boolean
}

async function aplPage({ desc, limit = 2, ...more }: PageRequest): Promise<Page> {
  const apl = `logs | sort by _time ${desc ? 'desc' : 'asc'} | limit ${limit}`
  const { body } = await service.query({ apl, ...RANGE, ...more })
  const [{ fields, columns }] = body.tables
  const column = (wanted: string) =>
    columns[fields.findIndex(({ name }: { name: string }) => name === wanted)]
  return { ...body.status, numbers: column('n'), times: column('_time') }
}

async function legacyPage({ desc, limit = 2, ...more }: PageRequest): Promise<Page> {
  const order = [{ field: '_time', desc }]
  const { body } = await service.legacy('logs', { order, limit, ...RANGE, ...more })
  return {
    ...body.status,
    numbers: body.matches.map((match: { data: { n: number } }) => match.data.n),
    times: body.matches.map((match: { _time: string }) => match._time),
  }
}

const shiftNanoseconds = (time: string, by: 1 | -1) =>
  by === 1
    ? time.replace('Z', '.000000001Z')
    : new Date(Date.parse(time) - 1_000).toISOString().replace('.000Z', '.999999999Z')

const KINDS = [
  [
    'Run query',
    aplPage,
    'For Run query: put a limit operator and `sort by _time asc` or `sort by _time desc` in the APL text, and set `startTime` and `endTime` in the body.',
  ],
  [
    'Run query (legacy)',
    legacyPage,
    'For legacy: set `limit` and `order` (by `_time`) and `startTime` and `endTime` in the body.',
  ],
] as const

describe.each(KINDS)('Timestamp-based (stable, recommended), %s', (_, page, setUp) => {
  it(setUp, async () => {
    expect((await page({ desc: true })).numbers).toHaveLength(2)
    expect((await page({ desc: false })).numbers).toEqual([0, 1])
    const within = { startTime: '2026-01-01T00:00:02Z', endTime: '2026-01-01T00:00:03Z' }
    expect((await page({ desc: false, ...within })).numbers).toEqual([1])
  })

  it.each([
    ['and use it', (time: string) => time],
    ['optionally subtract 1 nanosecond, and use it', (time: string) => shiftNanoseconds(time, -1)],
  ])(
    'Descending order: take the timestamp of the last item on the page (the least recent), %s as `endTime` of the next request. Repeat until the result set is empty.',
    async (_said, next) => {
      const seen: number[] = []
      let endTime: string = RANGE.endTime
      for (;;) {
        const { numbers, times } = await page({ desc: true, limit: 5, endTime })
        if (numbers.length === 0) break
        seen.push(...numbers)
        endTime = next(times.at(-1)!)
      }
      expect(seen.toSorted()).toEqual(ASCENDING)
    },
  )

  it('Ascending order: take the timestamp of the last item (the most recent), optionally add 1 nanosecond, and use it as `startTime` of the next request. Repeat until the result set is empty.', async () => {
    const seen: number[] = []
    let startTime: string = RANGE.startTime
    for (;;) {
      const { numbers, times } = await page({ desc: false, limit: 5, startTime })
      if (numbers.length === 0) break
      seen.push(...numbers)
      startTime = shiftNanoseconds(times.at(-1)!, 1)
    }
    expect(seen.toSorted()).toEqual(ASCENDING)
  })

  it('Incrementing the timestamp risks duplicates; not incrementing risks overlap. A caller should deduplicate in either case.', async () => {
    const first = await page({ desc: false, limit: 3 })
    const startTime = first.times.at(-1)!
    const next = await page({ desc: false, limit: 5, startTime })
    expect(next.numbers.filter((n) => first.numbers.includes(n))).not.toEqual([])
    expect([...new Set([...first.numbers, ...next.numbers])].sort()).toEqual(ASCENDING)
  })

  it('`endTime` is exclusive: with the last time plus 1 ns its instant comes again', async () => {
    const time = '2026-01-01T00:00:04Z'
    expect((await page({ desc: true, limit: 9, endTime: time })).numbers).not.toContain(5)
    const endTime = shiftNanoseconds(time, 1)
    expect((await page({ desc: true, limit: 1, endTime })).numbers).toEqual([5])
  })
})

describe.each(KINDS)(
  'Cursor-based (public preview; may return unexpected results), %s',
  (_, page) => {
    it('Set up the request as for timestamp-based pagination, and add the optional string `cursor` to the body. Its value is a cursor string from an earlier response.', async () => {
      const first = await page({ desc: false })
      const second = await page({ desc: false, cursor: first.maxCursor })
      expect([first.numbers, second.numbers[0]]).toEqual([[0, 1], expect.any(Number)])
      expect([2, 3, 4]).toContain(second.numbers[0])
    })

    it('Descending order (`_time desc`): use `status.minCursor` of the response as `cursor` of the next request. The end is reached when the supplied `cursor` equals the returned `minCursor`.', async () => {
      const seen: number[] = []
      let cursor: string | undefined
      for (;;) {
        const { numbers, minCursor } = await page({ desc: true, ...(cursor && { cursor }) })
        seen.push(...numbers)
        if (cursor === minCursor) break
        cursor = minCursor
      }
      expect(seen.toSorted()).toEqual(ASCENDING)
      expect([seen[0], seen[1], seen[5], seen[6]]).toEqual([6, 5, 1, 0])
    })

    it('Ascending order (`_time asc`): use `status.maxCursor` as `cursor` of the next request. The end is reached when the supplied `cursor` equals the returned `maxCursor`.', async () => {
      const seen: number[] = []
      let cursor: string | undefined
      for (;;) {
        const { numbers, maxCursor } = await page({ desc: false, ...(cursor && { cursor }) })
        seen.push(...numbers)
        if (cursor === maxCursor) break
        cursor = maxCursor
      }
      expect(seen.toSorted()).toEqual(ASCENDING)
      expect([seen[0], seen[1], seen[5], seen[6]]).toEqual([0, 1, 5, 6])
    })

    it('When a page holds fewer results than the limit, paging may stop.', async () => {
      const { numbers, maxCursor } = await page({ desc: false, limit: 9 })
      expect(numbers).toHaveLength(7)
      expect((await page({ desc: false, limit: 9, cursor: maxCursor })).numbers).toEqual([])
    })
  },
)

describe('Cursor-pagination result', () => {
  it.each(['minCursor', 'maxCursor'])('`status.%s`: string', async (field) => {
    const { body } = await service.legacy('logs', RANGE)
    expect(body.status[field]).toEqual(expect.any(String))
    expect(body.status[field]).not.toBe('')
  })

  it('`status.rowsMatched`: integer', async () => {
    const { body } = await service.legacy('logs', { ...RANGE, limit: 2 })
    expect(body.status.rowsMatched).toBe(7)
  })

  it('`matches`: array of returned event objects', async () => {
    const { body } = await service.legacy('logs', { ...RANGE, limit: 3 })
    expect(body.matches).toHaveLength(3)
    for (const match of body.matches) expect(match).toEqual(expect.any(Object))
  })
})

describe.each(KINDS)('Where the specification says not shown: the cursors of %s', (_, page) => {
  it('`minCursor` is the smallest cursor of the page in row order, `maxCursor` the largest', async () => {
    const up = await page({ desc: false, limit: 9 })
    const down = await page({ desc: true, limit: 9 })
    expect([up.minCursor, up.maxCursor]).toEqual([down.minCursor, down.maxCursor])
    expect(up.minCursor < up.maxCursor).toBe(true)
  })

  it('A page with no rows echoes the supplied cursor as both.', async () => {
    const { maxCursor } = await page({ desc: false, limit: 9 })
    const behind = await page({ desc: false, cursor: maxCursor })
    expect(behind).toMatchObject({ numbers: [], minCursor: maxCursor, maxCursor })
  })

  it('Cursors are text that sorts in row order: 13 base-36 digits of `_time` in ns, then parts that identify the row.', async () => {
    const cursors: string[] = []
    for (const second of [1, 2, 4, 5]) {
      const startTime = `2026-01-01T00:00:0${second}Z`
      const { minCursor } = await page({ desc: false, limit: 1, startTime })
      cursors.push(minCursor)
    }
    expect(cursors.toSorted()).toEqual(cursors)
    for (const cursor of cursors) expect(cursor).toMatch(/^[0-9a-z]{14,}$/)
    const nanoseconds = (cursor: string) =>
      [...cursor.slice(0, 13)].reduce(
        (sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)),
        0n,
      )
    // Counted from 1900, so that times before 1970 sort correctly.
    const since1900 =
      (BigInt(Date.UTC(2026, 0, 1, 0, 0, 1)) - BigInt(Date.UTC(1900, 0))) * 1_000_000n
    expect(nanoseconds(cursors[0]!)).toBe(since1900)
  })

  it('The row of the cursor itself is left out unless `includeCursor` is true', async () => {
    const { maxCursor, numbers } = await page({ desc: false })
    const without = await page({ desc: false, cursor: maxCursor })
    expect(without.numbers).not.toContain(numbers.at(-1))
    const cursor = maxCursor
    const withIt = await page({ desc: false, cursor, includeCursor: true })
    expect(withIt.numbers[0]).toBe(numbers.at(-1))
  })

  it('A cursor splits rows of equal `_time` exactly.', async () => {
    const seen: number[] = []
    const instant = { startTime: '2026-01-01T00:00:03Z', endTime: '2026-01-01T00:00:03.000000001Z' }
    let cursor: string | undefined
    for (let at = 0; at < 3; at++) {
      const one = await page({ desc: true, limit: 1, ...instant, ...(cursor && { cursor }) })
      seen.push(...one.numbers)
      cursor = one.minCursor
    }
    expect(seen.toSorted()).toEqual([2, 3, 4])
  })

  it('400: a malformed cursor', async () => {
    for (const cursor of ['next', '0', `${'z'.repeat(13)}!`, 'é']) {
      const apl = await service.query({ apl: 'logs', cursor })
      const legacy = await service.legacy('logs', { ...RANGE, cursor })
      expect([apl.status, legacy.status]).toEqual([400, 400])
    }
  })
})
