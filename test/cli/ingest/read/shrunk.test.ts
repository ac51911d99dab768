import { truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { evq } from '../../../support/evq.js'
import { temporaryDirectory } from '../../../support/temporary.js'

const directory = temporaryDirectory()
const file = join(directory, 'app.ndjson')
const LINE = `{"s":"${'x'.repeat(990)}"}\n`

/** A service that truncates the file, in the middle of a line, before its first response. */
let isTruncated = false
const server = createServer((request, response) => {
  let events = 0
  request.on('data', (piece: Buffer) => {
    for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) events += 1
  })
  request.on('end', () => {
    if (!isTruncated) truncateSync(file, 5_000 * LINE.length + 20)
    isTruncated = true
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ ingested: events, failed: 0, failures: [] }))
  })
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => server.close())

it('a file that becomes shorter while it is read is not reported as invalid JSON', async () => {
  writeFileSync(file, LINE.repeat(20_000))
  const { port } = server.address() as AddressInfo
  const limits = ['--batch-bytes', '100kB', '--concurrency', '1', '--compress', 'none']
  const { status, stderr } = await evq(['ingest', 'logs', file, ...limits], {
    directory,
    env: { EVQ_URL: `http://127.0.0.1:${port}` },
  })
  expect(stderr).toContain(`\`${file}\` shrank while it was read: its last events are missing.`)
  expect(stderr).not.toMatch(/JSON/)
  expect(status).not.toBe(0)
})
