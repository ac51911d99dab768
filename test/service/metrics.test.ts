import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FairQueue } from '../../src/service/fair-queue.js'
import { AdmissionControl } from '../../src/service/ingest/admission.js'
import { DEFAULT_LIMITS } from '../../src/service/limits.js'
import { Metrics } from '../../src/service/metrics.js'
import { type Running, run } from './running.js'

interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

interface Parsed {
  readonly type: string
  readonly help: string
  readonly samples: readonly Sample[]
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*'

/** Parses the Prometheus text format strictly by its specification. */
function parseMetrics(text: string): ReadonlyMap<string, Parsed> {
  if (!text.endsWith('\n')) throw new Error('the last line does not end')
  const families = new Map<string, { type: string; help: string; samples: Sample[] }>()
  let current = ''
  for (const line of text.slice(0, -1).split('\n')) {
    // The specification ignores empty lines.
    if (line === '') continue
    const help = line.match(`^# HELP (${NAME}) (.+)$`)
    const type = line.match(`^# TYPE (${NAME}) (counter|gauge|histogram)$`)
    if (help !== null) {
      current = help[1]!
      if (families.has(current)) throw new Error(`${current} comes twice`)
      families.set(current, { type: '', help: help[2]!, samples: [] })
    } else if (type !== null) {
      if (type[1] !== current) throw new Error(`a type of ${type[1]} below ${current}`)
      families.get(current)!.type = type[2]!
    } else {
      const family = families.get(current)
      const sample = parseSample(line)
      const suffix = family?.type === 'histogram' ? '(_bucket|_sum|_count)' : ''
      if (!sample.name.match(`^${current}${suffix}$`)) {
        throw new Error(`${line} below ${current}`)
      }
      family?.samples.push(sample)
    }
  }
  return families
}

function parseSample(line: string): Sample {
  const match = line.match(`^(${NAME})(?:\\{(.*)\\})? (\\S+)$`)
  if (match === null) throw new Error(`not a sample: ${line}`)
  const [, name = '', pairs = '', value = ''] = match
  if (!/^(-?\d+(\.\d+)?(e[+-]?\d+)?|\+Inf|-Inf|NaN)$/.test(value)) throw new Error(line)
  return { name, labels: parseLabels(pairs), value: Number(value.replace('Inf', 'Infinity')) }
}

function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {}
  let rest = text
  while (rest !== '') {
    const match = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/.exec(rest)
    if (match === null || match[1]! in labels) throw new Error(`not labels: ${text}`)
    const plain = (_: string, character: string) => (character === 'n' ? '\n' : character)
    labels[match[1]!] = match[2]!.replace(/\\(.)/g, plain)
    rest = rest.slice(match[0].length)
  }
  return labels
}

describe('the text format of metrics', () => {
  const request = { id: '1', method: 'GET', status: 200, receivedBytes: 0, sentBytes: 0 }
  const caller = undefined

  function newMetrics(): Metrics {
    const queries = new FairQueue({ running: 1, waiting: 1 })
    return new Metrics({
      queries,
      admission: new AdmissionControl(DEFAULT_LIMITS),
      protocols: ['native'],
      damaged: () => 0,
    })
  }

  it('escapes any value of a label', async () => {
    const metrics = newMetrics()
    const route = 'a"b\\c\nd,e="f"}{ ü\\n'
    metrics.handled({ ...request, route, caller, ms: 1 })
    metrics.handled({ ...request, route, caller, ms: 1 })
    const parsed = parseMetrics((await metrics.text()).text)
    expect(parsed.get('evq_http_requests_total')).toEqual({
      type: 'counter',
      help: 'HTTP requests handled.',
      samples: [
        {
          name: 'evq_http_requests_total',
          labels: { method: 'GET', route, status: '200' },
          value: 2,
        },
      ],
    })
  })

  it('has cumulative histogram buckets', async () => {
    const metrics = newMetrics()
    for (const ms of [5, 6, 100_000]) metrics.handled({ ...request, route: '/', caller, ms })
    const name = 'evq_http_request_duration_seconds'
    const { samples } = parseMetrics((await metrics.text()).text).get(name)!
    const below = (le: string) => samples.find(({ labels }) => labels.le === le)?.value
    expect(['0.005', '0.01', '60', '+Inf'].map(below)).toEqual([1, 2, 2, 3])
    expect(samples.filter(({ labels }) => labels.le === undefined)).toEqual([
      { name: `${name}_sum`, labels: { method: 'GET', route: '/' }, value: 100.011 },
      { name: `${name}_count`, labels: { method: 'GET', route: '/' }, value: 3 },
    ])
  })

  it('counts for one service only', async () => {
    const [one, other] = [newMetrics(), newMetrics()]
    one.ingested('native', { events: 3, rejected: 0, bytes: 30 })
    const parsed = parseMetrics((await other.text()).text)
    expect(parsed.get('evq_ingested_events_total')?.samples.map(({ value }) => value)).toEqual([0])
  })
})

describe('GET /metrics', () => {
  let service: Running
  beforeAll(async () => {
    service = await run({ token: 'xapt-right' })
  })
  afterAll(() => service.close())

  async function scraped(): Promise<ReadonlyMap<string, Parsed>> {
    const { status, headers, text } = await service.send({ method: 'GET', path: '/metrics' })
    expect([status, headers['content-type']]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ])
    return parseMetrics(text)
  }

  it('counts requests, events, bytes and rows', async () => {
    const body = '{"a":1}\n{"a":2}\nnot json\n'
    const headers = { 'content-type': 'application/x-ndjson' }
    await service.send({ path: '/v1/ingest/logs', headers, body })
    const apl = JSON.stringify({ apl: 'logs | where a > 1' })
    await service.send({ path: '/v1/datasets/_apl?format=tabular', body: apl })
    await service.send({ path: '/nowhere"\\', trusted: false })
    const found = await scraped()
    // Those of other protocols are 0.
    const samples = (name: string) =>
      found
        .get(name)
        ?.samples.filter(({ labels, value }) => value > 0 || labels.protocol === undefined)
    const total = (name: string) => samples(name)?.map(({ value }) => value)
    expect(samples('evq_ingested_events_total')).toEqual([
      { name: 'evq_ingested_events_total', labels: { protocol: 'native' }, value: 2 },
    ])
    expect(total('evq_rejected_events_total')).toEqual([1])
    expect(total('evq_ingested_bytes_total')).toEqual([body.length])
    expect(total('evq_query_rows_examined_total')).toEqual([2])
    expect(total('evq_http_received_bytes_total')).toEqual([body.length + apl.length])
    expect(total('evq_queries_running')).toEqual([0])
    expect(total('evq_queries_waiting')).toEqual([0])
    const requests = found.get('evq_http_requests_total')?.samples.map(({ labels }) => labels)
    expect(requests).toEqual([
      { method: 'POST', route: '/v1/ingest/:dataset', status: '200' },
      { method: 'POST', route: '/v1/datasets/_apl', status: '200' },
      { method: 'POST', route: '', status: '403' },
    ])
    const durations = found.get('evq_http_request_duration_seconds')!.samples
    expect(durations.filter(({ name }) => name.endsWith('_count'))).toHaveLength(3)
    expect(total('process_resident_memory_bytes')?.[0]).toBeGreaterThan(1e7)
    expect(total('process_start_time_seconds')?.[0]).toBeGreaterThan(1.7e9)
  })

  it('names all metrics consistently, and describes them', async () => {
    for (const [name, { type, help }] of await scraped()) {
      expect(name).toMatch(type === 'counter' ? /_total$/ : /(?<!_total)$/)
      expect(help).toMatch(/^[A-Z].*\.$/)
    }
  })

  it('requires a token from other machines', async () => {
    const asked = { method: 'GET', path: '/metrics', trusted: false }
    expect((await service.send(asked)).status).toBe(403)
    const headers = { authorization: 'Bearer xapt-right' }
    expect((await service.send({ ...asked, headers })).status).toBe(200)
  })
})
