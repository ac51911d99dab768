import { describe, expect, it } from 'vitest'
import { main } from '../../src/main.js'
import { type FakeIoOptions, fakeIo } from '../support/fake-io.js'
import { temporaryDirectory } from '../support/temporary.js'

const directory = temporaryDirectory()
const EVENTS = '{"_time":"2026-01-01T00:00:00Z","status":200,"ms":1.5,"m":1}\n{"m":"one"}\n'

/** An address where no service listens. */
const NOWHERE = { EVQ_URL: 'http://127.0.0.1:1' }

async function run(args: readonly string[], options: FakeIoOptions = {}) {
  const io = fakeIo({ ...options, env: { EVQ_DATA_DIR: directory, ...options.env } })
  const exitCode = await main(args, io)
  return { exitCode, out: io.out(), err: io.err() }
}

describe('--check', () => {
  it('prints the columns of the result', async () => {
    await run(['ingest', 'logs'], { stdin: EVENTS })
    const apl = 'logs | summarize n = count(), avg(ms), max(m) by bin(_time, 1h), status'
    expect(await run(['query', '--check', apl])).toEqual({
      exitCode: 0,
      out: [
        '{"name":"_time","type":"datetime"}',
        '{"name":"status","type":"integer"}',
        '{"name":"n","type":"integer"}',
        '{"name":"avg_ms","type":"float"}',
        '{"name":"max_m","type":"dynamic"}',
        '',
      ].join('\n'),
      err: '',
    })
  })

  it('prints the columns in any format', async () => {
    const { out } = await run(['query', '--check', 'logs | project status', '-o', 'csv'])
    expect(out).toBe('name,type\nstatus,integer\n')
  })

  it('shows the problems and exits with 2', async () => {
    const { exitCode, out, err } = await run(['query', '--check', 'logs | where statsu > 1'])
    expect([exitCode, out]).toEqual([2, ''])
    expect(err).toContain(
      '1 | logs | where statsu > 1\n  |              ^^^^^^ close to `status`\n',
    )
  })

  it('does not check names of a remote deployment', async () => {
    const right = await run(['query', '--check', 'there | where a.b > 1'], { env: NOWHERE })
    expect(right).toEqual({
      exitCode: 0,
      out: '',
      err: 'syntax OK; datasets and fields can only be checked by the deployment\n',
    })
    const apl = 'there | where a.b > | summarize coutn() by c'
    const wrong = await run(['query', '--check', apl], { env: NOWHERE })
    expect([wrong.exitCode, wrong.out]).toEqual([2, ''])
    expect(wrong.err.match(/error\[[\w-]+\]/g)).toEqual([
      'error[syntax]',
      'error[unknown-aggregate]',
    ])
  })
})

describe('--explain', () => {
  it('prints the query with one operator per line and its SQL', async () => {
    const { exitCode, out } = await run(['query', '--explain', 'logs|where status>1|count'])
    expect(exitCode).toBe(0)
    expect(out).toMatch(/^\["logs"\]\n\| where status > 1\n\| count\n\nSELECT \w+\nFROM\n/)
  })

  it('escapes control characters in field names', async () => {
    await run(['ingest', 'odd'], { stdin: '{"a\\u001b[2Jb":1}\n' })
    const { out } = await run(['query', '--explain', 'odd'], { isTerminal: true })
    expect(out).toContain('\\u001b[2Jb')
    expect(out).not.toContain('\u001b')
  })

  it('prints only the query for a remote deployment', async () => {
    const { exitCode, out } = await run(['query', '--explain', 'there|take 5'], { env: NOWHERE })
    expect([exitCode, out]).toEqual([0, '["there"]\n| limit 5\n'])
  })
})
