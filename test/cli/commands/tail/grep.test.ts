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
const EVENTS = [
  { n: 1, message: 'Disk full', host: 'web-1' },
  { n: 2, message: 'disk ok', host: 'db-7' },
  { n: 3, message: 'a 50% *share*', host: 'web-2', tags: ['Full', 'x'] },
  { n: 4, message: 'nothing', host: 'web-3', status: 507 },
].map((event) => JSON.stringify({ _time: `2020-01-01T00:00:0${event.n}Z`, ...event }))

beforeAll(async () => {
  await ingest(EVENTS.join('\n'))
})

async function ingest(stdin: string): Promise<void> {
  expect(await run(['ingest', 'logs'], stdin)).toMatchObject({ status: 0 })
}

function tail(...args: string[]) {
  const tail = start(['tail', '--interval', '50ms', '--since', '2020-01-01', ...args], {
    directory,
  })
  onTestFinished(async () => void (await tail.kill()))
  return tail
}

/** The numbers of the printed events once an event with the text `last` has arrived after them. */
async function numbersOf(last: string, ...args: string[]) {
  const { out } = tail(...args)
  await ingest(JSON.stringify({ n: 9, message: last }))
  await out.until(/"n":9.*\n/)
  return [...new Set(Array.from(out.text().matchAll(/"n":(\d)/g), ([, n]) => Number(n)))]
}

describe('tail --grep', () => {
  it.each([
    ['disk', [1, 2, 9]],
    ['Disk', [1, 9]],
    ['FULL', [9]],
    ['Full', [3, 9]],
    ['full', [1, 3, 9]],
    ['b-1', [1, 9]],
    ['507', [4, 9]],
    ['50% *share', [3, 9]],
    ['"quoted\\', [9]],
  ])('prints only events with the text in any field, as they arrive: %s', async (text, numbers) => {
    expect(await numbersOf(`-${text}-`, 'logs', '--grep', text)).toEqual(numbers)
  })

  it('does not look into times that are not printed', async () => {
    const { out } = tail('logs | where n == 1 or n == 4 | project n, status', '--grep', '0')
    // Every time of the events has a 0, but only one status.
    await out.until(/\n/)
    expect(out.text()).toBe('{"n":4,"status":507}\n')
  })

  it('is applied to the rows of a query', async () => {
    const apl = "['logs'] | where n != 1 and n != 3"
    expect(await numbersOf('disk', apl, '--grep', 'disk')).toEqual([2, 9])
  })

  it('prints columns that the query selects, although it follows events by others', async () => {
    const { out } = tail("['logs'] | where n < 3 | project message", '-n', '1')
    await out.until(/\n/)
    expect(out.text()).toBe('{"message":"disk ok"}\n')
  })

  it('reports problems where they are in the query as it was written', async () => {
    const apl = "['logs'] | project message, hosst"
    const { stderr, status } = await run(['tail', apl])
    expect(status).toBe(2)
    expect(stderr).toContain(`1 | ${apl}\n  |${' '.repeat(1 + apl.indexOf('hosst'))}^^^^^`)
  })
})

describe('tail --grep on a terminal', needs(hasTerminal, 'a pseudo-terminal'), () => {
  const inverse = (text: string) => `\u001b[7m${text}\u001b[27m`

  async function onTerminal(
    columns: number,
    env: Readonly<Record<string, string>>,
    ...more: string[]
  ) {
    const args = ['tail', 'logs | where n < 3', '-n', '5', '--grep', 'DISK'.toLowerCase(), ...more]
    const terminal = startOnTerminal([process.execPath, binary, ...args], {
      columns,
      env: { EVQ_DATA_DIR: directory, ...env },
    })
    await terminal.until(/isk\S* ok/)
    terminal.type('\x03')
    await terminal.ended
    return terminal.raw()
  }

  it.each([60, 80, 200])('marks each match in %i columns', async (columns) => {
    const raw = await onTerminal(columns, {})
    expect(raw).toContain(`${inverse('Disk')} full`)
    expect(raw).toContain(`${inverse('disk')} ok`)
  })

  it('marks matches in records', async () => {
    expect(await onTerminal(80, {}, '-o', 'record')).toContain(`${inverse('Disk')} full`)
  })

  it('marks nothing with NO_COLOR', async () => {
    expect(await onTerminal(80, { NO_COLOR: '1' })).not.toContain('\u001b[7m')
  })
})
