import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { main } from '../../src/main.js'
import { start } from '../support/evq.js'
import { evqInProcess } from '../support/evq-in-process.js'
import { fakeIo } from '../support/fake-io.js'
import { temporaryDirectory } from '../support/temporary.js'
import { until } from '../support/until.js'

const scratch = temporaryDirectory()
const directory = join(scratch, 'absent')
const run = (args: readonly string[], stdin: string) =>
  evqInProcess(['query', ...args], { directory, stdin })

describe('filters and projections', () => {
  it('print each event as it arrives', async () => {
    const { stdin, out, ended } = start(['query', 'where status >= 500 | project path, retry'], {
      directory,
    })
    stdin.write('{"status":500,"path":"/a"}\n{"status":200,"path":"/b"}\n')
    await until(() => out.text() === '{"path":"/a","retry":null}\n', 'the first event')
    // A field that no event had before.
    stdin.write('{"status":503,"path":"/c","retry":true}\n')
    await until(() => out.text().endsWith('{"path":"/c","retry":true}\n'), 'the second event')
    stdin.end('{"status":200,"path":"/d"}\n')
    const { status, stderr, stdout } = await ended
    expect([status, stdout.split('\n').length]).toEqual([0, 3])
    expect(stderr).toContain('2 rows, 4 events examined')
  })

  it('print each event behind many that were there at once', async () => {
    const { stdin, out, ended } = start(['query', 'where n >= 2998'], { directory })
    stdin.write(Array.from({ length: 3_000 }, (_, n) => `{"n":${n}}\n`).join(''))
    await until(() => out.text().endsWith('"n":2999}\n'), 'the first events')
    // A field that no event had before, and then a value of another type.
    stdin.write('{"n":3000,"tags":["a"]}\n')
    await until(() => out.text().includes('"n":3000,"tags":["a"]}\n'), 'an event with an array')
    stdin.write('{"n":3001.5}\n')
    await until(() => out.text().includes('"n":3001.5'), 'an event with a fraction')
    stdin.end('{"n":5}\n{"n":\n')
    const { status, stderr, stdout } = await ended
    expect([status, stdout.split('\n').length]).toEqual([3, 5])
    expect(stderr).toContain('4 rows, 3,003 events examined')
    expect(stderr).toContain('standard input:3004: not JSON')
  })

  it('have no default limit, and an order', async () => {
    const lines = Array.from({ length: 120_000 }, (_, n) => `{"n":${n}}\n`).join('')
    const { stdout, status } = await run(
      ['where n % 2 == 0 | extend m = n * 10 | project m'],
      lines,
    )
    const expected = Array.from({ length: 60_000 }, (_, i) => `{"m":${i * 20}}\n`).join('')
    expect(stdout === expected).toBe(true)
    expect(status).toBe(0)
  })

  it('end at their limit, also while the input is open', async () => {
    const { stdin, ended } = start(['query', 'take 3 | project n'], { directory })
    stdin.write('{"n":1}\n{"n":2}\n')
    stdin.write('{"n":3}\n{"n":4}\n')
    expect((await ended).stdout).toBe('{"n":1}\n{"n":2}\n{"n":3}\n')
    const other = start(['query', 'project n', '-n', '1'], { directory })
    other.stdin.write('{"n":1}\n{"n":2}\n')
    expect((await other.ended).stdout).toBe('{"n":1}\n')
  })

  it('report a field that no event had, at the end', async () => {
    const { status, stderr, stdout } = await run(['where statsu >= 500'], '{"status":500}\n')
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toContain('1 | where statsu >= 500\n  |       ^^^^^^ close to `status`')
    const extended = await run(['extend s = statsu | project s'], '{"status":500}\n')
    expect([extended.status, extended.stdout]).toEqual([2, '{"s":null}\n'])
  })

  it('print nothing for no events', async () => {
    expect(await run(['where statsu >= 500'], '')).toMatchObject({ status: 0, stdout: '' })
    const heading = await run(['project a, b', '-o', 'csv'], '')
    expect(heading).toMatchObject({ status: 0, stdout: 'a,b\n' })
  })

  it('count what they can not read', async () => {
    const { status, stderr, stdout } = await run(
      ['where n > 0'],
      '{"n":1,"_time":0}\n{x\n{"n":0}\n',
    )
    expect([status, stdout]).toEqual([3, '{"_time":"1970-01-01T00:00:00Z","n":1}\n'])
    expect(stderr).toContain('standard input:2: ')
    expect(stderr).toContain('1 of 3 events could not be read and is missing from the result.')
  })

  it('name the first event whose time is not a time', async () => {
    const times = Array.from({ length: 98 }, (_, n) =>
      new Date(1_777_600_000_000 + n).toISOString(),
    )
    const events = [...times, 'N/A', 'N/A'].map((time, n) => `${JSON.stringify({ time, n })}\n`)
    const input = join(scratch, 'times.ndjson')
    writeFileSync(input, events.join(''))
    const counted =
      'summarize n = count() by isEarly = _time < datetime(2026-05-02) | sort by n desc'
    const queries = [
      [['-i', input, counted]],
      [['-i', input, 'where n > 97 | project n']],
      [['where n > 97 | project n'], events.join('')],
    ] as const
    for (const [args, stdin] of queries) {
      const { status, stderr } = await run(args, stdin ?? '')
      expect(status).toBe(0)
      expect(stderr).toContain(
        ':99: `time` is not a time. 2 such events get the time of arrival.\n',
      )
    }
  })

  it('write files, CSV and JSON too', async () => {
    const out = join(scratch, 'out.csv')
    const input = join(scratch, 'in.ndjson')
    writeFileSync(input, '{"n":1}\n{"n":2,"m":"x"}\n')
    const { status } = await run(['-i', input, 'project-away _time', '-O', out], '')
    expect(status).toBe(0)
    expect(
      (await evqInProcess(['query', `file('${out}') | project n, m`], { directory })).stdout,
    ).toBe('{"n":1,"m":null}\n{"n":2,"m":"x"}\n')
    const json = await run(['-i', input, 'project n', '-o', 'json'], '')
    expect(JSON.parse(json.stdout)).toEqual([{ n: 1 }, { n: 2 }])
  })

  it('print a line per event of a pipe on a terminal, and a table of a file', async () => {
    const input = join(scratch, 'shown.ndjson')
    writeFileSync(input, '{"level":"warn","message":"disk","n":1}\n')
    const shown = async (args: readonly string[], stdin?: string) => {
      const io = fakeIo({
        isTerminal: true,
        env: { NO_COLOR: '1' },
        ...(stdin !== undefined && { stdin }),
      })
      expect(await main(['query', ...args], io)).toBe(0)
      return io.out()
    }
    expect(
      await shown(['project level, message, n'], '{"level":"warn","message":"disk","n":1}\n'),
    ).toBe('warn  disk n=1\n')
    const table = await shown(['-i', input, 'project level, n', '--no-pager'])
    expect(table.split('\n')[3]).toBe('│ warn  │ 1 │')
  })
})
