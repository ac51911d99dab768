import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { needsLinux } from '../support/needs.js'
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

it('a file that takes only the beginning of the output is an error', needsLinux, () => {
  const scratch = temporaryDirectory()
  const env = { PATH: process.env.PATH, XDG_STATE_HOME: scratch }
  const output = openSync(join(scratch, 'output'), 'w')
  const limited = ['-c', 'ulimit -f 4 && exec "$0" "$@"', process.execPath]
  const { status, stderr } = spawnSync('sh', [...limited, binary, 'help', 'functions'], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', output, 'pipe'],
  })
  closeSync(output)
  expect([status, stderr]).toEqual([1, expect.stringContaining('file too large')])
})
