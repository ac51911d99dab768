import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { roughService } from '../../support/rough-service.js'
import { temporaryDirectory } from '../../support/temporary.js'

const scratch = temporaryDirectory()
const evq = join(import.meta.dirname, '../../../bin/evq.js')

describe('a file opened as /dev/stdout', () => {
  it('keeps the output of other writers', async () => {
    const { url } = await roughService({ isBad: (event) => event.includes('bad') })
    const events = join(scratch, 'events.ndjson')
    const file = join(scratch, 'out')
    writeFileSync(events, '{"n":1}\n{bad\n')
    const ingest = `"${process.execPath}" "${evq}" ingest logs -q --no-checkpoint "${events}"`
    const script = `{ echo before; ${ingest} --rejects /dev/stdout --receipt /dev/fd/1; echo after; } > "${file}"`
    await promisify(execFile)('sh', ['-c', script], {
      env: { PATH: process.env.PATH, HOME: scratch, EVQ_URL: url },
    })
    const lines = readFileSync(file, 'utf8').split('\n')
    expect(lines[0]).toBe('before')
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ line: 2, event: '{bad' })
    expect(lines.slice(-2)).toEqual(['after', ''])
    expect(JSON.parse(lines.slice(2, -2).join('\n'))).toMatchObject({ dataset: 'logs' })
  })
})
