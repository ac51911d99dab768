// Names and values come from programs that ingest events or answer requests. They must not control a terminal.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { main } from '../../../src/main.js'
import { FORMAT_NAMES } from '../../../src/render/format.js'
import { inTurn, json, type Reply, scriptedService } from '../../client/scripted-service.js'
import { tabular } from '../../support/canned-service.js'
import { fakeIo } from '../../support/fake-io.js'
import { temporaryDirectory } from '../../support/temporary.js'

const scratch = temporaryDirectory()

/** Sets the title, writes the clipboard, clears the screen, colors as this program does, reverses text, overwrites the line. */
const HOSTILE =
  'a\u001b]0;title\u0007b\u001b]52;c;QQ==\u001b\\c\u001b[2Jd\u001b[31me\u001b[1mf\u009b31mg\u009d0;h\u009ci\u202ej\u2066k\u2028l\rm\bn\u007fo'
const cell = JSON.stringify(HOSTILE)

const CONTROL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what controls a terminal.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the colors of this program.
const COLOR = /\u001b\[[\d;]+m/g

const ROWS = JSON.parse(
  tabular(
    [
      {
        name: '_time',
        type: 'datetime',
        values: '["2026-01-01T00:01:00Z","2026-01-01T00:00:00Z"]',
      },
      { name: HOSTILE, type: 'string', values: `[${cell},${cell}]` },
      { name: `${HOSTILE}2`, type: `integer${HOSTILE}`, values: '[1,2]' },
      { name: 'level', type: 'string', values: `[${cell},"error"]` },
      { name: 'message', type: 'string', values: `[${cell},${cell}]` },
    ],
    { messages: [{ priority: 'warn', code: HOSTILE, count: 1, msg: HOSTILE }] },
  ),
)
const TABLES = {
  ...ROWS,
  tables: [
    { ...ROWS.tables[0], name: HOSTILE, groups: [{ name: HOSTILE }] },
    { ...ROWS.tables[0], name: `${HOSTILE}2` },
  ],
}
/** Names and numbers, for pictures. */
const BARS = {
  ...ROWS,
  tables: [
    {
      ...ROWS.tables[0],
      groups: [{ name: HOSTILE }],
      fields: [ROWS.tables[0].fields[1], { ...ROWS.tables[0].fields[2], agg: { name: 'count' } }],
      columns: ROWS.tables[0].columns.slice(1, 3),
    },
  ],
}
const SAVED = {
  ...{ id: HOSTILE, dataset: HOSTILE, kind: 'apl', metadata: { [HOSTILE]: HOSTILE } },
  ...{ name: HOSTILE, query: { apl: `['logs'] | where a == ${cell}` }, who: HOSTILE },
}
const STATS = {
  ...{ name: HOSTILE, numEvents: 1, numFields: 1, compressedBytes: 1, minTime: HOSTILE },
  ...{ maxTime: HOSTILE, created: HOSTILE, retention: HOSTILE },
}

/** A deployment whose every name, value and message is hostile. */
const everything: Reply = (response, request) => {
  const path = new URL(request.url, 'http://localhost').pathname
  const body = (): object => {
    if (path.endsWith('_stats')) return [STATS]
    if (path.endsWith('/info')) return { ...STATS, fields: [{ name: HOSTILE, type: HOSTILE }] }
    if (path.endsWith('/v1/datasets')) return [{ name: HOSTILE, id: HOSTILE }]
    if (path.endsWith('/apl-starred-queries')) return request.method === 'GET' ? [SAVED] : SAVED
    if (path.includes('/apl-starred-queries/')) return SAVED
    if (path.includes('/ingest')) {
      const failures = [{ timestamp: HOSTILE, error: HOSTILE }]
      return { ingested: 1, failed: 1, failures, processedBytes: 1, blocksCreated: 0, walLength: 0 }
    }
    if (request.body.toString().includes('bars')) return BARS
    return request.body.toString().includes('two tables') ? TABLES : ROWS
  }
  json(body(), 200, { 'x-axiom-trace-id': 'trace' })(response, request)
}

const PROBLEM = { code: HOSTILE, message: HOSTILE, span: { start: 0, end: 3 }, label: HOSTILE }
const failing = (status: number) =>
  json({ code: HOSTILE, message: HOSTILE, problems: [{ ...PROBLEM, help: HOSTILE }] }, status)

const FILE = join(scratch, `events-${HOSTILE.replaceAll('\u001b\\', '\u001b')}.ndjson`)
const EVENTS = `{"_time":"2026-01-01T00:00:00Z",${cell}:${cell}}\n{${cell}:1,"level":${cell}}\n`
writeFileSync(FILE, EVENTS)
writeFileSync(join(scratch, 'bad.ndjson'), `{${cell}:1}\n{${cell}\n`)

interface Run {
  readonly args: readonly string[]
  readonly reply?: Reply
}

const APL = `['logs'] | where m == ${cell}`
const run = (args: readonly string[], reply: Reply = everything): Run => ({ args, reply })
const RUNS: readonly Run[] = [
  ...FORMAT_NAMES.flatMap((format) => [
    run(['query', `${APL} // as bars`, '-o', format]),
    ...(format === 'svg' || format === 'html'
      ? []
      : [run(['query', `${APL} // two tables`, '-o', format])]),
  ]),
  ...['table', 'record', 'ndjson', 'json', 'csv', 'tsv', 'markdown'].map((format) =>
    run(['page', APL, '-o', format]),
  ),
  run(['query', APL, '-o', 'raw']),
  run(['query', APL, '--no-pager']),
  run(['query', APL, '--columns', 'none']),
  run(['query', APL, '--columns', HOSTILE, '-o', 'csv']),
  run(['query', APL, '--explain']),
  run(['query', `${APL} | wher`, '--check']),
  run(['query', APL, '-v']),
  run(['query', APL, '-vv']),
  run(['query', '-i', FILE, 'take 5', '-o', 'markdown']),
  run(['query', '-i', join(scratch, HOSTILE.replaceAll('\u001b\\', '')), 'take 5']),
  run(['diff', 'logs | summarize as_bars = count() by k', '--since', '1h', '--against', '1d']),
  run(['dataset', 'list']),
  run(['dataset', 'list', '-o', 'markdown']),
  run(['dataset', 'show', 'logs']),
  run(['dataset', 'show', 'logs', '-o', 'markdown']),
  run(['dataset', 'sample', 'logs']),
  run(['tail', 'logs', '-n', '2'], inTurn(everything, json({ message: HOSTILE }, 403))),
  run(
    ['tail', 'logs', '-n', '2', '-o', 'record'],
    inTurn(everything, json({ message: HOSTILE }, 403)),
  ),
  run(
    ['tail', 'logs', '-n', '2', '-o', 'ndjson', '-C', '1'],
    inTurn(everything, json({ message: HOSTILE }, 403)),
  ),
  run(['starred', 'list']),
  run(['starred', 'list', '-o', 'markdown']),
  run(['starred', 'get', 'x']),
  run(['starred', 'run', 'x']),
  run(['starred', 'update', 'x', '--name', `other ${HOSTILE}`]),
  run(['starred', 'create', '--name', HOSTILE, '--apl', APL]),
  run(['ingest', 'logs', FILE, '--check']),
  run(['ingest', 'logs', FILE, '--dry-run']),
  run(['ingest', 'logs', FILE, '--no-checkpoint']),
  run(['ingest', 'logs', FILE, '--no-checkpoint', '--timestamp-field', HOSTILE]),
  run(['ingest', 'logs', join(scratch, 'bad.ndjson'), '--no-checkpoint']),
  run(['format', 'add', HOSTILE, '--parse', HOSTILE]),
  ...[400, 403, 404].flatMap((status) => [
    run(['query', APL], failing(status)),
    run(['query', APL, '--json-errors'], failing(status)),
    run(['starred', 'get', 'x', '--json-errors'], failing(status)),
    run(['dataset', 'show', 'logs'], failing(status)),
    run(['ingest', 'logs', FILE, '--no-checkpoint'], failing(status)),
  ]),
  run([HOSTILE]),
  run(['query', `--${HOSTILE}`]),
  run(['query', APL, '--since', HOSTILE]),
  run(['help', HOSTILE]),
  run(['completion', HOSTILE]),
]

/** Runs a command on a terminal, in which pagers write too. */
async function onTerminal({ args, reply = everything }: Run, color: 'always' | 'never') {
  const { url } = await scriptedService(reply)
  const env = {
    ...{ EVQ_URL: url, EVQ_TOKEN: 'xaat-1', XDG_CONFIG_HOME: scratch },
    ...{ PAGER: 'pager', EVQ_DATA_DIR: join(scratch, 'data') },
  }
  const io = fakeIo({ isTerminal: true, columns: 400, env, now: Date.UTC(2026, 0, 1, 1) })
  const paged: Buffer[] = []
  const input = new Writable({
    write(chunk: Buffer, _encoding, done) {
      paged.push(chunk)
      done()
    },
  })
  Object.assign(io.stdout, { rows: 3 })
  const openPager = async () => ({ input, ended: Promise.resolve(0) })
  const status = await main([...args, `--color=${color}`], { ...io, openPager })
  return { status, shown: `${io.out()}${Buffer.concat(paged)}${io.err()}` }
}

describe('hostile text on a terminal', () => {
  it.each(
    RUNS.map((one) => ({
      ...one,
      name: JSON.stringify(one.args.join(' ').replaceAll(HOSTILE, 'X'))
        .replaceAll(HOSTILE.slice(0, 9), '')
        .slice(0, 120),
    })),
  )('is escaped: $name', async (one) => {
    const { shown } = await onTerminal(one, 'never')
    expect(CONTROL.exec(shown)?.[0], JSON.stringify(shown)).toBeUndefined()
    expect(shown).toMatch(/\\u001b|\\u202e/)
    // A color among the data would be missing here.
    const colored = await onTerminal(one, 'always')
    expect(withoutVarying(colored.shown.replace(COLOR, ''))).toBe(withoutVarying(shown))
  })

  it('stays exact in a pipe', async () => {
    const { url } = await scriptedService(everything)
    for (const [format, line] of [
      ['ndjson', JSON.stringify(HOSTILE)],
      ['csv', `"${HOSTILE}"`],
      ['tsv', HOSTILE.replaceAll('\\', '\\\\').replaceAll('\r', '\\r')],
    ] as const) {
      const io = fakeIo({ env: { EVQ_URL: url } })
      expect(await main(['query', APL, '-o', format, '--color=always'], io)).toBe(0)
      expect(io.out()).toContain(line)
    }
  })
})

/** Removes what differs from run to run. */
function withoutVarying(text: string): string {
  return text
    .replace(/\d+(?:\.\d+)? (?:ms|s)\b/g, 'TIME')
    .replace(/\([\d,]+\/s\)/g, '(RATE)')
    .replace(/127\.0\.0\.1:\d+/g, 'HOST')
    .replace(/^#\d+ (?:< date:.*)?/gm, '#')
}
