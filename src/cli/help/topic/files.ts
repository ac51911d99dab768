import { blocksOf } from '../block.js'

export const FILES = blocksOf(`
A query that starts with an operator reads its events from standard input, or from the files that \`-i\` names, and stores nothing:

    cat app.log | evq query "where level == 'error'
      | summarize count() by logger"
    evq query -i 'logs/*.gz' "where status >= 500
      | top 10 by duration_ms"

\`-i\` can be repeated. It takes a file, \`-\`, or a pattern in quotes: \`*\` and \`?\` match within a name, \`[a-z]\` one character, \`{a,b}\`
alternatives, \`**\` any directories. \`-r\` reads the files in directories. Formats, event times and events of several lines are read as by
\`evq ingest\` (see \`evq help input\`), with the same flags except \`--input-format\`. \`-z\` is the zone of times without a zone in lines, and
of times in the output.

Statements such as \`let n = 5;\` may precede the operator. At the start, the name of an operator is always the operator: a dataset of that
name is written \`['count']\`. \`union\` and \`search in (…)\` at the start are queries of datasets unless \`-i\` is given. Standard input is read only if it is a pipe or a
file. A query that is read from standard input itself (\`-f -\`) needs \`-i\`.

## file('access*.log')

\`file(…)\` is a source like a dataset, also in \`join\`, \`lookup\`, \`union\` and subqueries; \`file('-')\` is standard input. It takes one path or pattern.

    evq query "['users']
      | join (file('access.log')) on user_id"

Datasets of the data directory can be combined with files; datasets of a deployment have to be exported with \`evq page\` first. The flags for
reading apply to all files of a query. A service rejects \`file\`.

## A prompt on files

\`evq query -i app.log\` without a query opens the prompt (see \`evq help prompt\`) on the events of the files. They are read once; a query may begin
with an operator, or with the dataset that the prompt names.

## Events around matches

\`-C 3\`, \`-A\` and \`-B\` show the events before and after each match, as grep does, also of a pipe while it is read:

    evq query -i app.log "where level == 'error'" -C 3

The events are in the order of the files, or in the order of time when the query ends with \`sort by _time asc\`.

## Events as they arrive

Queries that only filter and project (\`where\`, \`search\`, \`extend\`, \`project\`, \`parse\`, \`redact\`, \`mv-expand\`, with a \`limit\` at the end)
print each event as it arrives, without a default limit:

    tail -f app.log |
      evq query "where status >= 500 | project _time, path"

In a pipe they print NDJSON; on a terminal a line per event, as \`evq tail\` does, when the events come from a pipe. With \`-o csv\` or \`-o tsv\`, the
columns are the fields of the first events unless the query names them. A field that no event has had so far is null; a field that no event
had until the end is reported.

## Results

Events come in the order of the input unless the query sorts. All events are read, without a default time range; \`--since\` and \`--until\`
select by \`_time\`. There are only the fields of the events, and no \`_sysTime\`. With \`--source-fields\`, each event also has
\`_file\`, \`_line\` and \`_offset\`, which \`search\` and \`*\` do not test. \`-n\` limits the rows; the default is 1,000 on a terminal
and for queries that do more than filter and project.

Lines that can't be read are counted, the first three are named, and the exit code is 3. Nothing is left behind: events are kept in a
temporary directory (\`TMPDIR\`) while the query runs. The data directory is not created, and no deployment receives a request.
`)
