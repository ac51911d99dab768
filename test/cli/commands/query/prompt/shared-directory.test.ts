import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lock, lockPath } from '../../../../../src/local/file-lock.js'
import { evq, start } from '../../../../support/evq.js'
import { needs } from '../../../../support/needs.js'
import { hasTerminal, startOnTerminal } from '../../../../support/pty.js'
import { temporaryDirectory } from '../../../../support/temporary.js'
import { until } from '../../../../support/until.js'

const binary = join(import.meta.dirname, '../../../../../bin/evq.js')
const scratch = temporaryDirectory()

describe('an open prompt', needs(hasTerminal, 'a pseudo-terminal'), () => {
  it('leaves the data directory to `evq serve`, whose socket it uses then', async () => {
    const directory = join(scratch, 'data')
    mkdirSync(directory)
    await evq(['ingest', 'logs', '-q'], { directory, stdin: '{"n":1}\n{"n":2}\n' })
    const env = { EVQ_DATA_DIR: directory, XDG_STATE_HOME: scratch, NO_COLOR: '1', PAGER: '' }
    const terminal = startOnTerminal([process.execPath, binary, 'query'], { env })
    await terminal.until(/evq> /)
    terminal.type("['logs'] | count;\r")
    await terminal.until(/│ +2 │[\s\S]*1 row/)

    // The prompt opens it again for each query, and closes it a second later; the service waits for it for five seconds.
    await until(async () => {
      const held = await lock(lockPath(directory))
      held?.release()
      return held !== undefined
    }, 'the prompt has left the directory')
    const service = start(['serve', '--listen', '127.0.0.1:0', '-v'], {
      directory,
    })
    await until(() => service.err.text().includes('http://127.0.0.1:'), service.err.text)
    terminal.type("['logs'] | summarize total = sum(n);\r")
    await terminal.until(/│ +3 │/)
    await service.err.until(/\/v1\/datasets\/_apl/)

    // The prompt opens the directory itself again once the service has ended.
    await service.kill()
    terminal.type("['logs'] | summarize top = max(n) + 5;\r")
    await terminal.until(/│ +7 │/)
    terminal.type('\\q\r')
    expect((await terminal.ended).status).toBe(0)
  })
})
