import { InputError, inputLabel } from './error.js'
import type { LogFormat } from './log/log-format.js'
import { isBlank } from './ndjson.js'
import { recognizeLines } from './recognize.js'

/** How events are written in an input. */
export type Format = 'ndjson' | 'json' | 'csv' | 'tsv' | LogFormat

/** As found: JSON is an array, or objects one after the other over several lines each. */
export type DetectedFormat = Exclude<Format, 'json'> | 'json array' | 'json sequence'

/** The formats that can be asked for, as the help lists them. */
export const FORMATS: readonly Format[] = [
  'ndjson',
  'json',
  'csv',
  'tsv',
  'logfmt',
  'clf',
  'syslog',
  'text',
]

/** An input's beginning, and whether it is the whole of it. */
interface InputHead {
  readonly name: string
  /** Without a byte-order mark. */
  readonly head: Buffer
  readonly isWhole: boolean
}

const OPENING_BRACE = 0x7b
const OPENING_BRACKET = 0x5b
const PACKED = '(?:\\.(?:gz|zst))?$'
const NAMES: readonly (readonly [pattern: RegExp, format: DetectedFormat])[] = [
  [new RegExp(`\\.csv${PACKED}`, 'i'), 'csv'],
  [new RegExp(`\\.tsv${PACKED}`, 'i'), 'tsv'],
  [new RegExp(`\\.(?:ndjson|jsonl)${PACKED}`, 'i'), 'ndjson'],
]

/** The format, as asked for or as the input's beginning shows it; undefined while more is needed to tell. */
export function detectFormat(
  asked: Format | 'auto',
  beginning: InputHead,
): DetectedFormat | undefined {
  if (asked !== 'auto' && asked !== 'json') return asked
  const { head, isWhole, name } = beginning
  const first = firstByte(head)
  if (first === undefined) return isWhole ? 'ndjson' : undefined
  if (first === OPENING_BRACKET && asked === 'json') return 'json array'
  if (first === OPENING_BRACKET) return bracket(beginning)
  if (first === OPENING_BRACE) return asked === 'json' ? 'json sequence' : objects(beginning)
  if (asked === 'json') {
    throw new InputError(`${inputLabel(name)} is not JSON: it begins with neither \`[\` nor \`{\`.`)
  }
  return lines(beginning)
}

const CONTAINER = /^\s*\[\s*[{["\],]/
const SCALAR = /^\s*\[\s*(?:true|false|null|-?\d[\d.eE+-]*)\s*(?:,|\]\s*(?:\n|$))/

/** An array, or lines that begin with a time or a level in brackets. */
function bracket(beginning: InputHead): DetectedFormat | undefined {
  const text = beginning.head.toString('latin1')
  if (CONTAINER.test(text)) return 'json array'
  if (!beginning.isWhole && !hasBracketedLine(text)) return undefined
  return text.trim() === '[' || SCALAR.test(text) ? 'json array' : lines(beginning)
}

/** Tests whether a bracket is followed by something else in a line that has ended; takes linear time, as all tests here. */
function hasBracketedLine(text: string): boolean {
  const ended = text.slice(0, text.lastIndexOf('\n') + 1)
  return ended.split('\n').some((line) => /\[\s*\S/.test(line))
}

/** Objects on a line each, or, as `jq` prints them, with a line end after the first brace. */
function objects({ head, isWhole }: InputHead): DetectedFormat | undefined {
  const [, next] = /^\s*\{[ \t\r]*([^ \t\r])/.exec(head.toString('latin1')) ?? []
  if (next === undefined && !isWhole) return undefined
  return next === '\n' ? 'json sequence' : 'ndjson'
}

/** What the name says goes before what the lines look like; an NDJSON file may begin with a bad line. */
function lines({ name, head, isWhole }: InputHead): DetectedFormat | undefined {
  const named = formatOfName(name)
  if (named !== undefined) return named
  const text = head.toString('latin1')
  return /\n[^\S\n]*\{"/.test(text) ? 'ndjson' : recognizeLines(text, { isWhole })
}

/** The format that an input's name stands for. */
export function formatOfName(name: string): DetectedFormat | undefined {
  return NAMES.find(([pattern]) => pattern.test(name))?.[1]
}

function firstByte(head: Buffer): number | undefined {
  for (let at = 0; at < head.length; at++) if (!isBlank(head, at, at + 1)) return head[at]
  return undefined
}
