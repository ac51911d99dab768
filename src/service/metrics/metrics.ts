import type { RequestEvent } from '../request-event.js'
import { Counter, Histogram } from './counter.js'
import type { Family } from './text.js'

/** Something that has a value at every instant. */
export interface Gauge {
  readonly name: string
  readonly help: string
  value(): number
}

const DURATION_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** What the service counts of its own work. */
export class Metrics {
  private readonly gauges: readonly Gauge[]
  private readonly requests = new Counter({
    name: 'evq_http_requests_total',
    help: 'Requests that were answered.',
  })
  private readonly durations = new Histogram({
    name: 'evq_http_request_duration_seconds',
    help: 'Time from the head of a request to its answer.',
    bounds: DURATION_BOUNDS,
  })
  private readonly receivedBytes = new Counter({
    name: 'evq_http_received_bytes_total',
    help: 'Bytes of request bodies, as they came.',
  })
  private readonly sentBytes = new Counter({
    name: 'evq_http_sent_bytes_total',
    help: 'Bytes of the bodies of answers.',
  })
  private readonly events = new Counter({
    name: 'evq_ingested_events_total',
    help: 'Events that were stored.',
  })
  private readonly bytes = new Counter({
    name: 'evq_ingested_bytes_total',
    help: 'Bytes that events came in, uncompressed.',
  })
  private readonly rejected = new Counter({
    name: 'evq_rejected_events_total',
    help: 'Events that could not be stored.',
  })
  private readonly examined = new Counter({
    name: 'evq_query_rows_examined_total',
    help: 'Events that queries looked at.',
  })

  constructor(gauges: readonly Gauge[]) {
    this.gauges = gauges
    for (const counter of [this.events, this.bytes, this.rejected, this.examined]) counter.add(0)
  }

  answered({ method, route = '', status, ms, receivedBytes, sentBytes }: RequestEvent): void {
    this.requests.add(1, { method, route, status: String(status) })
    this.durations.observe(ms / 1000, { method, route })
    this.receivedBytes.add(receivedBytes)
    this.sentBytes.add(sentBytes)
  }

  stored(batch: {
    readonly events: number
    readonly rejected: number
    readonly bytes: number
  }): void {
    this.events.add(batch.events)
    this.rejected.add(batch.rejected)
    this.bytes.add(batch.bytes)
  }

  looked(rows: number): void {
    this.examined.add(rows)
  }

  families(): readonly Family[] {
    const counters = [
      ...[this.requests, this.durations, this.receivedBytes, this.sentBytes],
      ...[this.events, this.bytes, this.rejected, this.examined],
    ]
    const gauges = this.gauges.map((gauge) => ({
      name: gauge.name,
      help: gauge.help,
      type: 'gauge' as const,
      samples: [{ value: gauge.value() }],
    }))
    return [...counters.map((counter) => counter.family()), ...gauges, ...processFamilies()]
  }
}

/** As Prometheus' own libraries name them. */
function processFamilies(): readonly Family[] {
  const { user, system } = process.cpuUsage()
  const cpu = {
    name: 'process_cpu_seconds_total',
    help: 'Time that processors spent on the service.',
    type: 'counter' as const,
    samples: [{ value: (user + system) / 1e6 }],
  }
  const memory = process.memoryUsage()
  const values: readonly [name: string, help: string, value: number][] = [
    [
      'process_resident_memory_bytes',
      'Memory of the service, with that of the engine.',
      memory.rss,
    ],
    ['nodejs_heap_size_used_bytes', 'Memory that JavaScript uses.', memory.heapUsed],
    ['process_start_time_seconds', 'When the service began, since 1970.', STARTED_SECONDS],
  ]
  const gauges = values.map(([name, help, value]) => ({
    name,
    help,
    type: 'gauge' as const,
    samples: [{ value }],
  }))
  return [cpu, ...gauges]
}

const STARTED_SECONDS = performance.timeOrigin / 1000
