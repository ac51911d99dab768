import { isSpace, OPEN_BRACE, OPEN_BRACKET } from '../text/bytes.js'
import { containerEnd } from '../wire/json/members.js'
import { InputError, inputLabel } from './error.js'
import { withoutColors } from './log/colors.js'
import { LOG_FORMATS, type LogFormat } from './log/log-format.js'
import { isOtlpRequest } from './log/otlp.js'
import { haveProgramFormat } from './log/text-layout.js'
import { DOCKER } from './log/wrapper/docker.js'
import { hasLeadingClock, recognizeLines } from './recognize.js'
import { findRecords } from './records-start.js'

/** The format of the events in an input. */
export type Format = 'ndjson' | 'json' | 'csv' | 'tsv' | LogFormat

/** The detected format: JSON may be an array, an array inside a document, or a sequence of objects of several lines each. */
export type DetectedFormat =
  | Exclude<Format, 'json'>
  | 'json array'
  | 'json sequence'
  | 'json records'

/** Returns the format to request for an input whose format was detected before. */
export function formatOption(found: DetectedFormat): Format {
  return found === 'json array' || found === 'json sequence' || found === 'json records'
    ? 'json'
    : found
}

/** The formats that can be requested, in the order of the help. */
export const FORMATS: readonly Format[] = ['ndjson', 'json', 'csv', 'tsv', ...LOG_FORMATS]

/** The first bytes of an input; `isWhole` is true when there are no more. */
interface InputHead {
  readonly name: string
  /** Without a byte order mark. */
  readonly head: Buffer
  readonly isWhole: boolean
  /** The path of the array of events in a document, or `none`, if the user named it. */
  readonly records?: string | undefined
}

const COMPRESSED = '(?:\\.(?:gz|zst))?$'
const NAMES: readonly (readonly [pattern: RegExp, format: DetectedFormat])[] = [
  [new RegExp(`\\.csv${COMPRESSED}`, 'i'), 'csv'],
  [new RegExp(`\\.tsv${COMPRESSED}`, 'i'), 'tsv'],
  [new RegExp(`\\.(?:ndjson|jsonl)${COMPRESSED}`, 'i'), 'ndjson'],
]

/**
 * Returns the requested format, or the one detected from the first bytes; undefined while more bytes are needed. Throws
 * `InputError` when `json` was requested and the input is not JSON.
 */
export function detectFormat(
  asked: Format | 'auto',
  beginning: InputHead,
): DetectedFormat | undefined {
  if (asked !== 'auto' && asked !== 'json') return asked
  const { head, isWhole, name, records } = beginning
  const first = head.find((byte) => !isSpace(byte))
  if (first === undefined) return isWhole ? 'ndjson' : undefined
  if (first === OPEN_BRACKET && asked === 'json') return 'json array'
  if (first === OPEN_BRACKET) return bracket(beginning)
  if (
    first === OPEN_BRACE &&
    asked === 'auto' &&
    BRACED_OTHER.test(head.toString('latin1', 0, MAX_BLANK))
  ) {
    return lines(beginning)
  }
  if (first === OPEN_BRACE) {
    const found =
      records === 'none' || (records === undefined && formatOfName(name) === 'ndjson')
        ? undefined
        : findRecords(head.toString('latin1'), { isWhole, path: records })
    if (found !== undefined) return found === 'more' ? undefined : 'json records'
    return asked === 'json' ? 'json sequence' : objects(beginning)
  }
  if (asked === 'json') {
    throw new InputError(`${inputLabel(name)} is not JSON: it begins with neither \`[\` nor \`{\`.`)
  }
  return lines(beginning)
}

/**
 * A date or a word in braces, as some programs write it at the beginning of lines; a dictionary of Python; a hash of Ruby; an object
 * as Node.js prints it.
 */
const BRACED_OTHER =
  /^\s*\{(?: ?\d{4}[-/]\d\d[-/]\d\d[ T]\d|[\w.-]{1,100}\}|\s*'[^'\n]{0,100}'\s*:|\s*"[^"\n]{0,100}"\s*=>|(?: |\n {2})[A-Za-z_$][\w$]{0,100}: )/
const MAX_BLANK = 256

/** An array with content, or an empty one, but not a line that begins with a blank box. */
const CONTAINER = /^\s*\[\s*(?:[{[",]|\]\s*(?:\[|\n))/
/** An array of numbers, but neither the process of a program in front of a clock nor the rank of one in front of its output. */
const SCALAR =
  /^\s*\[(?!\d{1,6},\d{1,6}\]\S)(?![^"\n]{0,60}\d:\d\d:\d\d)\s*(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)\s*(?:,|\]\s*(?:\n|$))/

/** Detects whether a bracket begins an array, or lines with a time or a level in brackets. */
function bracket(beginning: InputHead): DetectedFormat | undefined {
  const text = beginning.head.toString('latin1')
  if (CONTAINER.test(text)) return 'json array'
  if (!beginning.isWhole && !hasBracketedLine(text)) return undefined
  return /^\s*\[\s*\]?\s*$/.test(text) || SCALAR.test(text) ? 'json array' : lines(beginning)
}

/**
 * True when a complete line contains a bracket followed by a non-blank character. Takes linear time, like all tests
 * here.
 */
function hasBracketedLine(text: string): boolean {
  const ended = text.slice(0, text.lastIndexOf('\n') + 1)
  return ended.split('\n').some((line) => /\[\s*\S/.test(line))
}

/** The number of bytes that distinguish export requests of OpenTelemetry from other objects. */
const REQUEST_START = 64
/** The end of the first line is looked for in this many bytes. */
const MAX_FIRST_LINE = 64 * 1024
/** A comma between objects or at the end of a line, or white space in front of another object of the same line. */
const SEPARATED = /^(?:\s*,[ \t\r]*(?:\n|\{|$)|[ \t]+\{)/
/**
 * A line that is not a value of JSON: an object in front of it belongs to the text of a log, unless other objects of several lines
 * follow.
 */
const OTHER_LINE = /^\s*\n\s*(?![\s{[\]},"]|(?:true|false|null|-?\d[\d.eE+-]*)\s*(?:\n|$)|$)/
const OTHER_OBJECT = /\n\{[ \t\r]*\n/

/**
 * Detects whether objects have a line each, or several lines: `jq` prints a line end after the first brace. Objects with commas
 * between them, and several objects in a line, are a sequence, too.
 */
function objects(beginning: InputHead): DetectedFormat | undefined {
  const { head, isWhole } = beginning
  const [, next] = /^\s*\{[ \t\r]*([^ \t\r])/.exec(head.toString('latin1')) ?? []
  if (next === undefined && !isWhole) return undefined
  const text = head.toString('latin1', 0, MAX_FIRST_LINE)
  const end = containerEnd(text, text.indexOf('{'))
  const isFollowedBy = (rest: RegExp) => end !== -1 && rest.test(text.slice(end, end + MAX_BLANK))
  if (next === '\n') {
    const isInLog = isFollowedBy(OTHER_LINE) && !OTHER_OBJECT.test(text.slice(end))
    return isInLog ? lines(beginning) : 'json sequence'
  }
  if (isOtlpRequest(head.toString('latin1', 0, REQUEST_START))) return 'otlp-json'
  if (!isWhole && text.length < MAX_FIRST_LINE && !text.includes('\n')) return undefined
  if (DOCKER.parse(text.split('\n', 1)[0]!) !== undefined) return 'docker'
  return isFollowedBy(SEPARATED) ? 'json sequence' : 'ndjson'
}

/**
 * Detects the format of lines. The file name takes precedence over the content, because an NDJSON file may begin with bad lines;
 * an exception are logs without a header, such as the csvlog of PostgreSQL and the archives of Papertrail.
 */
function lines({ name, head, isWhole }: InputHead): DetectedFormat | undefined {
  const named = formatOfName(name)
  const text = withoutColors(head.toString('latin1'))
  const beginsWithValue =
    (named === 'csv' && hasLeadingClock(text)) || (named === 'tsv' && /^\d/.test(text))
  if (beginsWithValue && haveProgramFormat(text)) return 'text'
  if (named !== undefined) return named
  return isNdjson(text) ? 'ndjson' : recognizeLines(text, { isWhole })
}

/** The longest banner, in lines, such as the output of an entry point in front of a log. */
const BANNER_LINES = 64

/** True for lines of JSON, with or without a banner, but not for a log or other output in which some lines are JSON. */
function isNdjson(text: string): boolean {
  const lines = text.split('\n').filter((line) => /\S/.test(line))
  const banner = lines.findIndex(isObject)
  if (banner === -1) return false
  const objects = lines.filter(isObject).length
  if (objects * 2 >= lines.length) return true
  return (
    banner <= BANNER_LINES && objects * 2 >= lines.length - banner && !lines.some(hasLeadingClock)
  )
}

function isObject(line: string): boolean {
  return /^\s*\{"/.test(line)
}

/** Returns the format of a file extension; undefined for other extensions. */
export function formatOfName(name: string): DetectedFormat | undefined {
  return NAMES.find(([pattern]) => pattern.test(name))?.[1]
}
