import { blocksOf } from '../block.js'

/** `evq help limits`. */
export const LIMITS = blocksOf(`
## Events and fields

10,000 :: keys of an event, including those of nested objects (not those in arrays); beyond it the event is rejected
1,024 :: characters of a key; beyond it the event is rejected
16 :: levels of objects that become fields; deeper objects are values
1,024 :: fields of an object inside events; beyond it the object becomes one dynamic field
2,048 :: fields of a dataset; further keys do not become fields, and their values are in \`_source\`

No value is lost at the last three. An object keyed by ids, \`{"users": {"u-123": {"plan": "free"}}}\`, becomes the dynamic field
\`users\` once it has more than 1,024 fields: \`users['u-123'].plan\` finds a value before and after, and \`users has 'u-123'\` searches all
of them. A dataset that has reached 2,048 fields gets the dynamic field \`_source\`, the whole event as it was sent:
\`_source['some-key']\`. For events stored before that, it is made from their fields.

## Queries

262,144 :: characters of a query
50,000 :: words, values and signs of a query, including the values within \`dynamic(…)\`; and values of a request with its parameters
2 MiB :: a query request
5,120 :: fields that a query uses, over all of its datasets; \`union *\` over wider data needs a \`project\`
50,000 :: rows of a result (\`serve --max-rows\`)
60 s :: run time of a query (\`serve --query-timeout\`)
2 GiB :: memory of a query (\`serve --query-memory\`); sorting and grouping spill to disk at half of it

Store a list of values that is longer as a dataset and look it up: \`id in ((['ids'] | project id))\`.

## Requests

64 MiB :: the body of an ingest request, uncompressed (\`serve --max-body\`)
10,000 :: events that evq sends in one request
1,000 :: failures that an ingest response lists; \`failed\` counts all, \`failuresOmitted\` those that are not listed. The header \`x-service-failure-limit\` asks for another number, up to 10,000
256 MiB :: the events of an OTLP request, each with the fields of its resource; or 16 times the request, if that is more
8 MiB :: a record or a resource of OTLP, and 100 levels of lists and maps in its values
30 s :: by which a request may lag behind 1 KiB/s; one of unknown length may pause for 5 minutes, after which its complete events are stored and the response is 408
4,096 :: connections; beyond it the one that has been idle longest is closed

When too many queries run or wait, the response is 429 with \`Retry-After\` and the headers \`X-RateLimit-…\`. When too many events wait to be stored, it is
503 with \`Retry-After\`, which SDKs and shippers retry.
`)
