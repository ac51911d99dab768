import type { Batch } from '../../../input/batch.js'
import { inputLabel, STANDARD_INPUT } from '../../../input/error.js'
import type { DetectedFormat } from '../../../input/format.js'
import type { Input } from '../../../input/input.js'
import { TIMED_LINES } from '../../../input/log/format/general.js'
import type { TextLayout } from '../../../input/log/text-layout.js'
import type { ReadOptions } from '../../../input/read-options.js'
import { escapeControls } from '../../../render/escape-controls.js'

const NAMES: Readonly<Record<NonNullable<Batch['sourceType']>, string>> = {
  'application/x-ndjson': 'NDJSON',
  'application/json': 'JSON',
  'text/csv': 'CSV',
}

/** Returns the display name of a format; `null` for an empty input. */
export function formatName(
  facts: Pick<Batch, 'sourceType' | 'format'> & { contentType: Batch['sourceType'] },
): string | null {
  const { contentType, sourceType = contentType, format } = facts
  if (format !== undefined) return READ_AS[format].replace(/^an? /, '')
  return sourceType === undefined ? null : NAMES[sourceType]
}

/** Returns a notice that `--records` names no array of an input. */
export function recordsNotice(
  { name, recordsPath }: Input,
  { records }: ReadOptions,
): string | undefined {
  if (records === undefined || records === 'none' || recordsPath !== undefined) return undefined
  return `${inputLabel(name)}: \`--records\` has no effect, because the input is not a document with an array at \`${escapeControls(records)}\`.`
}

/** The names of formats after `as`. */
export const READ_AS = {
  csv: 'CSV',
  tsv: 'CSV with tabs',
  logfmt: 'logfmt',
  ltsv: 'LTSV',
  clf: 'a web server log',
  syslog: 'syslog',
  w3c: 'a W3C extended log',
  table: 'a table',
  cri: 'a container log (CRI)',
  docker: 'a Docker log (json-file)',
  'otlp-json': 'OpenTelemetry JSON',
  text: 'text',
} as const satisfies Record<
  Exclude<DetectedFormat, 'ndjson' | 'json array' | 'json sequence' | 'json records'>,
  string
>

/** The number of inputs with notices. */
const MAX_NOTICES = 10

/** Returns a function that tells about the guessed format of an input and about `--records` without an effect, for the first inputs only. */
export function inputNotices(
  read: ReadOptions,
  { flag, tell }: { readonly flag: string; tell(text: string): void },
): (input: Input) => void {
  let told = 0
  return (input) => {
    const found = [guessNotice(input, flag), recordsNotice(input, read)]
    const notices = found.filter((text) => text !== undefined)
    if (notices.length === 0) return
    told += 1
    if (told <= MAX_NOTICES) for (const text of notices) tell(text)
    else if (told === MAX_NOTICES + 1) tell('The formats of further inputs are not shown.')
  }
}

/** Returns a notice that a format was guessed; `undefined` for JSON, which is unambiguous. `flag` sets the format. */
export function guessNotice(
  { name, format, isGuessed, columns, delimiter, layout, recordsPath }: Input,
  flag: string,
): string | undefined {
  const shownName = name === STANDARD_INPUT ? name : `\`${name}\``
  if (recordsPath !== undefined && isGuessed) {
    return `Reading ${shownName} as a document with an event per element of \`${escapeControls(recordsPath)}\`; \`--records none\` reads it as one event.`
  }
  if (delimiter !== undefined) {
    const sign = delimiter === '\t' ? '\\t' : delimiter
    return `Reading ${shownName} as CSV with the delimiter \`${sign}\`; \`--delimiter\` sets another delimiter.`
  }
  if (!isGuessed || !isGuess(format)) return undefined
  const named = columns === undefined ? '' : ` with the columns ${columnList(columns)}`
  const isLines = format === 'text' || layout?.other !== undefined
  const shownFormat = isLines ? layoutText(layout) : READ_AS[format]
  return `Reading ${shownName} as ${shownFormat}${named}; \`${flag}\` sets another format.`
}

/** Describes a layout: `NDJSON and text`, or `lines of \`compose\` (NDJSON, \`postgresql\`)`. */
function layoutText(layout: TextLayout = {}): string {
  const { wrapper, sources = {}, rest = {} } = layout
  if (wrapper === undefined) return linesText(layout).join(' and ')
  const inner = [rest, ...Object.values(sources)].flatMap((one) =>
    one.wrapper === undefined ? linesText(one) : [layoutText(one)],
  )
  return `lines of \`${wrapper}\` (${[...new Set(inner)].join(', ')})`
}

function linesText({ kind, json, format, time, other }: TextLayout): readonly string[] {
  const name = format?.name === TIMED_LINES.name ? undefined : format?.name
  const isOnlyJson = json?.isUsual && kind === undefined && format === undefined && !time
  const lines = name === undefined ? READ_AS[kind ?? 'text'] : `\`${name}\``
  const all = [...(json ? ['NDJSON'] : []), ...(isOnlyJson ? [] : [lines])]
  return [...new Set([...all, ...(other === undefined ? [] : linesText(other))])]
}

const MAX_SHOWN_COLUMNS = 8
const MAX_SHOWN_LENGTH = 40

function columnList(columns: readonly string[]): string {
  const shown = columns.slice(0, MAX_SHOWN_COLUMNS).map((name) => {
    const text = name.length > MAX_SHOWN_LENGTH ? `${name.slice(0, MAX_SHOWN_LENGTH)}…` : name
    return `\`${escapeControls(text)}\``
  })
  const rest = columns.length - shown.length
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ')
}

function isGuess(format: DetectedFormat): format is keyof typeof READ_AS {
  return format in READ_AS
}
