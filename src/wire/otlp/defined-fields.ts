import { byWord } from '../../text/by-word.js'
import { type Leaf, readLeaves } from '../json/json-line.js'
import type { Signal } from './decode.js'

// Default values, such as the status of a span that did not fail, are not part of an event. Nevertheless, datasets have all fields
// that OpenTelemetry defines from their first log record or span on: otherwise a query for failures would be refused until the
// first failure.

const STRINGS = 'trace_id span_id resource.schema_url scope.name scope.version scope.schema_url'
const COUNTS =
  'flags dropped_attributes_count resource.dropped_attributes_count scope.dropped_attributes_count'

/** The leaves of an event with all fields, other than attributes, that OpenTelemetry defines for a signal. */
export const DEFINED_FIELDS: Readonly<Record<Signal, readonly Leaf[]>> = {
  logs: leaves({
    [`${STRINGS} severity_text level body event_name`]: '',
    [`${COUNTS} severity_number observed_time_unix_nano`]: 0,
  }),
  traces: leaves({
    [`${STRINGS} trace_state parent_span_id name kind status.message status.code`]: '',
    [`${COUNTS} duration dropped_events_count dropped_links_count`]: 0,
    error: false,
    'events links': [],
  }),
}

/** Returns the leaves of an event, given its values by the names of the fields that have them. */
function leaves(names: Readonly<Record<string, unknown>>): readonly Leaf[] {
  return readLeaves(JSON.stringify(byWord(names)))
}
