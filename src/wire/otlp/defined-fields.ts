import { type Leaf, readLeaves } from '../json/json-line.js'
import type { Signal } from './decode.js'

// Default values, such as the status of a span that did not fail, are not part of an event. Nevertheless, datasets have all fields
// that OpenTelemetry defines from their first log record or span on: otherwise a query for failures would be refused until the
// first failure.

const COMMON = {
  trace_id: '',
  span_id: '',
  flags: 0,
  dropped_attributes_count: 0,
  'resource.schema_url': '',
  'resource.dropped_attributes_count': 0,
  'scope.name': '',
  'scope.version': '',
  'scope.schema_url': '',
  'scope.dropped_attributes_count': 0,
}

/** The leaves of an event with all fields, other than attributes, that OpenTelemetry defines for a signal. */
export const DEFINED_FIELDS: Readonly<Record<Signal, readonly Leaf[]>> = {
  logs: leaves({
    ...COMMON,
    severity_number: 0,
    severity_text: '',
    level: '',
    body: '',
    event_name: '',
    observed_time_unix_nano: 0,
  }),
  traces: leaves({
    ...COMMON,
    trace_state: '',
    parent_span_id: '',
    name: '',
    kind: '',
    duration: 0,
    dropped_events_count: 0,
    dropped_links_count: 0,
    'status.message': '',
    'status.code': '',
    error: false,
    events: [],
    links: [],
  }),
}

function leaves(event: object): readonly Leaf[] {
  return readLeaves(JSON.stringify(event))
}
