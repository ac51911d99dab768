import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { evq } from '../../../support/evq.js'
import { evqInProcess } from '../../../support/evq-in-process.js'
import { temporaryDirectory } from '../../../support/temporary.js'

const directory = temporaryDirectory()
const TRACE = [
  '2026-02-03 04:05:06,007 ERROR [worker-1] com.example.App - Failed',
  'java.lang.IllegalStateException: boom',
  '\tat com.example.App.run(App.java:12)',
]

async function messages(dataset: string): Promise<readonly string[]> {
  const query = `['${dataset}'] | sort by _time asc, message asc | project message`
  const { stdout } = await evqInProcess(['query', query, '-o', 'ndjson'], { directory })
  const lines = stdout.split('\n').filter((line) => line !== '')
  return lines.map((line) => (JSON.parse(line) as { message: string }).message)
}

describe('evq ingest', () => {
  it('stores a stack trace with its event and resumes after it', async () => {
    const file = join(directory, 'app.log')
    writeFileSync(file, `${TRACE.join('\n')}\n`)
    expect(await evqInProcess(['ingest', 'app', file], { directory })).toMatchObject({ status: 0 })
    writeFileSync(file, TRACE.join('\n').replace(':06', ':07').concat('\n'), { flag: 'a' })
    expect(await evqInProcess(['ingest', 'app', file], { directory })).toMatchObject({ status: 0 })
    const message = ['Failed', ...TRACE.slice(1)].join('\n')
    expect(await messages('app')).toEqual([message, message])
  })

  it('takes linear time for an expression that backtracks, as --parse does', async () => {
    const stdin = `${'x'.repeat(1000)}\nxxy first\n${'x'.repeat(1000)}\n`
    const args = ['ingest', 'hostile', '-i', 'text', '--multiline', '^(x+x+)+y']
    // In a process of its own, which can be killed while it matches.
    const { status, stderr } = await evq(args, { directory: join(directory, 'own'), stdin })
    expect([status, stderr]).toEqual([0, expect.stringContaining('2 events stored')])
  })

  it('stores each line with --multiline off, and begins events where an expression matches', async () => {
    const stdin = 'BEGIN é 1\na\nb\nBEGIN é 2\n  c\n'
    await evqInProcess(['ingest', 'lines', '--multiline', 'off'], { directory, stdin })
    expect((await messages('lines')).length).toBe(5)
    await evqInProcess(['ingest', 'blocks', '--multiline', '^BEGIN é \\d'], { directory, stdin })
    expect(await messages('blocks')).toEqual(['BEGIN é 1\na\nb', 'BEGIN é 2\n  c'])
    const invalid = await evqInProcess(['ingest', 'lines', '--multiline', '(a'], {
      directory,
      stdin,
    })
    expect(invalid).toMatchObject({ status: 2 })
    expect(invalid.stderr).toContain('`--multiline` takes `auto`, `off` or a regular expression')
  })

  it('sends a rejected event of several lines again as one', async () => {
    const rejects = join(directory, 'rejects.ndjson')
    const event = JSON.stringify({ message: 'one\n two' })
    writeFileSync(rejects, `${JSON.stringify({ file: 'a', offset: 0, reason: 'old', event })}\n`)
    expect(
      await evqInProcess(['ingest', 'again', '--retry', rejects], { directory }),
    ).toMatchObject({
      status: 0,
    })
    expect(await messages('again')).toEqual(['one\n two'])
    expect(readFileSync(rejects, 'utf8')).toBe('')
  })
})
