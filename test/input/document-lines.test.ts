import { expect, it } from 'vitest'
import { documentLines } from '../../src/input/document-lines.js'
import { eventsOf } from './log/sample-events.js'
import { bodies, cut, inPieces, unsendable } from './support.js'

const LINES = [
  { level: 'info', msg: 'started' },
  { level: 'error', msg: 'failed "x"' },
].map((line) => JSON.stringify(line))
const ACCESS = '10.0.0.5 - - [20/Nov/2026:10:00:02 +0000] "GET / HTTP/1.1" 200 612 "-" "curl/8.0"'

/** A response of Loki, whose lines are from the latest to the oldest. */
function lokiResponse(values: readonly (readonly unknown[])[]) {
  const result = [
    { stream: { app: 'api', pod: 'api $&' }, values },
    { stream: { app: 'web' }, values: [['1795168802000000000', ACCESS, { trace_id: 'abc' }]] },
  ]
  return { status: 'success', data: { resultType: 'streams', result, stats: { summary: {} } } }
}

const LOKI = lokiResponse([
  ['1795168801000000001', LINES[1]],
  ['1795168800000000000', LINES[0]],
])

/** The fields of a row of CloudWatch Logs Insights. */
function row(fields: Readonly<Record<string, string>>) {
  return Object.entries(fields).map(([field, value]) => ({ field, value }))
}

async function fieldsOf(response: unknown, indent?: number) {
  const events = await eventsOf(Buffer.from(JSON.stringify(response, null, indent)))
  return events.map(({ fields }) => fields)
}

it.each([0, 2])('a response of Loki has its lines, with labels, indented by %d', async (indent) => {
  expect(await fieldsOf(LOKI, indent)).toEqual([
    { _time: '2026-11-20T10:00:00Z', app: 'api', pod: 'api $&', level: 'info', msg: 'started' },
    {
      ...{ _time: '2026-11-20T10:00:01.000000001Z', app: 'api', pod: 'api $&' },
      ...{ level: 'error', msg: 'failed "x"' },
    },
    expect.objectContaining({
      ...{ _time: '2026-11-20T10:00:02Z', app: 'web', trace_id: 'abc' },
      ...{ method: 'GET', path: '/', status: 200 },
    }),
  ])
})

it('a response of CloudWatch Logs Insights has its messages, from the oldest to the latest', async () => {
  const results = [
    row({ '@timestamp': '2026-11-20 10:00:01.123', '@message': 'failed\n', '@ptr': 'CmEK' }),
    row({ '@timestamp': '2026-11-20 10:00:00.123', '@message': 'started\n', '@ptr': 'CmEL' }),
  ]
  const response = { results, statistics: { recordsMatched: 2 }, status: 'Complete' }
  expect(await fieldsOf(response, 4)).toEqual([
    { _time: '2026-11-20T10:00:00.123Z', message: 'started', ptr: 'CmEL' },
    { _time: '2026-11-20T10:00:01.123Z', message: 'failed', ptr: 'CmEK' },
  ])
})

it('rows of CloudWatch Logs Insights without messages are objects', async () => {
  const results = [row({ host: 'a', 'count(*)': '12' }), row({ host: 'b', 'count(*)': '7' })]
  expect(await fieldsOf({ queryLanguage: 'CWLI', results, status: 'Complete' })).toEqual([
    { host: 'a', 'count(*)': '12' },
    { host: 'b', 'count(*)': '7' },
  ])
})

it('a response with other values, and one without its end, remain as they are written', async () => {
  const written = `${JSON.stringify(lokiResponse([['yesterday', 'x']]))}\n`
  for (const text of [written, written.slice(0, -4)]) {
    expect(bodies(await cut(text)).join('')).toBe(text)
  }
})

it('a text of several lines in a response of Loki is an event', async () => {
  const trace = '2026-11-20 10:00:01 ERROR failed\njava.lang.Error: x\n\tat a.B.c(B.java:1)\n'
  const other = '2026-11-20 10:00:00 INFO started\nwith a second line'
  const [started, failed] = await fieldsOf(
    lokiResponse([
      ['1795168801000000000', trace],
      ['1795168800000000000', other],
    ]),
  )
  expect(started).toMatchObject({
    app: 'api',
    level: 'info',
    message: 'started\nwith a second line',
  })
  expect(failed).toMatchObject({
    ...{ app: 'api', level: 'error' },
    message: 'failed\njava.lang.Error: x\n\tat a.B.c(B.java:1)',
  })
})

it('a run that resumes, whose format is known, reads the lines of a response, too', async () => {
  const text = JSON.stringify(LOKI)
  const known = { format: 'text', mapping: {}, layout: { wrapper: 'logcli', rest: {} } } as const
  expect(
    bodies(await cut(text, known))
      .join('')
      .trim()
      .split('\n'),
  ).toHaveLength(3)
  expect(
    bodies(await cut(text, { format: 'text' }))
      .join('')
      .trim()
      .split('\n'),
  ).toHaveLength(1)
})

const OBJECTS = [
  { n: 1, text: '}{ "\\', nested: { a: [{ b: {} }] } },
  { n: 2, text: '\\"}{' },
  { n: 3 },
]

it.each([1, 7, 1000])(
  'objects without white space between them are events, in pieces of %d bytes',
  async (piece) => {
    const text = OBJECTS.map((object) => JSON.stringify(object)).join('')
    const seen = await cut(inPieces(Buffer.from(`${text}\n${text}`), piece))
    expect(unsendable(seen)).toEqual([])
    const lines = bodies(seen).join('').trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual([...OBJECTS, ...OBJECTS])
  },
)

it('objects without white space between them are read in long pieces', async () => {
  const objects = Array.from({ length: 1000 }, (_, n) => `{"n":${n}}`)
  const text = Buffer.from(objects.join(''))
  const source = documentLines(text, inPieces(Buffer.alloc(0), 1))
  const piece = Buffer.alloc(64 * 1024)
  const length = await source?.read(piece)
  expect(piece.toString('utf8', 0, length)).toBe(objects.join('\n'))
})

it('a malformed object does not hide the objects after its line', async () => {
  const text = '{"n":1}{"n":2}\n{"n":"3\n{"n":4}{"n":5}'
  expect(bodies(await cut(text)).join('')).toContain('{"n":4}')
})
