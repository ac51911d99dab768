import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../support/temporary.js'

const scratch = temporaryDirectory()
const binary = join(import.meta.dirname, '../../bin/evq.js')
const file = join(scratch, 'a.ndjson')
writeFileSync(file, '{"n":1}\n')

const BY_ENGINE =
  'The current directory has been deleted, and the local engine needs one. Change to another directory.'
const BY_PATH = 'The current directory has been deleted. Change to another directory.'

const COMMANDS = [
  [['dataset', 'list'], BY_ENGINE],
  [['query', '-i', file, 'count'], BY_ENGINE],
  [['ingest', 'logs', file], BY_ENGINE],
  [['dataset', 'list', '--data-dir', 'data'], BY_PATH],
  [['query', '-i', file, 'count', '-O', 'a.csv'], BY_PATH],
] as const

it.each(COMMANDS)(
  'a deleted current directory is the reason when %j fails',
  async (args, message) => {
    const cwd = join(scratch, 'gone')
    mkdirSync(cwd)
    const env = {
      PATH: process.env.PATH,
      EVQ_DATA_DIR: join(scratch, 'data'),
      XDG_STATE_HOME: join(scratch, 'state'),
    }
    const script = 'rmdir ../gone; exec "$@"'
    const words = ['-c', script, 'sh', process.execPath, binary, ...args]
    const ended = promisify(execFile)('/bin/sh', words, { cwd, env })
    await expect(ended).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`evq: ${message}\n`),
    })
  },
)
