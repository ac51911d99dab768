import { isAccessLine, isSyslogLine } from '../../recognize.js'
import { withoutColors } from '../colors.js'
import { beginsObject } from '../json-record.js'
import { beginsWithUsualPair } from '../logfmt.js'
import { beginsWithTime, isContinuation } from '../multiline/event-start.js'
import { decodeEscapes } from '../quoted.js'
import { prefixWrapper } from './prefix.js'
import type { WrappedLine, Wrapper } from './wrapper.js'

// Lines of logs that tools print again: after the file and the number of the line, or in quotes.

/** A path from a root, or a file with an extension; `RP/0/RP0/CPU0` of Cisco is neither. */
const FILE = '(?<file>(?:[A-Za-z]:\\\\|/|\\.{1,2}/)[^\\s:]{1,200}|[^\\s:]{1,200}\\.[^\\s:/]{1,60})'
/** Excludes the port after a virtual host in a line of a web server. */
const NOT_PORT = '(?!\\d{1,5} \\S+ \\S+ \\S+ \\[)'
/** A file in front of a hyphen, as in the lines around a match; the hyphens of a date do not end it. */
const FILE_NEARBY = '(?<file>[^\\s:]{1,200}\\.\\w{1,8})'
/** The text after a hyphen that is not within a date. */
const NEARBY = '(?=\\D|\\d{4}[-/]\\d\\d[-/]\\d\\d[T ])'

/** True for a line that begins an event of a log for certain. */
function beginsCertainly({ text }: Pick<WrappedLine, 'text'>): boolean {
  // Zabbix writes its process in front of digits, and Redis in front of a letter.
  if (/^(?:\d{8}:|[CMSX] \d\d [A-Z])/.test(text)) return false
  // A time alone may be the value of a key.
  if (/^[\d\sTZ:.,+/-]*$/.test(text)) return false
  const tests = [beginsWithTime, isAccessLine, isSyslogLine, beginsObject, beginsWithUsualPair]
  return tests.some((test) => test(text))
}

/** True when most wrapped lines begin events of a log for certain, apart from blank lines and lines that continue an event. */
export function areLines(lines: readonly WrappedLine[]): boolean {
  const events = lines.filter(({ text }) => text.trim() !== '' && !isContinuation(text))
  return events.filter(beginsCertainly).length * 2 > events.length
}

function numberOf({ fields }: WrappedLine, field = 'line'): number {
  return Number(fields.find(([name]) => name === field)?.[1])
}

/** True when the numbers of the lines of each file increase, or there are none. */
function areAscending(lines: readonly WrappedLine[]): boolean {
  const last = new Map<string, number>()
  return lines.every((line) => {
    const number = numberOf(line)
    const isGreater = Number.isNaN(number) || number > (last.get(line.source) ?? 0)
    last.set(line.source, number)
    return isGreater
  })
}

/** True for two lines or more with consecutive numbers. */
function areConsecutive(lines: readonly WrappedLine[], field = 'line'): boolean {
  const isNext = (line: WrappedLine, at: number) =>
    at === 0 || numberOf(line, field) === numberOf(lines[at - 1]!, field) + 1
  return lines.length > 1 && lines.every(isNext)
}

export const GREP: Wrapper = prefixWrapper({
  name: 'grep',
  title: 'grep with -n, -H, -r or -C: a file, the number of the line, or both',
  example: 'logs/app.log:12:started',
  pattern: `(?:${FILE}:${NOT_PORT}(?:(?<line>\\d{1,9}):)?|(?<line>\\d{1,9}):|(?:${FILE_NEARBY}-(?:(?<line>\\d{1,9})-)??|(?<line>\\d{1,9})-)${NEARBY})`,
  source: ['file'],
  accepts: (lines) => areLines(lines) && areAscending(lines),
})

export const NUMBERED: Wrapper = prefixWrapper({
  name: 'numbered',
  title: 'cat -n, nl, less -N, consoles on web pages: the number of the line',
  example: '     1\tstarted',
  // Without spaces in front of it, a number may be the first value of a log.
  pattern: '(?: {1,9}(?<line>\\d{1,9})(?:\\t| {1,2})|(?<line>\\d{1,9})(?:\\t| \\|(?: |$)))',
  accepts: (lines) => areLines(lines) && areConsecutive(lines),
})

export const COUNTED: Wrapper = prefixWrapper({
  name: 'counted',
  title: 'uniq -c: the number of equal lines',
  example: '     12 started',
  // The numbers are aligned to the right.
  pattern: '(?=[ \\d]{7} \\S) {1,6}(?<count>[1-9]\\d{0,5}) (?=\\S)',
  hasNumbers: true,
  accepts: (lines) => {
    // Lines of numbers are a table.
    const areTexts = lines.every(({ text }) => !/^\d[\d.]*\s/.test(text))
    return areTexts && lines.length > 1 && !areConsecutive(lines, 'count')
  },
})

export const REPLY: Wrapper = prefixWrapper({
  name: 'reply',
  title: 'lines of a log in a mail or a list: a sign and a space in front of them',
  example: '> started',
  pattern: '(?:>(?: ?>){0,3}(?: |(?=\\r?$))|[*-] )',
  accepts: areLines,
})

/** A line in quotes, or bytes as Python prints them; a row of several values in quotes is none. */
const QUOTES =
  /^ {0,8}(?:(")([^"\\]*(?:(?:\\.|"")[^"\\]*)*)"|(')([^']*)'|(b)(?:"(.*)"|'(.*)')),?[ \r]*$/

/** Lines in quotes: strings of JSON, values of CSV, or lines that were copied. */
export const QUOTED: Wrapper = {
  name: 'quoted',
  title: 'lines in quotes: strings of JSON, one column of CSV, bytes of Python',
  example: '"started"',
  hasTime: false,
  accepts: (lines) => lines.length > 1 && areLines(lines),
  parse(line) {
    const [, double, first, single, second, mark, ...bytes] = QUOTES.exec(line) ?? []
    const quote = double ?? single ?? mark
    if (quote === undefined) return undefined
    return { source: '', fields: [], text: unquoted(first ?? second ?? bytes.join(''), quote) }
  },
  head(line) {
    const [, mark, quote, text] = /^ {0,8}(b?)(["'])(.*)/.exec(line) ?? []
    return text === undefined ? undefined : { source: '', text: unquoted(text, mark || quote!) }
  },
}

/** Returns the text inside of quotes, in latin1, in which a quote is doubled or has a backslash in front of it. */
function unquoted(text: string, quote: string): string {
  // The program wrote a line end after the line.
  if (quote === 'b') return withoutColors(decodeEscapes(text)).replace(/\r?\n$/, '')
  if (/""/.test(text) && !/\\"/.test(text)) return text.replaceAll('""', '"')
  return quote === "'" ? text : withoutColors(decodeEscapes(text))
}
