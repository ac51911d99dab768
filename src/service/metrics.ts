import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Replication, ServerState } from '../engine/replication.js'
import type { FairQueue } from './fair-queue.js'
import type { AdmissionControl } from './ingest/admission.js'
import type { RequestEvent } from './observers.js'

/** The buckets of request durations, in seconds. */
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const STARTED_SECONDS = performance.timeOrigin / 1000

/** The counters by their use, each with its name, its description and its labels. */
const COUNTERS = {
  requests: ['evq_http_requests_total', 'HTTP requests handled.', 'method', 'route', 'status'],
  receivedBytes: [
    'evq_http_received_bytes_total',
    'Bytes of request bodies received, before decompression.',
  ],
  sentBytes: ['evq_http_sent_bytes_total', 'Bytes of response bodies sent.'],
  examined: ['evq_query_rows_examined_total', 'Events examined by queries.'],
  events: ['evq_ingested_events_total', 'Events stored.', 'protocol'],
  bytes: ['evq_ingested_bytes_total', 'Bytes of ingested events, uncompressed.', 'protocol'],
  rejected: ['evq_rejected_events_total', 'Events rejected.', 'protocol'],
  // Only of protocols without responses.
  dropped: ['evq_dropped_messages_total', 'Messages received but not stored.', 'protocol'],
  truncated: [
    'evq_truncated_messages_total',
    'Messages stored without their end, because they were too long or their connection ended.',
    'protocol',
  ],
  unparsed: [
    'evq_unparsed_messages_total',
    'Messages stored whole, because they do not follow the format.',
    'protocol',
  ],
} as const

const SERVER_GAUGES = [
  {
    name: 'evq_clickhouse_server_up',
    help: 'Whether the ClickHouse server responds (1) or not (0).',
    value: ({ isUp }: ServerState) => Number(isUp),
  },
  {
    name: 'evq_clickhouse_server_used',
    help: 'Whether the service uses the ClickHouse server (1) or not (0): it is not used while it is unavailable or lacks tables.',
    value: ({ isUsed }: ServerState) => Number(isUsed),
  },
  {
    name: 'evq_clickhouse_server_lag_seconds',
    help: 'Age of the oldest change that the ClickHouse server lacks, in seconds; missing when it is unknown.',
    value: ({ lagSeconds }: ServerState) => lagSeconds,
  },
]

type IngestCounter = 'events' | 'bytes' | 'rejected' | 'dropped' | 'truncated' | 'unparsed'

type IngestCounts = { readonly [Counter in IngestCounter]?: number }

/** The metrics of one service. Each service has its own registry, so that two in one process do not share counts. */
export class Metrics {
  private readonly registry = new Registry()
  private readonly counters = this.allCounters()
  private readonly durations = new Histogram({
    name: 'evq_http_request_duration_seconds',
    help: 'Time from the head of a request to its response, in seconds.',
    labelNames: ['method', 'route'],
    buckets: DURATION_BUCKETS,
    registers: [this.registry],
  })

  constructor(options: {
    readonly queries: FairQueue
    readonly admission: AdmissionControl
    /** The ingest protocols of the service; their counters are initialized to 0. */
    readonly protocols: readonly string[]
    /** Returns the number of datasets with damaged files. Damaged metadata counts as one dataset. */
    damaged(): number
    /** Returns the state of the replicas; undefined for an engine without replicas. */
    replication?(): Replication
  }) {
    const { queries, admission, protocols, damaged } = options
    for (const protocol of protocols) this.ingested(protocol, { events: 0, rejected: 0, bytes: 0 })
    this.gauge(
      'evq_damaged_datasets',
      'Datasets whose results are incomplete because stored files are damaged; damaged metadata counts as one.',
      damaged,
    )
    this.gauge('evq_queries_running', 'Queries running.', () => queries.running)
    this.gauge('evq_queries_waiting', 'Queries waiting to run.', () => queries.waiting)
    this.gauge(
      'evq_ingest_requests_waiting',
      'Ingest requests whose events are not stored yet.',
      () => admission.requests,
    )
    this.gauge(
      'evq_ingest_bytes_waiting',
      'Bytes of ingest requests whose events are not stored yet, as far as known.',
      () => admission.bytes,
    )
    this.processMetrics()
    if (options.replication) this.replicationMetrics(options.replication)
  }

  handled({ method, route = '', status, ms, receivedBytes, sentBytes }: RequestEvent): void {
    this.counters.requests.inc({ method, route, status })
    this.durations.observe({ method, route }, ms / 1000)
    this.counters.receivedBytes.inc(receivedBytes)
    this.counters.sentBytes.inc(sentBytes)
  }

  /** Adds to the counters of a protocol. Adding 0 initializes a counter. */
  ingested(protocol: string, counts: IngestCounts): void {
    for (const [counter, count] of Object.entries(counts)) {
      this.counters[counter as IngestCounter].inc({ protocol }, count)
    }
  }

  looked(rows: number): void {
    this.counters.examined.inc(rows)
  }

  /** Returns all metrics in the Prometheus text format. */
  async text(): Promise<{ readonly contentType: string; readonly text: string }> {
    return { contentType: this.registry.contentType, text: await this.registry.metrics() }
  }

  private replicationMetrics(replication: () => Replication): void {
    for (const { name, help, value } of SERVER_GAUGES) {
      new Gauge({
        name,
        help,
        labelNames: ['server', 'shard'],
        registers: [this.registry],
        collect() {
          this.reset()
          for (const server of replication().servers) {
            const found = value(server)
            if (found !== undefined) this.set({ server: server.url, shard: server.shard }, found)
          }
        },
      })
    }
    this.total(
      'evq_single_copy_inserts_total',
      'Inserts of which a single copy was stored because only one replica of the shard could store events.',
      () => replication().singleCopyInserts,
    )
  }

  /** Adds process metrics under the names of the Prometheus client libraries, whose full set has metrics that are useless here. */
  private processMetrics(): void {
    this.total('process_cpu_seconds_total', 'CPU time used by the service, in seconds.', () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    })
    this.gauge(
      'process_resident_memory_bytes',
      'Resident memory of the service, including the engine.',
      () => process.memoryUsage.rss(),
    )
    this.gauge(
      'nodejs_heap_size_used_bytes',
      'Memory used by the JavaScript heap.',
      () => process.memoryUsage().heapUsed,
    )
    this.gauge(
      'process_start_time_seconds',
      'Start time of the service, in seconds since 1970.',
      () => STARTED_SECONDS,
    )
  }

  private allCounters() {
    const registers = [this.registry]
    const all = Object.entries(COUNTERS).map(([counter, [name, help, ...labelNames]]) => [
      counter,
      new Counter({ name, help, labelNames, registers }),
    ])
    return Object.fromEntries(all) as Readonly<Record<keyof typeof COUNTERS, Counter>>
  }

  /** Adds a counter whose value is known elsewhere. */
  private total(name: string, help: string, value: () => number): void {
    new Counter({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.reset()
        this.inc(value())
      },
    })
  }

  private gauge(name: string, help: string, value: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(value())
      },
    })
  }
}
