import { type Command, Option } from 'commander'
import { patternRegExp } from '../../../input/log/pattern/compile-regex.js'
import { PatternError } from '../../../input/log/pattern/line-pattern.js'
import { translateRegex } from '../../../input/log/pattern/regex-translator.js'
import type { Multiline } from '../../../input/log/text.js'
import type { ReadOptions } from '../../../input/read-options.js'
import type { TimeZone } from '../../../wire/time/time-zone.js'
import { UsageError } from '../../error/usage-error.js'
import { parseOption } from '../../option/line-pattern.js'
import { flagName, namedValuesOption, namesOption } from '../../option/option.js'
import { addRare } from '../../option/rare.js'
import { timeZoneOption } from '../../option/time-zone.js'
import type { Environment } from '../../settings/config.js'
import { inputFormatOption } from './line-format.js'

type Labels = Readonly<Record<string, string>>

/** A flag that determines the events read from files or standard input. */
interface ReadingFlag<Value> {
  option(env: Environment): Option
  /** False when the events read from the same bytes do not depend on the flag, so that a run with another value may resume. */
  readonly isFixed?: false
  /** True when a scan of files supports the flag, by itself or through the detected input. */
  readonly isScannable: boolean
  /** The commands whose `--help` lists the flag; the other commands list it with `--help-all`. */
  readonly listedBy?: 'all' | 'ingest'
  /** True for a flag about CSV, which `--parse` excludes. */
  readonly isOfCsv?: boolean
  /** Returns the options for reading, unless they depend on other flags as well. */
  read?(value: Value): Partial<ReadOptions>
  /** Returns the values on a command line; by default the value. */
  written?(value: Value): readonly string[]
  /** Returns the value in checkpoints; by default the value. */
  kept?(value: Value): string
}

type Plain = string | number | boolean
type Json = Plain | readonly string[] | Labels

/** Requires the functions for values that can't be written, or kept, as they are. */
function flag<Value>(
  row: ReadingFlag<Value> &
    ([Value] extends [Plain] ? unknown : Required<Pick<ReadingFlag<Value>, 'written'>>) &
    ([Value] extends [Json] ? unknown : Required<Pick<ReadingFlag<Value>, 'kept'>>),
): ReadingFlag<Value> {
  return row
}

/** All flags for reading. A scan of files must not be used with a flag that it would ignore. */
export const READING_FLAGS = {
  /** `auto`, a format, or the name of a saved format. The checkpoint contains the detected format. */
  inputFormat: flag<string>({
    option: inputFormatOption,
    isFixed: false,
    isScannable: true,
    listedBy: 'all',
  }),
  parse: flag<readonly string[]>({
    option: () =>
      parseOption(
        'the layout of lines: a pattern of APL, a regular expression with named groups, or grok; see `evq help patterns`',
      ),
    isScannable: true,
    listedBy: 'all',
    written: (patterns) => patterns,
  }),
  recursive: flag<boolean>({
    option: () =>
      new Option('-r, --recursive', 'read the files in directories, except hidden ones'),
    isFixed: false,
    isScannable: true,
    listedBy: 'all',
  }),
  /** A field, two fields, `auto` or `none`. */
  timestampField: flag<string>({
    option: () =>
      new Option(
        '--timestamp-field <field>',
        'the field with the event time, two as in Date,Time, auto or none (default: auto, which takes _time or a known name)',
      ),
    isScannable: true,
    listedBy: 'ingest',
  }),
  timestampFormat: flag<string>({
    option: () =>
      new Option('--timestamp-format <layout>', 'Go layout of event times: 2006-01-02 15:04:05'),
    isScannable: false,
  }),
  timezone: flag<TimeZone>({
    option: () => timeZoneOption('zone of times without a zone: Europe/Berlin, +02:00 (UTC)'),
    isScannable: true,
    listedBy: 'all',
    read: (zone) => ({ zone }),
    written: ({ name }) => [name],
    kept: ({ name }) => name,
  }),
  year: flag<number>({
    option: yearOption,
    isScannable: true,
    read: (year) => ({ year }),
  }),
  label: flag<Labels>({
    option: () =>
      namedValuesOption('-l, --label <name=value>', 'add a field to every event; can be repeated'),
    isScannable: false,
    listedBy: 'ingest',
    written: (labels) => Object.entries(labels).map(([name, value]) => `${name}=${value}`),
  }),
  /** `auto`, `off` or a regular expression. */
  multiline: flag<string>({
    option: multilineOption,
    isScannable: true,
    listedBy: 'ingest',
    read: (text) => ({ multiline: multilineOf(text) }),
  }),
  sourceFields: flag<boolean>({
    option: () => new Option('--source-fields', 'add _file, _line and _offset to each event'),
    isScannable: true,
    read: (hasSourceFields) => ({ hasSourceFields }),
  }),
  records: flag<string>({
    option: () =>
      new Option(
        '--records <path>',
        'the array of events in a JSON document: Records, hits.hits, or none (default: a known one)',
      ),
    isScannable: true,
    read: (records) => ({ records }),
  }),
  strictInput: flag<boolean>({
    option: () =>
      new Option(
        '--strict-input',
        'reject the lines of NDJSON that are not JSON, which are events with a message otherwise',
      ),
    isScannable: true,
    read: (isStrict) => ({ isStrict }),
  }),
  csvFields: flag<readonly string[]>({
    option: () =>
      namesOption('--csv-fields <names>', 'column names of CSV without a header line: a,b,c'),
    isScannable: true,
    isOfCsv: true,
    written: (names) => [names.join(',')],
  }),
  delimiter: flag<string>({ option: delimiterOption, isScannable: true, isOfCsv: true }),
}

type FlagName = keyof typeof READING_FLAGS

type ValueOf<Flag> = Flag extends ReadingFlag<infer Value> ? Value : never

export type ReadingFlags = { readonly [Name in FlagName]?: ValueOf<(typeof READING_FLAGS)[Name]> }

const ROWS: Readonly<Record<FlagName, ReadingFlag<unknown>>> = READING_FLAGS
const NAMES = Object.keys(READING_FLAGS) as FlagName[]

interface AddOptions {
  readonly env: Environment
  /** The command that the flags are added to. */
  readonly to: 'ingest' | 'query'
  /** Flags that the command defines itself. */
  readonly except: readonly FlagName[]
}

export function addReadingOptions(command: Command, { env, to, except }: AddOptions): Command {
  for (const name of NAMES.filter((one) => !except.includes(one))) {
    const { option, listedBy } = ROWS[name]
    const add = (one: Command) => one.addOption(option(env))
    if (listedBy === 'all' || listedBy === to) add(command)
    else addRare(command, add)
  }
  return command
}

export function readingFlags(flags: ReadingFlags): ReadingFlags {
  return withoutAuto(Object.fromEntries(given(flags).map((name) => [name, flags[name]])))
}

function given(flags: ReadingFlags): readonly FlagName[] {
  return NAMES.filter((name) => flags[name] !== undefined)
}

/** Returns the names of the flags that are given, as they are written. */
export function namesOf(flags: ReadingFlags): readonly string[] {
  return given(flags).map(flagName)
}

/** Returns the flags that determine events, by name, with their values as checkpoints contain them. */
export function fixedFlags(flags: ReadingFlags): Readonly<Record<string, unknown>> {
  const fixed = given(flags).filter((name) => ROWS[name].isFixed !== false)
  return Object.fromEntries(
    fixed.map((name) => {
      const value = ROWS[name].kept?.(flags[name]) ?? flags[name]
      const isSingle = Array.isArray(value) && value.length === 1
      return [flagName(name), isSingle ? value[0] : value]
    }),
  )
}

/** Returns the words of a command line that reads the same events again. */
export function flagWords(flags: ReadingFlags): readonly string[] {
  return given(flags).flatMap((name) => {
    const value = flags[name]
    if (typeof value === 'boolean') return value ? [flagName(name)] : []
    const values = ROWS[name].written?.(value) ?? [String(value)]
    return values.flatMap((text) => [flagName(name), text])
  })
}

/** Returns the options for reading of the flags that determine them independently of others. */
export function optionsOfFlags(flags: ReadingFlags): Partial<ReadOptions> {
  return Object.assign({}, ...given(flags).map((name) => ROWS[name].read?.(flags[name])))
}

/** True when a scan of files supports all of the flags. */
export function isScannable(flags: ReadingFlags): boolean {
  return given(flags).every((name) => ROWS[name].isScannable)
}

/** Returns the flags without `--timestamp-field auto`, which is the default. */
export function withoutAuto<T extends Pick<ReadingFlags, 'timestampField'>>(flags: T): T {
  if (flags.timestampField !== 'auto') return flags
  const { timestampField: _, ...others } = flags
  return others as T
}

function multilineOption(): Option {
  return new Option(
    '--multiline <how>',
    'join stack traces and other lines of an event: auto, off, or the expression with which an event begins',
  ).argParser((text: string) => {
    multilineOf(text)
    return text
  })
}

/** Parses the value of `--multiline`. Throws a `UsageError` for an invalid regular expression. */
function multilineOf(text: string): Multiline {
  if (text === 'auto' || text === 'off') return text
  try {
    return patternRegExp(translateRegex({ text, fields: [] }))
  } catch (error) {
    if (!(error instanceof PatternError || error instanceof SyntaxError)) throw error
    throw new UsageError(
      `\`--multiline\` takes \`auto\`, \`off\` or a regular expression, not \`${text}\`: ${error.message}`,
    )
  }
}

function delimiterOption(): Option {
  const option = new Option(
    '--delimiter <character>',
    'the column delimiter of CSV; `\\t` is a tab (default: `,`, or `;`, `|` or a tab if the header has it and no comma)',
  )
  return option.argParser((value: string) => {
    const delimiter = value === '\\t' ? '\t' : value
    if (/^[\t\u0020-\u0021\u0023-\u007e]$/.test(delimiter)) return delimiter
    throw new UsageError(
      `\`--delimiter\` takes one ASCII character other than a quote, such as \`;\` or \`\\t\`, not \`${value}\`.`,
    )
  })
}

const FIRST_YEAR = 1970
/** The last whole year of 64-bit nanoseconds. */
const LAST_YEAR = 2261

function yearOption(): Option {
  const option = new Option(
    '--year <year>',
    'the year of the first line, for times without a year (default: the latest possible)',
  )
  return option.argParser((value: string) => {
    const year = /^\d{4}$/.test(value) ? Number(value) : 0
    if (year >= FIRST_YEAR && year <= LAST_YEAR) return year
    throw new UsageError(
      `\`--year\` takes a year from ${FIRST_YEAR} to ${LAST_YEAR}, not \`${value}\`.`,
    )
  })
}

/** Throws a `UsageError` when flags exclude each other. */
export function checkReadingFlags(flags: ReadingFlags): void {
  const { inputFormat = 'auto', timestampField, timestampFormat, timezone, year } = flags
  // Two fields are read like the times in lines.
  const isServiceField = timestampField !== undefined && !timestampField.includes(',')
  if (timestampFormat !== undefined && timezone !== undefined) {
    throw excluded('timezone', 'timestampFormat')
  }
  if (year !== undefined && timestampFormat !== undefined) throw excluded('year', 'timestampFormat')
  if (year !== undefined && isServiceField) throw excluded('year', 'timestampField')
  if (flags.parse === undefined) return
  const ofCsv = given(flags).find((name) => ROWS[name].isOfCsv)
  const isText = ['auto', 'text'].includes(inputFormat)
  const other = isText ? ofCsv && flagName(ofCsv) : `-i ${inputFormat}`
  if (other !== undefined) {
    throw new UsageError(`\`--parse\` reads lines of text, so it can't be used with \`${other}\`.`)
  }
}

function excluded(completes: 'timezone' | 'year', name: keyof ReadingFlags): UsageError {
  return new UsageError(
    `\`${flagName(completes)}\` completes times whose layout is detected, so it can't be used with \`${flagName(name)}\`.`,
  )
}
