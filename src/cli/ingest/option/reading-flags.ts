import { type Command, Option } from 'commander'
import { patternRegExp } from '../../../input/log/pattern/compile-regex.js'
import { PatternError } from '../../../input/log/pattern/line-pattern.js'
import { translateRegex } from '../../../input/log/pattern/regex-translator.js'
import type { Multiline } from '../../../input/log/text.js'
import type { TimeZone } from '../../../wire/time/time-zone.js'
import { UsageError } from '../../error/usage-error.js'
import { parseOption } from '../../option/line-pattern.js'
import { flagName, nameAndValue, namesIn } from '../../option/option.js'
import { addRare } from '../../option/rare.js'
import { timeZoneOption } from '../../option/time-zone.js'
import type { Environment } from '../../settings/config.js'
import { inputFormatOption } from './line-format.js'

/** The flags that determine the events read from files or standard input. */
export interface ReadingFlags {
  /** `auto`, a format, or the name of a saved format. */
  readonly inputFormat?: string
  readonly parse?: readonly string[]
  readonly recursive?: boolean
  /** A field, or `none`; by default it is detected. */
  readonly timestampField?: string
  /** A Go time layout. */
  readonly timestampFormat?: string
  /** The zone of times without a zone in lines. */
  readonly timezone?: TimeZone
  /** The year of the first time in lines without a year. */
  readonly year?: number
  readonly label?: Readonly<Record<string, string>>
  /** `auto`, `off` or a regular expression. */
  readonly multiline?: string
  /** Adds `_file`, `_line` and `_offset` to each event. */
  readonly sourceFields?: boolean
  /** The path of the array of events in a JSON document, or `none`. */
  readonly records?: string
  /** Rejects lines of NDJSON that are not objects. */
  readonly strictInput?: boolean
  readonly csvFields?: readonly string[]
  readonly delimiter?: string
}

interface ReadingFlag {
  option(env: Environment): Option
  /** False when the events read from the same bytes do not depend on the flag, so that a run with another value may resume. */
  readonly isFixed?: false
  /** True when a scan of files supports the flag, by itself or through the detected input. */
  readonly isScannable: boolean
  /** The commands whose `--help` lists the flag; the other commands list it with `--help-all`. */
  readonly listedBy?: 'all' | 'ingest'
}

/** All flags for reading. A scan of files must not be used with a flag that it would ignore. */
export const READING_FLAGS: Readonly<Record<keyof ReadingFlags, ReadingFlag>> = {
  // The checkpoint contains the detected format.
  inputFormat: { option: inputFormatOption, isFixed: false, isScannable: true, listedBy: 'all' },
  parse: {
    option: () =>
      parseOption(
        'the layout of lines: a pattern of APL, a regular expression with named groups, or grok; see `evq help patterns`',
      ),
    isScannable: true,
    listedBy: 'all',
  },
  recursive: {
    option: () =>
      new Option('-r, --recursive', 'read the files in directories, except hidden ones'),
    isFixed: false,
    isScannable: false,
    listedBy: 'all',
  },
  timestampField: {
    option: () =>
      new Option(
        '--timestamp-field <field>',
        'the field with the event time, two as in Date,Time, auto or none (default: auto, which takes _time or a known name)',
      ),
    isScannable: true,
    listedBy: 'ingest',
  },
  timestampFormat: {
    option: () =>
      new Option('--timestamp-format <layout>', 'Go layout of event times: 2006-01-02 15:04:05'),
    isScannable: false,
  },
  timezone: {
    option: () =>
      timeZoneOption('zone of times without a zone in lines: Europe/Berlin, +02:00 (UTC)'),
    isScannable: true,
    listedBy: 'all',
  },
  year: { option: yearOption, isScannable: true },
  label: { option: labelOption, isScannable: false, listedBy: 'ingest' },
  multiline: { option: multilineOption, isScannable: true, listedBy: 'ingest' },
  sourceFields: {
    option: () => new Option('--source-fields', 'add _file, _line and _offset to each event'),
    isScannable: true,
  },
  records: {
    option: () =>
      new Option(
        '--records <path>',
        'the array of events in a JSON document: Records, hits.hits, or none (default: a known one)',
      ),
    isScannable: true,
  },
  strictInput: {
    option: () =>
      new Option(
        '--strict-input',
        'reject the lines of NDJSON that are not JSON, which are events with a message otherwise',
      ),
    isScannable: true,
  },
  csvFields: { option: csvFieldsOption, isScannable: true },
  delimiter: { option: delimiterOption, isScannable: true },
}

const NAMES = Object.keys(READING_FLAGS) as (keyof ReadingFlags)[]

interface AddOptions {
  readonly env: Environment
  /** The command that the flags are added to. */
  readonly to: 'ingest' | 'query'
  /** Flags that the command defines itself. */
  readonly except: readonly (keyof ReadingFlags)[]
}

export function addReadingOptions(command: Command, { env, to, except }: AddOptions): Command {
  for (const name of NAMES.filter((one) => !except.includes(one))) {
    const { option, listedBy } = READING_FLAGS[name]
    const add = (one: Command) => one.addOption(option(env))
    if (listedBy === 'all' || listedBy === to) add(command)
    else addRare(command, add)
  }
  return command
}

export function readingFlags(flags: ReadingFlags): ReadingFlags {
  return withoutAuto(Object.fromEntries(given(flags).map((name) => [name, flags[name]])))
}

function given(flags: ReadingFlags): readonly (keyof ReadingFlags)[] {
  return NAMES.filter((name) => flags[name] !== undefined)
}

/** Returns the names of the flags that are given, as they are written. */
export function namesOf(flags: ReadingFlags): readonly string[] {
  return given(flags).map(flagName)
}

/** Returns the flags that determine events, by name, with their values as checkpoints contain them. */
export function fixedFlags(flags: ReadingFlags): Readonly<Record<string, unknown>> {
  const fixed = given(flags).filter((name) => READING_FLAGS[name].isFixed !== false)
  return Object.fromEntries(
    fixed.map((name) => {
      const value = name === 'timezone' ? flags.timezone?.name : flags[name]
      const isSingle = Array.isArray(value) && value.length === 1
      return [flagName(name), isSingle ? value[0] : value]
    }),
  )
}

/** True when a scan of files supports all of the flags. */
export function isScannable(flags: ReadingFlags): boolean {
  return given(flags).every((name) => READING_FLAGS[name].isScannable)
}

/** Returns the flags without `--timestamp-field auto`, which is the default. */
export function withoutAuto<T extends Pick<ReadingFlags, 'timestampField'>>(flags: T): T {
  if (flags.timestampField !== 'auto') return flags
  const { timestampField: _, ...others } = flags
  return others as T
}

type Labels = Readonly<Record<string, string>>

function labelOption(): Option {
  const option = new Option(
    '-l, --label <name=value>',
    'add a field to every event; can be repeated',
  )
  return option.argParser((text: string, before: Labels | undefined): Labels => {
    const [name, value] = nameAndValue(text, '--label')
    return { ...before, [name]: value }
  })
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
export function multilineOf(text: string): Multiline {
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

function csvFieldsOption(): Option {
  const option = new Option(
    '--csv-fields <names>',
    'column names of CSV without a header line: a,b,c',
  )
  return option.argParser((value: string): readonly string[] => {
    const names = namesIn(value, '--csv-fields')
    const twice = names.find((name, i) => names.indexOf(name) < i)
    if (twice === undefined) return names
    throw new UsageError(`\`--csv-fields\` names the column \`${twice}\` twice.`)
  })
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

/** Throws a `UsageError` when `--parse` is combined with a flag for another format. */
export function checkParse(flags: ReadingFlags): void {
  const { parse, inputFormat = 'auto', csvFields, delimiter } = flags
  if (parse === undefined) return
  const format = ['auto', 'text'].includes(inputFormat) ? undefined : inputFormat
  const others = {
    [`-i ${inputFormat}`]: format,
    '--csv-fields': csvFields,
    '--delimiter': delimiter,
  }
  const [other] = Object.entries(others).find(([, value]) => value !== undefined) ?? []
  if (other !== undefined) {
    throw new UsageError(`\`--parse\` reads lines of text, so it can't be used with \`${other}\`.`)
  }
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

/** Throws a `UsageError` when a flag about times in lines is combined with a flag that sets the field or the format of times. */
export function checkTimeFlags(flags: ReadingFlags): void {
  const { timestampField, timestampFormat, timezone, year } = flags
  const flag = timezone !== undefined ? '--timezone' : year !== undefined ? '--year' : undefined
  // Times in two fields are read like times in lines.
  if (flag === undefined || timestampField?.includes(',')) return
  for (const [other, value] of Object.entries({
    '--timestamp-field': timestampField,
    '--timestamp-format': timestampFormat,
  })) {
    if (value === undefined) continue
    throw new UsageError(
      `\`${flag}\` completes the times in lines of logs, so it can't be used with \`${other}\`.`,
    )
  }
}
