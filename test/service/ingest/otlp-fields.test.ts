import { describe, expect, it } from 'vitest'
import { attribute, otlpService, TIME } from './otlp-service.js'

const service = otlpService()
const { post, postRecords, rows } = service

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SPAN = 'b7ad6b7169203331'

/** A group with one span or log record that has all members, those of its resource and scope included. */
function whole(name: 'spans' | 'logRecords', record: object): object {
  const dropped = { droppedAttributesCount: 1, attributes: [attribute('k', { stringValue: 'v' })] }
  return {
    resource: dropped,
    schemaUrl: 'https://schema/resource',
    [`scope${name === 'spans' ? 'Spans' : 'Logs'}`]: [
      {
        scope: { name: 'cart', version: '0.1', ...dropped },
        schemaUrl: 'https://schema/scope',
        [name]: [{ traceId: TRACE, spanId: SPAN, flags: 1, ...dropped, ...record }],
      },
    ],
  }
}

const FULL_SPAN = {
  traceState: 'a=1',
  parentSpanId: SPAN,
  name: 'GET /',
  kind: 2,
  startTimeUnixNano: TIME,
  endTimeUnixNano: TIME,
  droppedEventsCount: 1,
  droppedLinksCount: 1,
  events: [{ timeUnixNano: TIME, name: 'e' }],
  links: [{ traceId: TRACE, spanId: SPAN }],
  status: { code: 2, message: 'failed' },
}

const FULL_RECORD = {
  timeUnixNano: TIME,
  observedTimeUnixNano: '1767268801000000001',
  severityNumber: 17,
  severityText: 'ERROR',
  body: { stringValue: 'failed' },
  eventName: 'e',
}

async function postTraces(group: object, dataset: string): Promise<void> {
  const body = JSON.stringify({ resourceSpans: [group] })
  const { status, text } = await post(body, { dataset, path: '/v1/traces' })
  expect(status, text).toBe(200)
}

async function postLogs(group: object, dataset: string): Promise<void> {
  const { status, text } = await post(JSON.stringify({ resourceLogs: [group] }), { dataset })
  expect(status, text).toBe(200)
}

/** The fields of a dataset and their types, without attributes. */
function fieldsOf(dataset: string): Readonly<Record<string, string>> {
  const fields = service.running.store.schema.fields(dataset) ?? []
  return Object.fromEntries(
    fields
      .map(({ name, type }) => [name, type] as const)
      .filter(([name]) => !/(?:^|\.)(?:attributes|custom)\./.test(name)),
  )
}

describe('the fields that OpenTelemetry defines', () => {
  it('exist from the first span on', async () => {
    await postTraces(whole('spans', FULL_SPAN), 'all-spans')
    await postTraces({ scopeSpans: [{ spans: [{ startTimeUnixNano: TIME }] }] }, 'one-span')
    expect(Object.keys(fieldsOf('one-span')).length).toBeGreaterThan(20)
    expect(fieldsOf('one-span')).toEqual(fieldsOf('all-spans'))
  })

  it('exist from the first log record on', async () => {
    await postLogs(whole('logRecords', FULL_RECORD), 'all-records')
    await postLogs({ scopeLogs: [{ logRecords: [{ timeUnixNano: TIME }] }] }, 'one-record')
    expect(Object.keys(fieldsOf('one-record')).length).toBeGreaterThan(15)
    expect(fieldsOf('one-record')).toEqual(fieldsOf('all-records'))
  })

  it('can be asked for before the first failure, and after it', async () => {
    const span = { startTimeUnixNano: TIME, name: 'first' }
    const failures = `['shop'] | where ['status.code'] == "ERROR" or isnotempty(parent_span_id) | project name, ['status.message']`
    await postTraces({ scopeSpans: [{ spans: [span] }] }, 'shop')
    expect(await rows(failures)).toBe('[[],[]]')
    const failed = { ...span, name: 'second', status: { code: 2, message: 'no stock' } }
    await postTraces({ scopeSpans: [{ spans: [span, failed] }] }, 'shop')
    expect(await rows(failures)).toBe('[["second"],["no stock"]]')
  })

  it('are added to a dataset with other events, whose fields stay as they are', async () => {
    const body = '{"_time":"2026-01-01T12:00:00Z","name":7,"trace_id":{"hex":"a"}}\n'
    const headers = { 'content-type': 'application/x-ndjson' }
    await service.send({ path: '/v1/ingest/mixed', headers, body })
    const before = fieldsOf('mixed')
    await postTraces({ scopeSpans: [{ spans: [{ startTimeUnixNano: TIME }] }] }, 'mixed')
    expect(fieldsOf('mixed')).toMatchObject({ ...before, error: 'bool', kind: 'string' })
    expect(fieldsOf('mixed')).not.toHaveProperty('trace_id')
    await postLogs({ scopeLogs: [{ logRecords: [{ severityNumber: 9 }] }] }, 'mixed')
    expect(fieldsOf('mixed')).toMatchObject({ ...before, error: 'bool', severity_number: 'int' })
  })

  it('are not added for a body of fields', async () => {
    const values = [attribute('order', { stringValue: 'a' })]
    const map = [{ body: { kvlistValue: { values } }, timeUnixNano: TIME }]
    await postRecords(map, 'bodies')
    expect(fieldsOf('bodies')).toHaveProperty('body.order')
    expect(fieldsOf('bodies')).not.toHaveProperty('body')
  })
})
