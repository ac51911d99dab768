import { describe, expect, it } from 'vitest'
import { FORMATS } from '../../../src/input/format.js'
import { cut, inPieces, type Seen } from '../support.js'

const body = (text: string) => ({ stringValue: text })

/** A line of the Collector's file exporter with a log record for each text. */
const logs = (...texts: readonly string[]) =>
  `${JSON.stringify({
    resourceLogs: [
      {
        resource: { attributes: [{ key: 'host.name', value: body('web-1') }] },
        scopeLogs: [
          {
            scope: {},
            logRecords: texts.map((text, i) => ({
              timeUnixNano: `176726880000000000${i}`,
              body: body(text),
            })),
          },
        ],
      },
    ],
  })}\n`

const SPAN =
  '{"resourceSpans":[{"resource":{},"scopeSpans":[{"scope":{},"spans":[{"traceId":"","name":"get","startTimeUnixNano":"1767268800000000000","endTimeUnixNano":"1767268800000000007"}]}]}]}\n'

const event = (text: string, i: number) =>
  `{"_time":176726880000000000${i},"body":"${text}","resource.host.name":"web-1"}\n`

async function seen(input: Parameters<typeof cut>[0], options = {}): Promise<readonly Seen[]> {
  return (await cut(input, options)).map((item) => {
    if (item.kind !== 'batch') throw new Error(item.reason)
    return item
  })
}

describe('a file of the OpenTelemetry Collector', () => {
  it('has an event for each record of its lines, and fields as through the service', async () => {
    const [batch, ...others] = await seen(logs('one', 'two') + SPAN + logs() + logs('three'))
    expect(others).toEqual([])
    expect(batch).toMatchObject({
      format: 'otlp-json',
      contentType: 'application/x-ndjson',
      events: 4,
      lines: 4,
      body: [
        event('one', 0),
        event('two', 1),
        '{"name":"get","_time":1767268800000000000,"duration":7,"error":false}\n',
        event('three', 0),
      ].join(''),
    })
    expect(batch?.sources?.map(({ line, offset }) => [line, offset])).toEqual([
      [1, 0],
      [1, 0],
      [2, logs('one', 'two').length],
      [4, (logs('one', 'two') + SPAN + logs()).length],
    ])
  })

  it('is recognized by its beginning, which may arrive in pieces', async () => {
    const [batch] = await seen(inPieces(Buffer.from(logs('one')), 3))
    expect(batch).toMatchObject({ format: 'otlp-json', events: 1 })
    expect(FORMATS).toContain('otlp-json')
    const [other] = await seen('{"resource":1}\n')
    expect(other?.format).toBeUndefined()
  })

  it('has lines that are no requests, which become messages', async () => {
    const metrics = '{"resourceMetrics":[{}]}\n'
    const wrong = logs('x').replace('"1767268800000000000"', '"soon"')
    const [batch] = await seen(logs('one') + metrics + wrong + logs('two'))
    expect(batch).toMatchObject({
      events: 4,
      unmatched: {
        events: 2,
        first: { line: 2, reason: 'metrics are not stored', text: metrics.trimEnd() },
      },
    })
    const messages = (batch?.body.match(/^\{"message":.*$/gm) ?? []).map((line) => JSON.parse(line))
    expect(messages).toEqual([{ message: metrics.trimEnd() }, { message: wrong.trimEnd() }])
    const [first] = await seen('text\n', { format: 'otlp-json' })
    expect(first?.unmatched?.first.reason).toBe(
      'neither `resourceLogs` nor `resourceSpans` is its first member',
    )
  })
})
