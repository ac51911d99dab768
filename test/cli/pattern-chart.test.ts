import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { evq } from '../support/evq.js'
import { needs } from '../support/needs.js'
import { programIn } from '../support/program-in.js'
import { hasTerminal, startOnTerminal } from '../support/pty.js'
import { temporaryDirectory } from '../support/temporary.js'

const scratch = temporaryDirectory()
const directory = join(scratch, 'data')
const { run } = programIn(directory)
const binary = join(import.meta.dirname, '../../bin/evq.js')
const APL = 'logs | reduce by message with threshold=0.05'
/** Events in each of eleven minutes. */
const OPENED = [1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 8]
const CLOSED = [8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4]
const DRAWN = [
  'count_   share               pattern',
  '    44   0.772  ▂▃▄▅▆▇██▁▁█  open *',
  '    12   0.211  █▁▁▁▁▁▁▁▁▁▅  close *',
  '     1  0.0175  ▁▁▁▁▁█▁▁▁▁▁  *',
]
const NOTE = 'Counts from 2026-01-01T10:00:00Z to 2026-01-01T10:11:00Z, 1m per step.'

beforeAll(async () => {
  let number = 0
  const event = (minute: number, message: string) =>
    JSON.stringify({ _time: `2026-01-01T10:${String(minute).padStart(2, '0')}:00Z`, message })
  const events = [
    ...OPENED.flatMap((count, at) =>
      new Array(count).fill(at).map((m) => event(m, `open ${number++}`)),
    ),
    ...CLOSED.flatMap((count, at) =>
      new Array(count).fill(at).map((m) => event(m, `close ${number++}`)),
    ),
    event(5, 'failed'),
  ]
  await run(['ingest', 'logs', '-q'], events.join('\n'))
})

const inPipe = (args: readonly string[]) => run(['query', ...args])

describe('`-o chart` of patterns', () => {
  it('draws the counts of each pattern over time, also of those below the threshold', async () => {
    const { stdout, stderr, status } = await inPipe([APL, '-o', 'chart'])
    expect(stdout).toBe(`${DRAWN.join('\n')}\n`)
    expect(stderr).toContain(NOTE)
    expect(status).toBe(0)
  })

  it('draws no line for the rest when later steps may have removed some of it', async () => {
    const renamed = `${APL} | top 2 by count_ | extend pattern = iff(pattern == "close *", "*", pattern) | project-away example`
    const { stdout } = await inPipe([renamed, '-o', 'chart'])
    expect(stdout).toBe(
      [
        'count_  share               pattern',
        '    44  0.772  ▂▃▄▅▆▇██▁▁█  open *',
        '    12  0.211               *',
        '',
      ].join('\n'),
    )
  })

  it('draws the patterns of an input, too', async () => {
    const events = [0, 9].map(
      (minute) => `{"_time":"2026-01-01T10:0${minute}:00Z","m":"n ${minute}"}`,
    )
    const stdin = events.join('\n')
    const { stdout } = await evq(['query', 'reduce by m', '-o', 'chart'], { directory, stdin })
    // 540 s in at most 20 steps: 30 s each.
    expect(stdout).toContain(`     2      1  █${'▁'.repeat(17)}█  n *\n`)
  })

  it('draws bars when the rows have no time', async () => {
    const { stdout, stderr } = await inPipe([
      'logs | project message | reduce by message',
      '-o',
      'chart',
    ])
    expect(stdout).toMatch(/^count_\nopen \* +│█+ 44\n/)
    expect(stderr).not.toContain('Counts from')
  })

  it('is a table of the patterns in other formats', async () => {
    const { stdout } = await inPipe([APL, '-o', 'csv'])
    expect(stdout).toBe(
      'pattern,count_,share,example\nopen *,44,0.77193,open 0\nclose *,12,0.210526,close 44\n*,1,0.017544,failed\n',
    )
  })
})

describe('on a terminal', needs(hasTerminal, 'a pseudo-terminal'), () => {
  it.each([
    [60, DRAWN],
    [80, DRAWN],
  ])('fits in %d columns', async (columns, drawn) => {
    const args = ['query', APL, '-o', 'chart', '--since', '2026-01-01', '--no-pager']
    const env = { EVQ_DATA_DIR: directory, XDG_STATE_HOME: scratch, NO_COLOR: '1' }
    const terminal = startOnTerminal([process.execPath, binary, ...args], { columns, env })
    expect((await terminal.ended).status).toBe(0)
    expect(terminal.screen().hasWrapped).toBe(false)
    expect(terminal.screen().lines.slice(0, 4)).toEqual(drawn)
  })

  it('draws shorter steps where there is room', async () => {
    const args = ['query', APL, '-o', 'chart', '--since', '2026-01-01', '--no-pager']
    const env = { EVQ_DATA_DIR: directory, XDG_STATE_HOME: scratch }
    const terminal = startOnTerminal([process.execPath, binary, ...args], { columns: 200, env })
    expect((await terminal.ended).status).toBe(0)
    expect(terminal.raw()).toContain('30s per step')
    expect(terminal.raw()).toContain('▂▁▃▁▄▁▅▁▆▁▇▁█▁█▁▁▁▁▁█')
  })
})
