import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { needs } from '../support/needs.js'
import { programIn } from '../support/program-in.js'
import { hasTerminal, startOnTerminal } from '../support/pty.js'
import { temporaryDirectory } from '../support/temporary.js'

const scratch = temporaryDirectory()
const directory = join(scratch, 'data')
const { run } = programIn(directory)
const COUNT = 25

beforeAll(async () => {
  const events = Array.from({ length: COUNT }, (_, n) =>
    // Three events of each second have the same message, too.
    JSON.stringify({
      _time: `2020-01-01T00:00:${String(Math.floor(n / 3)).padStart(2, '0')}Z`,
      n,
      message: `m${n % 2}`,
    }),
  )
  await run(['ingest', 'logs', '-q'], events.join('\n'))
})

const page = (...args: string[]) => run(['page', ...args])

describe('page of a query without `_time`', () => {
  it.each([
    ['--by', 'time'],
    ['--by', 'cursor'],
    ['--by', 'time', '--direction', 'asc'],
  ])('exports every row once: %s %s %s', async (...flags) => {
    const apl = "['logs'] | project message, n"
    const { status, stdout } = await page(apl, '--page-size', '4', ...flags)
    expect(status).toBe(0)
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(rows.map(({ n }) => n).sort((a, b) => a - b)).toEqual(
      Array.from({ length: COUNT }, (_, n) => n),
    )
    expect(rows[0]).toEqual({ message: expect.any(String), n: expect.any(Number) })
  })

  it('writes only the selected columns in every format', async () => {
    const apl = "['logs'] | where n < 2 | project-keep mess*, n | project n"
    expect((await page(apl, '-o', 'csv', '--direction', 'asc')).stdout).toBe('n\n0\n1\n')
    expect((await page(apl, '-o', 'json', '--direction', 'asc')).stdout).toBe(
      '[\n{"n":0},\n{"n":1}\n]\n',
    )
    expect((await page(apl, '-o', 'csv', '-z', '+01:00')).stdout).toBe('n\n1\n0\n')
    expect((await page(apl, '-o', 'csv', '--columns', 'n', '--no-header')).stdout).toBe('1\n0\n')
  })

  it('names the query as written in the manifest and in problems', async () => {
    const manifest = join(scratch, 'manifest.json')
    await page("['logs'] | project n", '--manifest', manifest)
    expect(JSON.parse(readFileSync(manifest, 'utf8')).query).toBe("['logs'] | project n")
    const apl = "['logs'] | project message | project n1 = n + 1"
    const { status, stderr } = await page(apl)
    expect(status).toBe(2)
    expect(stderr).toContain(`1 | ${apl}\n  |${' '.repeat(1 + apl.indexOf('n + 1'))}^ `)
  })

  it('says that paging needs `_time` when it was renamed', async () => {
    const { status, stderr } = await page("['logs'] | project-rename t = _time", '--by', 'time')
    expect(status).toBe(2)
    expect(stderr).toContain('Paging needs the `_time` of rows')
  })

  it.each([
    [60, ['-o', 'table']],
    [80, []],
    [200, ['-O', '-']],
  ])(
    'shows them on a terminal of %i columns, with %j',
    needs(hasTerminal, 'a pseudo-terminal'),
    async (columns, flags) => {
      const binary = join(import.meta.dirname, '../../bin/evq.js')
      const apl = "['logs'] | where n == 3 | project n, message"
      const terminal = startOnTerminal([process.execPath, binary, 'page', apl, ...flags], {
        columns,
        env: { EVQ_DATA_DIR: directory, XDG_STATE_HOME: scratch, NO_COLOR: '1' },
      })
      await terminal.ended
      expect(terminal.screen().text()).toContain('│ n │ message │')
    },
  )
})
