import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { start } from '../../../support/evq.js'
import { needs } from '../../../support/needs.js'
import { programIn } from '../../../support/program-in.js'
import { hasTerminal, startOnTerminal } from '../../../support/pty.js'
import { temporaryDirectory } from '../../../support/temporary.js'

const directory = temporaryDirectory()
const { run } = programIn(directory)
const binary = join(import.meta.dirname, '../../../../bin/evq.js')

/** Stores events in one request, all at the same time: `5a` is an event 5 of the host `a`; `!` marks an error. */
async function arrive(dataset: string, text: string): Promise<void> {
  const events = text.split(' ').map((word) => ({
    n: Number.parseInt(word, 10),
    host: word.replace(/[\d!]/g, ''),
    level: word.endsWith('!') ? 'Error' : 'info',
  }))
  const stdin = events.map((event) => JSON.stringify(event)).join('\n')
  expect(await run(['ingest', dataset, '-q'], stdin)).toMatchObject({
    status: 0,
  })
}

function tail(...args: string[]) {
  const tail = start(['tail', '--interval', '50ms', ...args], { directory })
  onTestFinished(async () => void (await tail.kill()))
  return tail
}

/** The printed rows as `n` or `>n`. */
function shown(text: string): string {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { n: number; _match: boolean })
    .map(({ n, _match }) => `${_match ? '>' : ''}${n}`)
    .join(' ')
}

describe('tail -A, -B and -C', () => {
  it('shows the events around matches as they arrive', async () => {
    await arrive('one', '1 2 3! 4')
    const { out } = tail("['one'] | where level == 'Error'", '-C', '1', '--since', '1h')
    await out.until(/"n":4.*\n/)
    await arrive('one', '5 6 7! 8 9')
    await out.until(/"n":8.*\n/)
    await arrive('one', '10 11!')
    await out.until(/"n":11.*\n/)
    expect(shown(out.text())).toBe('2 >3 4 6 >7 8 10 >11')
    expect(out.text()).not.toContain('--')
  })

  it('shows the event that follows a match in a later batch', async () => {
    await arrive('later', '1 2')
    const { out } = tail("['later'] | where level == 'Error'", '-A', '2', '-n', '5')
    await arrive('later', '3!')
    await out.until(/"n":3.*\n/)
    await arrive('later', '4')
    await out.until(/"n":4.*\n/)
    await arrive('later', '5 6')
    await out.until(/"n":5.*\n/)
    await arrive('later', '7!')
    await out.until(/"n":7.*\n/)
    expect(shown(out.text())).toBe('>3 4 5 >7')
  })

  it('works with --grep, columns and the source of `--context-by`', async () => {
    await arrive('many', '1a 2b 3a! 4b 5a 6a')
    const flags = ['--grep', 'error', '-C', '1', '--context-by', 'host', '--since', '1h']
    const { out } = tail("['many'] | project n, level", ...flags)
    await out.until(/"n":5.*\n/)
    expect(out.text()).toBe(
      [
        '{"n":1,"level":"info","_match":false}',
        '{"n":3,"level":"Error","_match":true}',
        '{"n":5,"level":"info","_match":false}',
        '',
      ].join('\n'),
    )
  })

  it.each(['true', 'null', '1', 'false'])(
    'finds only texts of events, not marks of its own: %s',
    async (text) => {
      const dataset = `marks-${text}`
      const stdin = `{"s":"x"}\n{"s":"-${text}-"}\n{"s":"y"}`
      await run(['ingest', dataset, '-q'], stdin)
      const apl = `['${dataset}'] | where isnotempty(s) | project s`
      const { out } = tail(apl, '--grep', text, '-B', '1', '--since', '1h')
      await out.until(/"_match":true}\n/)
      expect(out.text()).toBe(`{"s":"x","_match":false}\n{"s":"-${text}-","_match":true}\n`)
    },
  )

  it('rejects queries that combine events, and reports problems in the query as written', async () => {
    const combined = await run(['tail', "['one'] | summarize count()", '-C', '1'])
    expect(combined).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('are not events of one dataset'),
    })
    const apl = "['one'] | where nn == 1 | project n"
    const { status, stderr } = await run(['tail', apl, '-C', '1'])
    expect(status).toBe(2)
    expect(stderr).toContain(`1 | ${apl}\n  |${' '.repeat(1 + apl.indexOf('nn'))}^^`)
  })
})

describe('tail -C on a terminal', needs(hasTerminal, 'a pseudo-terminal'), () => {
  beforeAll(() => arrive('screen', '1 2! 3 4 5 6!'))

  async function onTerminal(columns: number, ...more: string[]) {
    const args = ['tail', 'screen | project level, n', '--grep', 'Error', '-C', '1', '-n', '9']
    const terminal = startOnTerminal([process.execPath, binary, ...args, ...more], {
      columns,
      env: { EVQ_DATA_DIR: directory, NO_COLOR: '1' },
    })
    await terminal.until(more.includes('record') ? /n\s+6\r?\n/ : /n=6/)
    terminal.type('\x03')
    await terminal.ended
    return terminal.screen().lines.filter((line) => line !== '' && !line.startsWith('^C'))
  }

  it.each([60, 80, 200])('marks matches and separates groups in %i columns', async (columns) => {
    expect(await onTerminal(columns)).toEqual([
      '  info  n=1',
      '> Error n=2',
      '  info  n=3',
      '--',
      '  info  n=5',
      '> Error n=6',
    ])
  })

  it('marks records', async () => {
    const lines = await onTerminal(80, '-o', 'record')
    expect(lines.filter((line) => /^_match +>$/.test(line))).toHaveLength(2)
    expect(lines.filter((line) => line === '--')).toHaveLength(1)
  })
})
