// The limits that concern users; `evq help limits` has a row for each. `serve-limits.ts` has the limits that `evq serve` sets, and
// `client/limits.ts` and `service/limits.ts` the limits of one half. AssemblyScript compiles this file, so it contains only numbers.

/** The maximum number of keys of an event, including nested objects; objects in arrays and below `MAX_FIELD_DEPTH` are values. */
export const MAX_KEYS = 10_000
/** The maximum length of a key, in characters. All inserts and queries contain names of fields, so long names are slow. */
export const MAX_KEY_LENGTH = 1_024
/** The depth below which objects are values, not groups of fields. */
export const MAX_FIELD_DEPTH = 16
/** The maximum number of fields of an object inside an event; an object with more fields becomes a map. */
export const MAX_OBJECT_FIELDS = 1_024
/** The maximum number of fields of a dataset; the values of further fields are read from the event (`_source`). */
export const MAX_FIELDS = 2_048

/** The maximum length of a query, in UTF-16 code units. */
export const MAX_QUERY_LENGTH = 262_144
/**
 * The maximum number of tokens of a query, including the values inside `dynamic(…)`. Checking and compiling block the
 * process; the limit keeps that to a fraction of a second.
 */
export const MAX_TOKENS = 50_000
/** The maximum size of a query request: the longest query with every character escaped, and some room. */
export const QUERY_BODY_BYTES = 2_097_152
/**
 * The maximum number of fields that a query uses, summed over its datasets: the time for compiling and for the
 * engine's planning is proportional to it.
 */
export const MAX_QUERY_FIELDS = 5_120
/** The maximum number of datasets, tables and queries that a query reads: the engine's planning time is proportional to it. */
export const MAX_QUERY_SOURCES = 1_000
/** The maximum number of rows of a result when neither the query nor the request has a limit. */
export const DEFAULT_ROWS = 1_000
/** The maximum number of rows of a result or a page, unless `evq serve --max-rows` sets another number. */
export const RESULT_ROWS = 50_000
/** The maximum number of rows of a query of files (`query -i`). */
export const FILE_ROWS = 10_000_000

/**
 * The maximum size of an ingest request's body, uncompressed, unless `evq serve --max-body` sets another one. evq sends no larger
 * bodies, and no larger events.
 */
export const BODY_BYTES = 67_108_864
/** The maximum number of events in a request of evq to a deployment, which is also the maximum that hosted services accept. */
export const DEPLOYMENT_BATCH_EVENTS = 10_000
/** The maximum number of events in a request of evq to the local service: twice as many short events take three quarters of the time. */
export const MAX_BATCH_EVENTS = 20_000
/** The default number of failures listed in a response; all failures are counted. */
export const LISTED_FAILURES = 1_000
/** The maximum number of lines, or entries and members, of a request: the reasons for rejecting them must fit in memory. */
export const MAX_LINES = 1_048_576
/** The maximum number of datasets of a request: the events of each dataset are a separate insert. */
export const REQUEST_DATASETS = 256
/**
 * The maximum number of datasets that a request creates: creating a dataset takes as long as storing some ten thousand events. A
 * request with more new datasets has to be repeated.
 */
export const REQUEST_NEW_DATASETS = 32
/** Labels and resources are repeated in each event: events may have `MAX_GROWTH` times the length of the body, or `GROWN_BYTES`. */
export const MAX_GROWTH = 16
export const GROWN_BYTES = 16_777_216
/** The maximum length of the labels of all events of a request, in characters: labels are repeated in each event as columns. */
export const LABEL_CHARACTERS = 268_435_456
/** The maximum length of a line of Loki or Splunk's HTTP Event Collector, which is read as a whole. */
export const MAX_LINE_LENGTH = 2_097_152
/** The maximum number of lines of a log, and their size, that become one event; a line that would exceed it begins a new event. */
export const EVENT_LINES = 1_000
export const EVENT_LINES_BYTES = 65_536
/** The maximum size of a message of syslog; the rest of a longer message is dropped. */
export const SYSLOG_MESSAGE_BYTES = 65_536
/** The size of messages not yet stored at which TCP connections of syslog are no longer read, and datagrams are dropped. */
export const SYSLOG_QUEUE_BYTES = 33_554_432
/** The maximum size of a row of CSV, which is read as a whole. */
export const CSV_ROW_BYTES = 16_777_216
/** The maximum number of cells of a row; only the first cells of a longer row are read. */
export const CSV_CELLS = 100_000
/** The maximum size of a record, a resource or an unknown part of OTLP: each is decoded without a pause. */
export const OTLP_PART_BYTES = 8_388_608
/** The maximum number of values of a record or a resource, including the values inside arrays and maps. */
export const OTLP_PART_VALUES = 100_000
/** The maximum depth of lists and maps in a value of OTLP. Protobuf libraries also limit the depth of messages. */
export const OTLP_DEPTH = 100
/** The time that a request or a response may lag behind a minimum data rate. */
export const SLACK_SECONDS = 30
export const MIN_BYTES_PER_SECOND = 1_024
/** The time that a body of unknown length may pause: its client may itself be waiting for events. */
export const STREAM_IDLE_SECONDS = 300
/** The maximum number of connections: each takes a file descriptor and some memory. */
export const MAX_CONNECTIONS = 4_096
/** The maximum total size of responses that clients have not read yet. */
export const MAX_UNREAD_BYTES = 1_073_741_824
