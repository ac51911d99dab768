import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { PromptQueries } from '../../../../../src/cli/commands/query/prompt/queries.js'
import type { Connection } from '../../../../../src/client/connection.js'
import { ChunkedBuffer } from '../../../../../src/wire/bytes/chunked-buffer.js'
import { tabular } from '../../../../support/canned-service.js'
import { silentContext } from '../../../../support/fake-io.js'

const connection: Connection = {
  name: 'test',
  send: async () => ({
    status: 200,
    headers: {},
    body: ChunkedBuffer.of(Buffer.from(tabular([{ name: 'n', type: 'integer', values: '[1]' }]))),
    url: 'http://test',
  }),
  close: async () => {},
}

it('the time of a response does not include the time in which its rows are printed', async () => {
  const context = silentContext()
  let respondedAt: number | undefined
  const stdout = Object.assign(new PassThrough(), { isTTY: false })
  const queries = new PromptQueries(
    { connection, isLocal: false },
    { since: '1d' },
    { ...context, io: { ...context.io, stdout } },
  )
  stdout.once('data', () => {
    respondedAt = queries.respondedAt
  })
  await queries.run("['logs']")
  expect(respondedAt).toEqual(expect.any(Number))
  expect(queries.respondedAt).toBe(respondedAt)
})
