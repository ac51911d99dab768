import { escapeRegex } from '../../text/escape-regex.js'
import { MONTHS, type TimePart, type TimePattern } from './time-pattern.js'

// Layouts in the form of Go's reference time, whose elements are read like Go's `time.Parse` reads them:
// https://pkg.go.dev/time#Layout

interface Element {
  /** A regular expression; lookaheads make its match independent of what follows. */
  readonly reads: string
  readonly parts: readonly TimePart[]
}

type Piece = Element | string

const TWO = '(\\d\\d)'
const SHORT = '(\\d\\d|\\d(?!\\d))'
const SHORT_MONTHS = anyOf(MONTHS)
const LONG_MONTHS = anyOf(
  'january february march april may june july august september october november december'.split(
    ' ',
  ),
)
const SHORT_DAYS = anyOf('sun mon tue wed thu fri sat'.split(' '))
const LONG_DAYS = anyOf('sunday monday tuesday wednesday thursday friday saturday'.split(' '))
const ZONE =
  '(UTC|ChST|MeST|GMT(?:[+-]\\d{1,2}(?!\\d))?|[+-]\\d{1,2}(?!\\d)|[A-Z]{3}(?![A-Z])|(?:[A-Z]{3}T|WITA)(?![A-Z])|[A-Z]{4}T(?![A-Z]))'
const FRACTION: Element = { reads: '(?:[.,](\\d+)(?!\\d)|(?![.,]\\d))', parts: ['fraction'] }

/** The elements of layouts, in the order in which Go tries them. */
const ELEMENTS: readonly (readonly [form: string, element: Element])[] = [
  ['January', { reads: `(${LONG_MONTHS})`, parts: ['month-name'] }],
  ['Jan(?![a-z])', { reads: `(${SHORT_MONTHS})`, parts: ['month-name'] }],
  ['Monday', { reads: `(?:${LONG_DAYS})`, parts: [] }],
  ['Mon(?![a-z])', { reads: `(?:${SHORT_DAYS})`, parts: [] }],
  ['MST', { reads: ZONE, parts: ['zone'] }],
  ['01', { reads: TWO, parts: ['month'] }],
  ['02', { reads: TWO, parts: ['day'] }],
  ['03', { reads: TWO, parts: ['half-hour'] }],
  ['04', { reads: TWO, parts: ['minute'] }],
  ['05', { reads: TWO, parts: ['second'] }],
  ['06', { reads: TWO, parts: ['short-year'] }],
  ['002', { reads: '(\\d{3})', parts: ['day-of-year'] }],
  ['15', { reads: SHORT, parts: ['hour'] }],
  ['1', { reads: SHORT, parts: ['month'] }],
  ['2006', { reads: '(\\d{4})', parts: ['year'] }],
  ['2', { reads: SHORT, parts: ['day'] }],
  ['_2(?!006)', { reads: ` ?${SHORT}`, parts: ['day'] }],
  ['__2', { reads: ' {0,2}(\\d{3}|\\d{1,2}(?!\\d))', parts: ['day-of-year'] }],
  ['3', { reads: SHORT, parts: ['half-hour'] }],
  ['4', { reads: SHORT, parts: ['minute'] }],
  ['5', { reads: SHORT, parts: ['second'] }],
  ['PM', { reads: '(AM|PM)', parts: ['half'] }],
  ['pm', { reads: '(am|pm)', parts: ['half'] }],
  ...['070000', '07:00:00', '0700', '07:00', '07'].flatMap((form) => [
    [`-${form}`, offset(form)] as const,
    [`Z${form}`, offsetOrZ(form)] as const,
  ]),
]

const BY_TEXT = new Map(ELEMENTS.map(([form, element]) => [form.replace(/\(.*/, ''), element]))
/** A fraction, or the form of another element. */
const FORM = new RegExp(`([.,](?:0+|9+)(?!\\d)|${ELEMENTS.map(([form]) => form).join('|')})`)

/** Compiles a layout such as `2006-01-02 15:04:05`; undefined when it has no year. */
export function compileLayout(layout: string): TimePattern | undefined {
  const pieces = withFractions(cut(layout))
  const parts = pieces.flatMap((piece) => (typeof piece === 'string' ? [] : piece.parts))
  if (!parts.includes('year') && !parts.includes('short-year')) return undefined
  const reads = pieces.map((piece) => (typeof piece === 'string' ? literal(piece) : piece.reads))
  return { matches: new RegExp(`^${reads.join('')}$`), parts }
}

/** Splits a layout into elements and literal text. */
function cut(layout: string): readonly Piece[] {
  // The texts of elements, which are a group, are at odd indices.
  const pieces = layout.split(FORM).map((text, at) => {
    return at % 2 === 0 ? text : (BY_TEXT.get(text) ?? fractionOf(text))
  })
  return pieces.filter((piece) => piece !== '')
}

/** Returns the element for a fraction: zeros match as many digits, nines match any number of digits. */
function fractionOf(form: string): Element {
  return form.endsWith('9')
    ? FRACTION
    : { reads: `[.,](\\d{${form.length - 1}})`, parts: ['fraction'] }
}

/** Adds a fraction after seconds, which may have one even if the layout does not. */
function withFractions(pieces: readonly Piece[]): readonly Piece[] {
  const elements = pieces.filter((piece) => typeof piece !== 'string')
  return pieces.flatMap((piece) => {
    if (typeof piece === 'string' || piece.parts[0] !== 'second') return [piece]
    const next = elements[elements.indexOf(piece) + 1]
    return next?.parts[0] === 'fraction' ? [piece] : [piece, FRACTION]
  })
}

/** Returns the regular expression for literal text. Blanks match any number of blanks, or the end. */
function literal(text: string): string {
  return escapeRegex(text).replace(/ +/g, '(?: +|$)')
}

function offset(form: string): Element {
  const parts: TimePart[] = ['offset-sign', 'offset-hour', 'offset-minute', 'offset-second']
  const pairs = form.replaceAll(/07|00/g, TWO)
  return {
    reads: `([+-])${pairs}`,
    parts: parts.slice(0, 1 + form.replaceAll(':', '').length / 2),
  }
}

function offsetOrZ(form: string): Element {
  const { reads, parts } = offset(form)
  return { reads: `(?:Z|${reads})`, parts }
}

/** Returns the regular expression for any of the words, ignoring case. */
function anyOf(words: readonly string[]): string {
  const letters = (word: string) =>
    word.replaceAll(/[a-z]/g, (one) => `[${one.toUpperCase()}${one}]`)
  return words.map(letters).join('|')
}
