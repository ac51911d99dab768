import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { evq } from '../support/evq.js'
import { needsLinux } from '../support/needs.js'
import { temporaryDirectory } from '../support/temporary.js'

const binary = join(import.meta.dirname, '../../bin/evq.js')
const scratch = temporaryDirectory()
const directory = join(scratch, 'data')
const small = join(scratch, 'small.ndjson')

beforeAll(async () => {
  await evq(['ingest', 'logs'], { directory, stdin: '{"n":1}\n' })
})

/** Runs a query under a limit of the shell. */
function limited(limit: string, query: readonly string[] = ['logs | count']) {
  return limitedCommand(limit, ['query', ...query])
}

function limitedCommand(limit: string, words: readonly string[]) {
  const command = `ulimit ${limit} && exec "$0" "$@"`
  const args = ['-c', command, process.execPath, binary, ...words]
  const env = { PATH: process.env.PATH, EVQ_DATA_DIR: directory, XDG_STATE_HOME: scratch }
  const { status, stdout, stderr } = spawnSync('sh', args, { env, encoding: 'utf8' })
  return { status, stdout, stderr }
}

describe('a limit that is too low for the engine', needsLinux, () => {
  it.each([
    ['-n 64', 'at least 128 open files, but the limit is 64 (`ulimit -n`). Raise it'],
    ['-v 1800000', 'virtual memory, but the limit is 1800000 KiB (`ulimit -v`). Remove it'],
    ['-v 2000000', 'virtual memory, but the limit is 2000000 KiB (`ulimit -v`). Remove it'],
    ['-v 3000000', 'virtual memory, but the limit is 3000000 KiB (`ulimit -v`). Remove it'],
  ])('is named with the remedy: ulimit %s', (limit, message) => {
    const { status, stdout, stderr } = limited(limit)
    expect([status, stdout, stderr]).toEqual([1, '', expect.stringContaining(message)])
    expect(stderr).not.toMatch(/corrupted|not installed|bug/)
  })

  it.each([
    ['datasets', ['logs | count']],
    ['files', ['-i', small, 'count']],
  ])('is named with the remedy, unless it is enough for this version of Node: %s', (_, query) => {
    writeFileSync(small, '{"n":1}\n')
    const { status, stdout, stderr } = limited('-v 6000000', query)
    if (status === 0) return expect(stdout).toBe('{"Count":1}\n')
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toContain('the limit is 6000000 KiB (`ulimit -v`). Remove it')
    expect(stderr).not.toMatch(/\n +at |corrupted|not installed|bug/)
  })

  it.each([
    ['storing', 'sort by s desc | take 1'],
    ['scanning', 'count'],
  ])('is named when it is exceeded by %s files', (_, apl) => {
    const file = join(scratch, 'large.ndjson')
    const events = Array.from({ length: 3_000 }, (_, n) => `{"n":${n},"s":"${n * n}"}\n`)
    writeFileSync(file, events.join(''))
    const { status, stdout, stderr } = limited('-f 20', ['-i', file, apl])
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(
      /file too large\. The limit on the size of a file is 10 KiB \(`ulimit -f`\)/,
    )
    expect(stderr).toContain('Remove it with `ulimit -f unlimited`.')
    expect(stderr).not.toMatch(/Internal error|bug/)
  })

  it('is named when the definition of a dataset exceeds it, which is not stored in part', async () => {
    writeFileSync(small, '{"n":1}\n')
    const { status, stderr } = limitedCommand('-f 2', ['ingest', 'limited', small])
    expect([status, stderr]).toEqual([1, expect.stringContaining('file too large')])
    expect(limited('-f unlimited', ['limited | count']).stderr).toContain('no dataset `limited`')
    await evq(['ingest', 'limited', small], { directory })
    expect(limited('-f unlimited', ['limited | count']).stdout).toBe('{"Count":1}\n')
  })

  it('does not keep the engine from working when it is high enough', () => {
    expect(limited('-n 128')).toMatchObject({ status: 0, stdout: '{"Count":1}\n' })
  })
})
