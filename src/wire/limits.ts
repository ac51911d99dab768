// The limits that users meet; `evq help limits` has a row for each. What only one half of the program knows is in
// `client/limits.ts` and `service/limits.ts`. AssemblyScript compiles this file, too, so it has nothing but numbers.

/** The most keys of an event, those of nested objects included; objects in arrays and below `MAX_FIELD_DEPTH` are values. */
export const MAX_KEYS = 10_000
/** Characters of a key. Every insert and query contains the names of its fields, so long ones would slow down all of them. */
export const MAX_KEY_LENGTH = 1_024
/** Objects below this depth are values, not groups of fields. */
export const MAX_FIELD_DEPTH = 16
/** The most fields of an object inside an event; one with more becomes a map. */
export const MAX_OBJECT_FIELDS = 1_024
/** The most fields of a dataset; the values of further ones are read from the event (`_source`). */
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
/** The most rows of a result for which neither the query nor the request has a limit. */
export const DEFAULT_ROWS = 1_000
/** The most rows of a result, unless `evq serve --max-rows` sets another number; pages are no larger. */
export const RESULT_ROWS = 50_000
/** The run time of a query, unless `evq serve --query-timeout` sets another one. */
export const QUERY_TIMEOUT_SECONDS = 60
/** The memory of a query in MiB, unless `evq serve --query-memory` sets another size. */
export const QUERY_MEMORY_MIB = 2_048

/**
 * The maximum size of an ingest request's body, uncompressed, unless `evq serve --max-body` sets another one. evq sends no
 * larger ones, and no larger event.
 */
export const BODY_BYTES = 67_108_864
/** The most events in a request of evq, and the most that hosted services accept. */
export const MAX_BATCH_EVENTS = 10_000
/** The failures listed in a response by default; all are counted. */
export const LISTED_FAILURES = 1_000
/** The most lines of a request, or entries and members: the reasons for rejected ones must fit in memory and in a response. */
export const MAX_LINES = 1_048_576
/** The most datasets of a request: the events of each are a separate insert. */
export const REQUEST_DATASETS = 256
/**
 * The most datasets that a request creates, each of which takes as long as storing some ten thousand events. A request with more
 * has to be repeated.
 */
export const REQUEST_NEW_DATASETS = 32
/** Labels and resources are repeated in each event: the events may be this many times as long as the body, or this long. */
export const MAX_GROWTH = 16
export const GROWN_BYTES = 16_777_216
/** The most characters of the labels of a request's events, which are repeated in each event as columns. */
export const LABEL_CHARACTERS = 268_435_456
/** The maximum length of a line of Loki or Splunk's HTTP Event Collector, which is read as a whole. */
export const MAX_LINE_LENGTH = 2_097_152
/** The maximum size of a row of CSV, which is read as a whole. */
export const CSV_ROW_BYTES = 16_777_216
/** The most cells of a row; of one with more, only the first of them are read. */
export const CSV_CELLS = 100_000
/** The maximum size of a record, a resource or an unknown part of OTLP: each is decoded without a pause. */
export const OTLP_PART_BYTES = 8_388_608
/** The most values of a record or a resource, those inside arrays and maps included. */
export const OTLP_PART_VALUES = 100_000
/** The levels of lists and maps in a value of OTLP; protobuf libraries limit the depth of messages alike. */
export const OTLP_DEPTH = 100
/** The time that a request or a response may lag behind a minimum data rate. */
export const SLACK_SECONDS = 30
export const MIN_BYTES_PER_SECOND = 1_024
/** The time that a body of unknown length may pause: its client may be waiting for events itself. */
export const STREAM_IDLE_SECONDS = 300
/** The most connections: each takes a file descriptor and some memory. */
export const MAX_CONNECTIONS = 4_096
