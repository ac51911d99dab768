import type { Gate } from '../gate.js'
import type { Turns } from '../turns.js'
import type { Gauge } from './metrics.js'

/** What the service has in hand at an instant. */
export function gauges({
  turns,
  gate,
}: {
  readonly turns: Turns
  readonly gate: Gate
}): readonly Gauge[] {
  return [
    {
      name: 'evq_queries_running',
      help: 'Queries that run.',
      value: () => turns.running,
    },
    {
      name: 'evq_queries_waiting',
      help: 'Queries that wait for others to end.',
      value: () => turns.waiting,
    },
    {
      name: 'evq_ingest_requests_waiting',
      help: 'Requests whose events are not stored yet.',
      value: () => gate.requests,
    },
    {
      name: 'evq_ingest_bytes_waiting',
      help: 'Bytes that those requests bring, as far as it is known.',
      value: () => gate.bytes,
    },
  ]
}
