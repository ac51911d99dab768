import { COMMA, SPACE, TAB } from '../../text/bytes.js'
import { matchAt } from '../../text/match-at.js'
import { beginsWithTime, isContinuation } from './multiline/event-start.js'
import { separatedPairs } from './separated-pairs.js'

/**
 * A key, perhaps in quotes as logr writes it, and its value. The length of a key is limited so that the search takes linear time in
 * long words. A semicolon within a value belongs to it, and a semicolon after it separates pairs. Python writes single quotes.
 */
const PAIR =
  /("?)([A-Za-z_@][\w.@/-]{0,127})\1=("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|(?!')(?:[^\s",=();]|;(?=[^\s",=();]))*)(?=[ \t,;]|$)/y
const MAX_KEY = 128
/** A value with the end of brackets that begin in front of it, as in `Order{id=5, size=12}` of Java. */
const CLOSING = /^(?!"|'.*'$)[^[{]*[\]}]/
/** Text between two pairs, and text after the last pair. */
const BETWEEN = /^\s*[,;]?\s*$/
const AFTER = /^[\s,;.]*$/
/** Text after the last equals sign of a line that ends with a pair, unless the value is in quotes. */
const LAST_VALUE = /^[^\s",=()]*[\s,;.]*$/
/** The key of a message of several words. */
const LAST_MESSAGE = / (msg|message)=(?=[^"'\s])/
/** Pairs are looked for in this many characters of the first line. */
const MAX_LINE = 4096
/** The beginning of a line of a box around a trace, in latin1. */
const BOX = /^\xe2[\x94-\x96]/
/** The share of the lines that must end with pairs. */
const LEAST_SHARE = 0.5
const COMPARED_LINES = 100

/** Returns the pairs at the end of the first line of a text; an empty array if the line ends with other text. */
export function pairsAtEnd(text: string): readonly (readonly [key: string, value: string])[] {
  const lineEnd = text.indexOf('\n')
  const written = text.slice(0, lineEnd === -1 ? MAX_LINE : Math.min(lineEnd, MAX_LINE)).trimEnd()
  // Between tabs, as Zscaler writes them, values have spaces.
  const line = (written.includes('\t') && separatedPairs(written)) || written
  const pairs = pairsOf(line)
  if (pairs.length > 0) return pairs
  // OpenDJ and PingDirectory write no quotes around the message, which is the last value.
  const found = LAST_MESSAGE.exec(line)
  const before = found === null ? [] : pairsOf(line.slice(0, found.index))
  if (found === null || before.length === 0) return []
  return [...before, [found[1]!, JSON.stringify(line.slice(found.index + found[0].length))]]
}

function pairsOf(line: string): readonly (readonly [key: string, value: string])[] {
  const last = line.lastIndexOf('=')
  const tail = line.slice(last + 1)
  if (last === -1 || !(/["']/.test(tail) || LAST_VALUE.test(tail))) return []
  let pairs: (readonly [string, string])[] = []
  let end = 0
  for (let sign = line.indexOf('='); sign !== -1; ) {
    const start = keyStart(line, { end, sign })
    const { 2: key = '', 3: value = '' } = matchAt(PAIR, line, start) ?? []
    // The start may be within a word that is too long for a key.
    if (PAIR.lastIndex === sign + 1 + value.length && !CLOSING.test(value)) {
      // Usually, only a space is between two pairs.
      if (start > end + 1 && !BETWEEN.test(line.slice(end, start - 1))) pairs = []
      pairs.push([key, doubleQuoted(value)])
      end = PAIR.lastIndex
    }
    sign = line.indexOf('=', Math.max(sign + 1, end))
  }
  return AFTER.test(line.slice(end)) ? pairs : []
}

/** Returns a value in single quotes with double quotes, and other values unchanged. */
function doubleQuoted(value: string): string {
  if (value[0] !== "'" || !/^'.*'$/.test(value)) return value
  return `"${value.slice(1, -1).replaceAll('"', '\\"')}"`
}

/** Returns the start of the key before an equals sign, which follows a separator after the end of another pair; `sign` for no key. */
function keyStart(line: string, { end, sign }: { end: number; sign: number }): number {
  let start = sign
  while (start > end && sign - start <= MAX_KEY && !isSeparator(line.charCodeAt(start - 1))) start--
  return start === 0 || start > end ? start : sign
}

function isSeparator(code: number): boolean {
  return code === SPACE || code === COMMA || code === TAB
}

function isEvent(line: string): boolean {
  return line !== '' && !BOX.test(line) && !isContinuation(line)
}

/**
 * True when at least half of the lines of a sample that begin an event end with pairs. Lines without a time continue an event if
 * other lines begin with a time.
 */
export function endInPairs(sample: string): boolean {
  const all = sample.split('\n', COMPARED_LINES).filter(isEvent)
  const dated = all.filter(beginsWithTime)
  const lines = dated.length > 1 ? dated : all
  return (
    lines.filter((line) => pairsAtEnd(line).length > 0).length >=
    Math.max(1, lines.length * LEAST_SHARE)
  )
}
