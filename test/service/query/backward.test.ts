import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Running, run } from '../running.js'

const EVENTS = 60
const SECOND = 1_767_225_600

let service: Running

beforeEach(async () => {
  service = await run({})
  // Ten events of each time.
  const body = Array.from({ length: EVENTS }, (_, n) =>
    JSON.stringify({ _time: SECOND + Math.floor(n / 10), n }),
  ).join('\n')
  const headers = { 'content-type': 'application/x-ndjson' }
  expect((await service.send({ path: '/v1/ingest/logs', headers, body })).status).toBe(200)
})

afterEach(async () => {
  await service.close()
  expect(service.reported).toEqual([])
})

interface Page {
  readonly apl?: string
  readonly cursor?: string
  readonly backward?: boolean
  readonly includeCursor?: boolean
}

async function page({ apl = "['logs'] | sort by _time asc", backward, ...more }: Page) {
  const { status, text } = await service.send({
    path: '/v1/datasets/_apl?format=tabular',
    body: JSON.stringify({
      ...{ apl, defaultLimit: 7, includeCursorField: true, ...more },
      ...(backward && { queryOptions: { backward } }),
    }),
  })
  expect(status, text).toBe(200)
  const { fields, columns } = JSON.parse(text).tables[0]
  const column = (name: string) =>
    columns[fields.findIndex((field: { name: string }) => field.name === name)]
  return {
    numbers: column('n') as readonly number[],
    cursors: column('_cursor') as readonly string[],
  }
}

const down = (from: number, count: number) => Array.from({ length: count }, (_, at) => from - at)

it('returns the last rows, the last one first', async () => {
  expect((await page({ backward: true })).numbers).toEqual(down(59, 7))
  // The default order is the newest event first, so its last row is the oldest one.
  expect((await page({ apl: "['logs']", backward: true })).numbers).toEqual([0, 1, 2, 3, 4, 5, 6])
})

it('returns the rows in front of a cursor', async () => {
  const { cursors } = await page({ backward: true })
  const cursor = cursors.at(-1)!
  expect((await page({ cursor, backward: true })).numbers).toEqual(down(52, 7))
  expect((await page({ cursor, backward: true, includeCursor: true })).numbers).toEqual(down(53, 7))
  expect((await page({ cursor })).numbers).toEqual([54, 55, 56, 57, 58, 59])
})

it('returns those that the query keeps', async () => {
  const apl = "['logs'] | where n % 2 == 0 | extend twice = 2 * n | sort by _time asc"
  const { cursors, numbers } = await page({ apl, backward: true })
  expect(numbers).toEqual([58, 56, 54, 52, 50, 48, 46])
  expect((await page({ apl, cursor: cursors[2]!, backward: true })).numbers[0]).toBe(52)
})

it.each([
  "['logs'] | sort by _time asc | limit 5",
  "['logs'] | summarize count()",
  "['logs'] | sort by n asc",
])('is refused for rows that can not be read so: %s', async (apl) => {
  const { status, text } = await service.send({
    path: '/v1/datasets/_apl?format=tabular',
    body: JSON.stringify({ apl, queryOptions: { backward: true } }),
  })
  expect(status).toBe(400)
  expect(text).toContain('`backward` is not supported for this query')
})
