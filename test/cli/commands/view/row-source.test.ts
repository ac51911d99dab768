import { expect, it } from 'vitest'
import { openRowSource } from '../../../../src/cli/commands/view/row-source.js'
import type { Connection } from '../../../../src/client/connection.js'
import { ChunkedBuffer } from '../../../../src/wire/bytes/chunked-buffer.js'
import { tabular } from '../../../support/canned-service.js'

/** A service with 200 events, whose rows have no cursors: the status of a response has those of the first and the last row. */
const plain: Connection = {
  name: 'plain',
  async send({ path, body }) {
    const { cursor, includeCursor, defaultLimit } = JSON.parse(String(body))
    const first = cursor === undefined ? 0 : Number(cursor) + (includeCursor ? 0 : 1)
    const end = Math.min(200, first + defaultLimit)
    const rows = Array.from({ length: Math.max(0, end - first) }, (_, at) => `event ${first + at}`)
    const field = { name: 'message', type: 'string', values: JSON.stringify(rows) }
    const status = rows.length > 0 ? { minCursor: `${first}`, maxCursor: `${end - 1}` } : {}
    const response = ChunkedBuffer.of(tabular([field], status))
    return { status: 200, headers: {}, body: response, url: path }
  },
  async close() {},
}

it('finds each match in turn when rows have no cursors', async () => {
  const { find } = openRowSource({ connection: plain, common: {} })
  const query = { source: "['logs']", operators: [], isByTime: true }
  const { signal } = new AbortController()
  const next = (from: string | undefined, nth = 1) =>
    find(query, { operator: 'where true', direction: 'next', from, nth }, signal)
  expect(await next(undefined)).toBe('0')
  expect(await next('0')).toBe('1')
  expect(await next('1')).toBe('2')
  expect(await next('2', 7)).toBe('9')
  expect(await next('9', 190)).toBe('199')
  expect(await next('9', 191)).toBeUndefined()
})
