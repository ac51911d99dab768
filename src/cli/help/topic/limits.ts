import { RESULT_BYTES } from '../../../client/limits.js'
import { binarySize } from '../../../text/binary-size.js'
import { formatInteger as integer } from '../../../text/integer.js'
import * as limits from '../../../wire/limits.js'
import { SERVE_LIMITS } from '../../../wire/serve-limits.js'
import { blocksOf } from '../block.js'

export const LIMITS = blocksOf(`
## Events and fields

${integer(limits.MAX_KEYS)} :: keys of an event, including the keys of nested objects, without objects in arrays; beyond it the event is rejected
${integer(limits.MAX_KEY_LENGTH)} :: characters of a key; beyond it the event is rejected
${limits.MAX_FIELD_DEPTH} :: levels of objects that become fields; deeper objects are values
${integer(limits.MAX_OBJECT_FIELDS)} :: fields of an object inside events; beyond it the object becomes one dynamic field
${integer(limits.MAX_FIELDS)} :: fields of a dataset; further keys do not become fields, and their values are in \`_source\`

No value is lost at the last three limits. An object keyed by ids, \`{"users": {"u-123": {"plan": "free"}}}\`, becomes the dynamic field
\`users\` once it has more than ${integer(limits.MAX_OBJECT_FIELDS)} fields: \`users['u-123'].plan\` finds a value before and after, and \`users has 'u-123'\` searches all
of them. A dataset that has reached ${integer(limits.MAX_FIELDS)} fields gets the dynamic field \`_source\`, the whole event as it was sent:
\`_source['some-key']\`. For events stored before that, it is made from their fields.

## Queries

${integer(limits.MAX_QUERY_LENGTH)} :: characters of a query
${integer(limits.MAX_TOKENS)} :: words, values and signs of a query, including the values within \`dynamic(…)\`; and values of a request with its parameters
${binarySize(limits.QUERY_BODY_BYTES)} :: a query request
${integer(limits.MAX_QUERY_FIELDS)} :: fields that a query uses, over all of its datasets; \`union *\` over wider data needs a \`project\`
${integer(limits.MAX_QUERY_SOURCES)} :: datasets that a query reads, each counted as often as the query reads it
${integer(limits.DEFAULT_ROWS)} :: rows of a result for which neither query nor request (\`-n\`) has a limit
${integer(limits.RESULT_ROWS)} :: rows of a result (\`serve --max-rows\`)
${integer(limits.FILE_ROWS)} :: rows of a query of files (\`query -i\`)
${SERVE_LIMITS.queryTimeoutMs.usual / 1000} s :: run time of a query (\`serve --query-timeout\`)
${binarySize(SERVE_LIMITS.queryMemoryBytes.usual)} :: memory of a query (\`serve --query-memory\`); sorting and grouping spill to disk at half of it, joins at a quarter

Store a list of values that is longer as a dataset and look it up: \`id in ((['ids'] | project id))\`.

## Requests

${binarySize(limits.BODY_BYTES)} :: the body of an ingest request, uncompressed (\`serve --max-body\`)
${integer(limits.MAX_BATCH_EVENTS)} :: events that evq sends in one request; with \`--url\` ${integer(limits.DEPLOYMENT_BATCH_EVENTS)}
${integer(limits.LISTED_FAILURES)} :: failures that an ingest response lists; \`failed\` counts all, \`failuresOmitted\` those that are not listed. The header \`x-service-failure-limit\` asks for another number, up to ${integer(limits.MAX_BATCH_EVENTS)}
${integer(limits.MAX_LINES)} :: lines, entries and members of an ingest request
${limits.REQUEST_DATASETS} :: datasets of an ingest request; beyond it nothing is stored, and the response is 413
${limits.REQUEST_NEW_DATASETS} :: datasets that an ingest request creates; beyond it nothing is stored, and the response is 503 with \`Retry-After\`. The same request creates as many again when it is repeated, as shippers do, and is stored once its other datasets exist
${limits.MAX_GROWTH} times :: the size of a request: its events, each with labels and resource, when they are larger than ${binarySize(limits.GROWN_BYTES)}
${binarySize(limits.LABEL_CHARACTERS)} :: the labels of a request (\`X-Axiom-Event-Labels\`), repeated in each event
${integer(limits.EVENT_LINES)} :: lines of a log that become one event, of ${binarySize(limits.EVENT_LINES_BYTES)} together; a further line begins a new event
${binarySize(limits.SYSLOG_MESSAGE_BYTES)} :: a message of syslog, the rest of which is dropped; messages of ${binarySize(limits.SYSLOG_QUEUE_BYTES)} wait to be stored
${binarySize(limits.CSV_ROW_BYTES)} :: a row of CSV, with ${integer(limits.CSV_CELLS)} cells
${binarySize(limits.MAX_LINE_LENGTH)} :: a line of Loki, or an event of Splunk's HTTP Event Collector
${binarySize(limits.OTLP_PART_BYTES)} :: a record or a resource of OTLP, with ${integer(limits.OTLP_PART_VALUES)} values and ${limits.OTLP_DEPTH} levels of lists and maps
${limits.SLACK_SECONDS} s :: by which a request may lag behind ${binarySize(limits.MIN_BYTES_PER_SECOND)}/s; a request of unknown length may pause for ${limits.STREAM_IDLE_SECONDS / 60} minutes, after which its complete events are stored and the response is 408
${integer(limits.MAX_CONNECTIONS)} :: connections; beyond it the connection that has been idle longest is closed
${binarySize(limits.MAX_UNREAD_BYTES)} :: responses that clients have not read yet; beyond it the connection of the oldest one is closed
${binarySize(RESULT_BYTES)} :: a response to a query that evq reads; \`evq page\` reads any number of rows, page by page

When too many queries run or wait, the response is 429 with \`Retry-After\` and the headers \`X-RateLimit-…\`. When too many events wait to be stored, it is
503 with \`Retry-After\`, which SDKs and shippers retry.

## Disk

577 MB :: an installation, 543 MB of which are ClickHouse
27 MB :: an installation with \`npm install --omit=optional\`: without ClickHouse, evq works with deployments only
`)
