import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../support/temporary.js'

const binary = join(import.meta.dirname, '../../bin/evq.js')

it('standard output may be the null device', () => {
  const scratch = temporaryDirectory()
  const env = {
    PATH: process.env.PATH,
    EVQ_DATA_DIR: join(scratch, 'data'),
    XDG_STATE_HOME: scratch,
  }
  // The engine writes what it has not written yet when the process ends.
  const { status, stderr } = spawnSync(process.execPath, [binary, 'query', '-q', 'print n = 1'], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  expect([status, stderr]).toEqual([0, ''])
})
