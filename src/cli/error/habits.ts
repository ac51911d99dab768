import type { Command } from 'commander'
import { byWord } from '../../text/by-word.js'
import { ownValue } from '../../text/own-value.js'
import { allOptions } from '../option/rare.js'

// Words of other programs, and what does the same here: the first one that the command has.

const COMMANDS = byWord({
  'add create new save': ['create', 'add'],
  'auth config login': ['profile add'],
  'cat less open': ['view'],
  'clear purge trim truncate': ['trim', 'dataset trim'],
  'columns fields schema': ['show', 'dataset show'],
  'count grep repl search select shell sql': ['query'],
  default: ['use'],
  'delete drop remove rm': ['delete', 'revoke', 'remove', 'dataset delete'],
  'describe info show': ['show', 'get', 'dataset show'],
  'docs examples man': ['help'],
  'edit set update': ['update', 'add'],
  export: ['page'],
  'follow logs watch': ['tail'],
  'import load push send upload': ['ingest'],
  'list ls size': ['list', 'dataset list'],
  'queries saved': ['starred list'],
  rename: ['update'],
  'retain retention': ['retain', 'dataset retain'],
  run: ['starred run'],
  sample: ['dataset sample'],
  'server start': ['serve'],
})

const OPTIONS = byWord({
  '--address --endpoint --server -u': ['--url'],
  '--csv': ['--output csv'],
  '--end': ['--until'],
  '--fields': ['--columns'],
  '--file': ['--input'],
  '--force -y': ['--yes'],
  '--format': ['--input-format', '--output'],
  '--head': ['--limit', '--max-rows'],
  '--host': ['--listen', '--url'],
  '--input --type': ['--input-format'],
  '--json': ['--output json'],
  '--jsonl --ndjson': ['--output ndjson'],
  '--last --since-time --start -s': ['--since'],
  '--limit': ['--max-rows', '--lines'],
  '--markdown': ['--output markdown'],
  '--no-color': ['--color never'],
  '--output-file': ['--out'],
  '--output-format': ['--output'],
  '--port -l': ['--listen'],
  '--query': ['--apl'],
  '--raw': ['--output raw'],
  '--resume': ['--checkpoint'],
  '--silent': ['--quiet'],
  '--table': ['--output table'],
  '--tail': ['--lines'],
  '--tsv': ['--output tsv'],
  '--tz --zone': ['--timezone'],
  '-d': ['--data-dir'],
  '-n': ['--max-rows'],
  '-p': ['--listen', '--profile'],
})

const DELETION =
  'Events are deleted by age (`evq dataset trim`), by file (`evq help input`) or with their dataset.'

/** Advice on words and options that have no equivalent, by command. */
const ADVICE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  evq: byWord({
    'alert monitor': '`evq query --assert` exits with 6 unless all rows meet a condition.',
    'api curl rest': '`evq help service` explains endpoints and tokens.',
    'apl kql kusto tutorial': '`evq help language` explains APL in two minutes.',
    'backup backups restore': '`evq help service` explains backups.',
    'chart graph plot': '`-o chart` draws the result of a query.',
    context: '`evq query -C 3` shows the events around matches.',
    dashboard: '`evq help shippers` has the settings of Grafana.',
    'k8s kubernetes':
      '`kubectl logs -f deploy/api | evq view -f` shows the log of a program; `evq help shippers` has the configurations of agents.',
    'opentelemetry otel': '`evq help shippers` has a configuration for its collector.',
    'pii privacy': '`evq help redact` explains how to mask texts.',
    undo: '`evq help input` explains how to remove the events of a file.',
    version: '`evq --version` prints it.',
  }),
  dataset: {
    create: 'The first events create a dataset.',
    export: '`evq page` exports the events of a dataset.',
  },
  delete: {
    '--before': '`evq dataset trim` deletes older events.',
    ...byWord({ '--since --until --where': DELETION }),
  },
  ingest: byWord({
    '--dataset -d': 'The dataset is the first argument: `evq ingest logs app.log`.',
    '--file': 'Files are arguments: `evq ingest logs app.log`.',
    '-f': '`--follow` waits for more events, and `-i csv` sets the format.',
  }),
  query: byWord({
    '--follow --watch -F -w': '`evq tail` follows a dataset, and `evq view -f` a file.',
    '--grep --search': '`search "timeout"` in the query finds a text.',
    '--level --where': 'Conditions are in the query: `where level == "error"`.',
    '--starred': '`evq starred run` runs a saved query.',
    '--tail': '`top 10 by _time` in the query selects the newest rows.',
  }),
  tail: byWord({ '--follow -F -f': '`evq tail` always follows.' }),
  token: {
    rotate: 'Create a token with another name, and revoke the old one once no client uses it.',
  },
  trim: byWord({ '--since --until --where': DELETION }),
  view: byWord({ '--lines --tail -n': '`--follow` starts at the end.' }),
}

/** Returns advice on a command or an option of another program; undefined for other words. */
export function habitAdvice(word: string, command: Command): string | undefined {
  const advice = ownValue(ownValue(ADVICE, command.name()) ?? {}, word)
  if (advice !== undefined) return advice
  const names = [...command.commands.map((child) => child.name()), ...longOptions(command)]
  const known = ownValue(word.startsWith('-') ? OPTIONS : COMMANDS, word)
  const same = known?.find((words) => names.includes(words.split(' ')[0]!))
  return same && `Did you mean \`${same}\`?`
}

/** Returns the long options that a command accepts, also those that every command takes. */
export function longOptions(command: Command): readonly string[] {
  const own = allOptions(command).flatMap(({ long }) => long ?? [])
  return command.parent ? [...own, ...longOptions(command.parent)] : own
}
