import { blocksOf } from '../block.js'

export const EXPORT = blocksOf(`
\`evq page\` exports all rows of a query, each once, a page at a time.

    evq page "['logs']" -O logs.csv
    evq page "['logs'] | where status >= 500" --since 30d \\
      --checkpoint errors.state -O errors.ndjson

The time range is fixed when the export starts: without \`--until\` it ends at this time, or after the newest event if the service
reports that there are later events, such as events whose local times were read as UTC. Events that arrive during the export with a
time that it has already passed are not exported. When the number of rows differs from the number that the service reports,
the command says so and exits with 3.

## Paging

- \`--by time\`, the default, works with every service: each page begins at the time where the previous page ended, and
duplicate rows are dropped. \`--by cursor\` uses the cursors of services that return them, and is the default for the local
data: the service then reads the events of a dataset in one scan, from page to page.
- \`--parallel 8\` keeps eight requests to a distant service in flight: it counts the rows by time, splits the range into many
parts, and writes them in the same order as without it. It needs \`_time\`, and memory for the parts in flight.
- \`--page-size\` of the local data is by default as many rows as fit in 16 MiB.

## TSV

\`-o tsv\` writes tabs, line ends and backslashes in values as \`\\t\`, \`\\n\` and \`\\\\\`, and null as \`\\N\`, as PostgreSQL's \`COPY\` reads them.
Programs that read TSV without these escapes, evq among them, should get CSV.

## Parquet

\`-o parquet\` writes an array as a string of JSON, and a field of several types as a string, in which 1 and "1" are the same. When the
file is ingested, both stay strings; \`parse_json\` decodes them in queries.

## Interruptions

With \`--checkpoint FILE\` and \`-O FILE\` the same command resumes where it stopped. A file given with \`-O\` appears under its
name when it is complete. \`--manifest FILE\` writes a JSON object: \`query\`, \`from\`, \`to\`, \`rowsWritten\`,
\`rowsMatched\`, \`duplicatesDropped\`, \`pages\`, \`complete\`.
`)
