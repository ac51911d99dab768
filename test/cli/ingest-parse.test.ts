import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { programIn } from '../support/program-in.js'
import { temporaryDirectory } from '../support/temporary.js'

const scratch = temporaryDirectory()
const env = { XDG_CONFIG_HOME: join(scratch, 'config'), XDG_STATE_HOME: join(scratch, 'state') }
const program = programIn(join(scratch, 'data'), env)
const run = (...args: readonly string[]) => program.run(args)

function file(name: string, text: string): string {
  mkdirSync(scratch, { recursive: true })
  writeFileSync(join(scratch, name), text)
  return join(scratch, name)
}

const PATTERN = '"[" time "] " level " " took:long "ms " message'
const LINES =
  '[2026-02-01 10:00:00.5] WARN 12ms disk é\n[2026-02-01 10:00:01] INFO x1ms ok\n\tat b\nother\n'
const EVENTS = [
  { _time: '2026-02-01T10:00:00.5Z', level: 'warn', took: 12, message: 'disk é' },
  { _time: '2026-02-01T10:00:01Z', level: 'info', took: 'x1', message: 'ok\n\tat b' },
  { message: 'other' },
]

/** The events of a dataset in the order of their messages. */
async function stored(dataset: string) {
  const { stdout } = await run(
    'query',
    `['${dataset}'] | project-away _sysTime | sort by message asc`,
  )
  return stdout
    .trim()
    .split('\n')
    .map((line) => {
      const event = Object.entries(JSON.parse(line)).filter(([, value]) => value !== null)
      return Object.fromEntries(event)
    })
}

/** An event without a time gets that of its arrival. */
const asStored = (events: readonly object[]) =>
  events.map((event) => expect.objectContaining(event))

describe('evq ingest --parse', () => {
  it('stores the fields of lines, and counts lines that do not match', async () => {
    const ingested = await run('ingest', 'parsed', file('a.log', LINES), '--parse', PATTERN)
    expect(ingested.stderr).toContain('parsed: 3 events stored')
    expect(ingested.stderr).toContain('Line 4: it does not match `--parse`: other')
    expect(ingested.stderr).toContain(
      'time 2026-02-01 10:00:00.5 (no zone, UTC assumed), level, took;',
    )
    expect(ingested.status).toBe(0)
    expect(await stored('parsed')).toEqual(asStored(EVENTS))
  })

  it('resumes with the same pattern only', async () => {
    const path = file('b.log', LINES)
    await run('ingest', 'resumed', path, '--parse', PATTERN)
    file('b.log', `${LINES}[2026-02-01 10:00:02] INFO 1ms zz\n`)
    const other = await run('ingest', 'resumed', path, '--parse', 'a " " b')
    expect(other.status).toBe(2)
    expect(other.stderr).toContain(`was sent with \`--parse ${PATTERN}\` before`)
    expect((await run('ingest', 'resumed', path)).status).toBe(2)
    const same = await run('ingest', 'resumed', path, '--parse', PATTERN)
    expect(same.stderr).toContain('resumed: 1 event stored')
    expect(await stored('resumed')).toEqual(
      asStored([
        ...EVENTS,
        { _time: '2026-02-01T10:00:02Z', level: 'info', took: 1, message: 'zz' },
      ]),
    )
  })

  it('marks the position of an error, and reads lines only', async () => {
    const bad = await run('ingest', 'x', '-', '--parse', '(?<a>[z')
    expect(bad.status).toBe(2)
    expect(bad.stderr).toContain('1 | (?<a>[z\n  |      ^\n')
    const csv = await run('ingest', 'x', '-', '--parse', 'a', '-i', 'csv')
    expect(csv.stderr).toBe(
      "evq: `--parse` reads lines of text, so it can't be used with `-i csv`.\n",
    )
  })
})

describe('a saved format', () => {
  it('is used by its name, and detected without one', async () => {
    expect((await run('format', 'add', 'app', '--parse', PATTERN)).status).toBe(0)
    const named = await run('ingest', 'named', file('c.log', LINES), '-i', 'app')
    expect(named.stderr).toContain('it does not match `app`: other')
    expect(await stored('named')).toEqual(asStored(EVENTS))
    const lines = LINES.replace('other\n', '')
    const detected = await run('ingest', 'detected', file('d.log', lines))
    expect(detected.stderr).toContain('as `app`; `-i` sets another format.')
    expect(await stored('detected')).toEqual(asStored(EVENTS.slice(0, 2)))
    const again = await run('ingest', 'named', join(scratch, 'c.log'), '-i', 'text')
    expect(again.stderr).toContain('was sent as `app` before, not as `-i text`')
    const unknown = await run('ingest', 'named', join(scratch, 'c.log'), '-i', 'ap')
    expect(unknown.stderr).toContain('`--input-format` does not accept `ap`.')
    const tested = await run('format', 'test', 'app', join(scratch, 'c.log'))
    expect(JSON.parse(tested.stdout.split('\n')[0]!)).toMatchObject({ events: 3, matching: 2 })
  })
})
