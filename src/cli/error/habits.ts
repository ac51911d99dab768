import type { Command } from 'commander'
import { ownValue } from '../../text/own-value.js'
import { allOptions } from '../option/rare.js'

// Words of other programs, and what does the same here: the first one that the command has.

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  add: ['create'],
  auth: ['profile add'],
  cat: ['view'],
  clear: ['trim', 'dataset trim'],
  columns: ['show', 'dataset show'],
  config: ['profile add'],
  count: ['query'],
  create: ['add'],
  default: ['use'],
  delete: ['revoke', 'remove', 'dataset delete'],
  describe: ['show', 'get', 'dataset show'],
  docs: ['help'],
  drop: ['delete', 'dataset delete'],
  edit: ['update', 'add'],
  examples: ['help'],
  export: ['page'],
  fields: ['show', 'dataset show'],
  follow: ['tail'],
  grep: ['query'],
  import: ['ingest'],
  info: ['show', 'get'],
  less: ['view'],
  list: ['dataset list'],
  load: ['ingest'],
  login: ['profile add'],
  logs: ['tail'],
  ls: ['list', 'dataset list'],
  man: ['help'],
  new: ['create', 'add'],
  open: ['view'],
  purge: ['trim', 'dataset trim'],
  push: ['ingest'],
  queries: ['starred list'],
  remove: ['delete', 'revoke', 'dataset delete'],
  rename: ['update'],
  repl: ['query'],
  retain: ['dataset retain'],
  retention: ['retain', 'dataset retain'],
  rm: ['delete', 'revoke', 'remove', 'dataset delete'],
  sample: ['dataset sample'],
  save: ['create', 'add'],
  saved: ['starred list'],
  schema: ['show', 'dataset show'],
  search: ['query'],
  select: ['query'],
  send: ['ingest'],
  server: ['serve'],
  set: ['add'],
  shell: ['query'],
  show: ['get', 'dataset show'],
  size: ['list', 'dataset list'],
  sql: ['query'],
  start: ['serve'],
  trim: ['dataset trim'],
  truncate: ['trim', 'dataset trim'],
  update: ['add'],
  upload: ['ingest'],
  watch: ['tail'],
}

const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  '--address': ['--url'],
  '--csv': ['--output csv'],
  '--end': ['--until'],
  '--endpoint': ['--url'],
  '--fields': ['--columns'],
  '--file': ['--input'],
  '--force': ['--yes'],
  '--format': ['--input-format', '--output'],
  '--host': ['--listen', '--url'],
  '--input': ['--input-format'],
  '--json': ['--output json'],
  '--jsonl': ['--output ndjson'],
  '--last': ['--since'],
  '--limit': ['--max-rows', '--lines'],
  '--markdown': ['--output markdown'],
  '--ndjson': ['--output ndjson'],
  '--no-color': ['--color never'],
  '--output-file': ['--out'],
  '--output-format': ['--output'],
  '--port': ['--listen'],
  '--query': ['--apl'],
  '--raw': ['--output raw'],
  '--resume': ['--checkpoint'],
  '--server': ['--url'],
  '--silent': ['--quiet'],
  '--start': ['--since'],
  '--table': ['--output table'],
  '--tsv': ['--output tsv'],
  '--type': ['--input-format'],
  '--tz': ['--timezone'],
  '--zone': ['--timezone'],
  '-d': ['--data-dir'],
  '-l': ['--listen'],
  '-n': ['--max-rows'],
  '-p': ['--listen', '--profile'],
  '-s': ['--since'],
  '-u': ['--url'],
  '-y': ['--yes'],
}

const APL = '`evq help language` explains APL in two minutes.'
const COLLECTOR = '`evq help shippers` has a configuration for its collector.'
const ENDPOINTS = '`evq help service` explains endpoints and tokens.'
const CHART = '`-o chart` draws the result of a query.'
const DELETION =
  'Events are deleted by age (`evq dataset trim`), by file (`evq help input`) or with their dataset.'
const KUBERNETES =
  '`kubectl logs -f deploy/api | evq view -f` shows the log of a program; `evq help shippers` has the configurations of agents.'
const MASKING = '`evq help redact` explains how to mask texts.'

/** Words after a command that has nothing else for them. */
const ADVICE: Readonly<Record<string, string>> = {
  'dataset create': 'The first events create a dataset.',
  'dataset export': '`evq page` exports the events of a dataset.',
  'delete --before': '`evq dataset trim` deletes older events.',
  'delete --since': DELETION,
  'delete --until': DELETION,
  'delete --where': DELETION,
  'evq alert': '`evq query --assert` exits with 6 unless all rows meet a condition.',
  'evq api': ENDPOINTS,
  'evq apl': APL,
  'evq backup': '`evq help service` explains backups.',
  'evq chart': CHART,
  'evq context': '`evq query -C 3` shows the events around matches.',
  'evq curl': ENDPOINTS,
  'evq dashboard': '`evq help shippers` has the settings of Grafana.',
  'evq graph': CHART,
  'evq k8s': KUBERNETES,
  'evq kql': APL,
  'evq kubernetes': KUBERNETES,
  'evq kusto': APL,
  'evq monitor': '`evq query --assert` exits with 6 unless all rows meet a condition.',
  'evq opentelemetry': COLLECTOR,
  'evq otel': COLLECTOR,
  'evq pii': MASKING,
  'evq plot': CHART,
  'evq privacy': MASKING,
  'evq rest': ENDPOINTS,
  'evq restore': '`evq help service` explains backups.',
  'evq tutorial': APL,
  'evq undo': '`evq help input` explains how to remove the events of a file.',
  'evq version': '`evq --version` prints it.',
  'ingest --dataset': 'The dataset is the first argument: `evq ingest logs app.log`.',
  'ingest --file': 'Files are arguments: `evq ingest logs app.log`.',
  'ingest -f': '`--follow` waits for more events, and `-i csv` sets the format.',
  'tail --follow': '`evq tail` always follows.',
  'tail -F': '`evq tail` always follows.',
  'tail -f': '`evq tail` always follows.',
  'token rotate':
    'Create a token with another name, and revoke the old one once no client uses it.',
  'trim --since': DELETION,
  'trim --until': DELETION,
  'trim --where': DELETION,
}

/** Returns advice on a command or an option of another program; undefined for other words. */
export function habitAdvice(word: string, command: Command): string | undefined {
  const names = [...command.commands.map((child) => child.name()), ...longOptions(command)]
  const known = ownValue(word.startsWith('-') ? OPTIONS : COMMANDS, word)
  const same = known?.find((words) => names.includes(words.split(' ')[0]!))
  if (same !== undefined) return `Did you mean \`${same}\`?`
  return ownValue(ADVICE, `${command.name()} ${word}`)
}

/** Returns the long options that a command accepts, also those that every command takes. */
export function longOptions(command: Command): readonly string[] {
  const own = allOptions(command).flatMap(({ long }) => long ?? [])
  return command.parent ? [...own, ...longOptions(command.parent)] : own
}
