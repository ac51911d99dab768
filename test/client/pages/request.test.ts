import { expect, it } from 'vitest'
import { adaptivePageSize } from '../../../src/client/pages/request.js'

const paging = { pageSize: 50_000, isAdaptive: true, request: { apl: 'logs' }, end: 1n } as const
const ways = { by: 'any', direction: 'asc' } as const
const start = { kind: 'start' } as const
const MEBIBYTE = 2 ** 20

it.each([
  ['at first, for the reader who waits', undefined, 1_000],
  ['when nothing is known of the rows', { rows: 0, bytes: 300 }, 1_000],
  ['of 16 KiB each', { rows: 1_000, bytes: 16_384_000 }, 1_024],
  ['of 100 bytes each, as many as a request may', { rows: 1_000, bytes: 100_000 }, 50_000],
  ['of 2 MiB each', { rows: 10, bytes: 20 * MEBIBYTE }, 8],
  ['of 100 MiB each', { rows: 1, bytes: 100 * MEBIBYTE }, 1],
])('an adaptive page has as many rows as fit into 16 MiB: %s', (_, last, rows) => {
  expect(adaptivePageSize(start, last, { ...paging, ...ways })).toBe(rows)
})

it('a page of a given size has that size', () => {
  const options = { ...paging, ...ways, pageSize: 7, isAdaptive: false }
  const sizes = [undefined, { rows: 7, bytes: 1 }].map((last) =>
    adaptivePageSize(start, last, options),
  )
  expect(sizes).toEqual([7, 7])
})

it('a page that the service limits has the maximum number of rows', () => {
  const last = { rows: 10, bytes: 20 * MEBIBYTE }
  const options = { ...paging, ...ways, shortPages: true }
  const cursor = { kind: 'cursor', cursor: 'c', last: 'x' } as const
  expect(adaptivePageSize(start, undefined, options)).toBe(50_000)
  expect(adaptivePageSize(cursor, { ...last, isBounded: true }, options)).toBe(50_000)
  expect(adaptivePageSize(cursor, last, options)).toBe(8)
  expect(adaptivePageSize(start, undefined, { ...options, by: 'time' })).toBe(1_000)
})
