import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { describe, expect, it } from 'vitest'
import { evq } from '../support/evq.js'
import { needs } from '../support/needs.js'
import { temporaryDirectory } from '../support/temporary.js'

const MB = 1_000_000
const scratch = temporaryDirectory()
// Takes many seconds and gigabytes of memory traffic.
const needsTime = needs(process.env.EVQ_LONG, '`EVQ_LONG`, which `npm run test:long` sets')

describe('a long line', needsTime, () => {
  it('is stored up to 60 MB and rejected at 70 MB, and the other lines are stored', async () => {
    const path = join(scratch, 'long.ndjson')
    const lines = createWriteStream(path)
    for (const megabytes of [0, 60, 70, 1]) {
      lines.write(`{"n":${megabytes},"s":"`)
      for (let count = 0; count < megabytes; count++) lines.write('x'.repeat(MB))
      lines.write('"}\n')
    }
    lines.end()
    await finished(lines)
    const directory = join(scratch, 'data')
    const { stderr, status } = await evq(['ingest', 'long', path], { directory })
    expect(stderr).toContain(`${path}:3: it is longer than 64 MiB`)
    expect(stderr).toContain('long: 3 events stored, 1 rejected')
    expect(status).toBe(3)
    const query = "['long'] | summarize longest = max(strlen(s)), n = count()"
    const { stdout } = await evq(['query', query], { directory })
    expect(JSON.parse(stdout)).toEqual({ longest: 60 * MB, n: 3 })
  })
})
