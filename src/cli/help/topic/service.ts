import { blocksOf } from '../block.js'

/** `evq help service`. */
export const SERVICE = blocksOf(`
\`evq serve\` serves the data directory over HTTP. Its first start prints a token, once, which permits everything.

    evq serve --listen 127.0.0.1:4600
    export EVQ_URL=http://127.0.0.1:4600 EVQ_TOKEN=xapt-…
    evq query "['logs'] | count"

## Tokens

    evq token create shipper --ingest logs --expires 90d > shipper.token
    evq token create board --query logs --starred read

New and revoked tokens take effect immediately. Only hashes are stored. A dataset that a token may not query does not exist for
it: \`union *\` skips it, and naming it gets the same 403 as a name that does not exist.

## Endpoints

/healthz, /readyz :: liveness and readiness; no token needed
/metrics :: Prometheus text; on loopback, open to requests whose \`Host\` is \`localhost\` or a loopback address
/openapi.json :: the interface as OpenAPI 3.1

Each request is logged on standard error, as JSON unless that is a terminal.

## Limits

- A query has at most 262,144 characters and 50,000 words, values and signs, including the values within \`dynamic(…)\`. A request,
with its parameters, has at most 50,000 values and 2 MiB. Store a longer list as a dataset and look it up:
\`id in ((['ids'] | project id))\`.
- The longest body of an ingest request is 64 MiB, uncompressed (\`--max-body\`).
- A result has at most 50,000 rows (\`--max-rows\`).
- A query runs for at most 60 s (\`--query-timeout\`) with at most 2 GiB (\`--query-memory\`); sorting and grouping spill to disk at
half of it.
- When too many requests run or wait, the response is 429 with \`Retry-After\`.
- Of more than 4,096 connections, those that have been idle longest are closed.
- A response to ingest counts all events that were not stored in \`failed\` and lists the first 1,000 in \`failures\`;
\`failuresOmitted\` is the number of the others. The header \`x-service-failure-limit\` asks for another number, up to 10,000.

## Retention

\`--retention 30d\` deletes events whose time is older. Deleting takes up to a 24th of that longer, at most a day.
`)
