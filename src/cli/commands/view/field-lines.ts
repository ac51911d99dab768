// Lays out the fields of an event as lines.
import { escapeControls, withoutTabs } from '../../../render/escape-controls.js'
import { BOLD, FAINT, PLAIN, type Style, styleOf } from '../../../render/screen/style.js'
import { tonesOf } from '../../../render/tone.js'
import { width as widthOf } from '../../../text/width.js'
import type { JsonText } from '../../../wire/json/json-text.js'
import type { TimeZone } from '../../../wire/time/time-zone.js'
import { textInZone } from './clock.js'
import { type EventField, eventFields } from './event-fields.js'
import { type ShownOriginal, shownOriginal } from './original-lines.js'
import { panelLines, type State } from './state.js'
import { wrappedPieces } from './wrap.js'

const NAME_WIDTH = 28
/** Longer values of an event are cut on the screen; queries print them whole. */
const MOST_LINES = 200
const MOST_CHARACTERS = 20_000

interface FieldLine {
  /** The index of the field; the original follows the last one. */
  readonly field: number
  /** Empty except on the first line of the field, like the type. */
  readonly name: string
  readonly nameStyle: Style
  readonly type: string
  readonly text: string
  readonly column: number
  readonly style: Style
}

const ORIGINAL = 'original'
/** The column of names, and of the lines of the original. */
const FIRST_COLUMN = 2

/** Returns the fields and the original of the selected event as lines. */
export function fieldLines(state: State) {
  const { columns } = state.size
  const fields = eventFields(state)
  const original = shownOriginal(state)
  const names = [...fields.map(({ name }) => name), ...(original === undefined ? [] : [ORIGINAL])]
  const longest = Math.max(...names.map((name) => widthOf(escapeControls(name))), 4)
  const nameWidth = Math.min(longest, NAME_WIDTH, Math.floor(columns / 2))
  const typeWidth = columns >= 80 ? Math.max(...fields.map(({ type }) => type.length), 0) : 0
  const column = FIRST_COLUMN + nameWidth + 2 + (typeWidth > 0 ? typeWidth + 2 : 0)
  const width = columns - column
  const lines = fields.flatMap((field, index) =>
    linesOfField(field, { index, column, width, zone: state.zone }),
  )
  if (original !== undefined)
    lines.push(...linesOfOriginal(original, { index: fields.length, column, columns }))
  return { lines, nameWidth, typeWidth }
}

/** Returns the place of the original, or a note, and the lines below, on the whole width of the screen. */
function linesOfOriginal(
  { place, text, isNote }: ShownOriginal,
  { index, column, columns }: { readonly index: number; readonly column: number; columns: number },
): readonly FieldLine[] {
  const width = Math.max(8, columns - column)
  const [first = '', ...others] = isNote ? wrapped(text, width) : [place]
  const head = { name: ORIGINAL, nameStyle: FAINT, text: first, column, style: FAINT }
  const notes = others.map((line) => ({ ...NO_NAME, text: line, column, style: FAINT }))
  const lines = isNote ? [] : textLines(text)
  const shown = lines.flatMap((line) => wrapped(line, columns - FIRST_COLUMN))
  const rows = shown.map((line) => ({ ...NO_NAME, text: line, column: FIRST_COLUMN, style: PLAIN }))
  return [head, ...notes, ...rows]
    .slice(0, MOST_LINES)
    .map((line) => ({ field: index, type: '', ...line }))
}

const NO_NAME = { name: '', nameStyle: PLAIN }

/** Returns the number of lines of a field that do not fit on the screen. */
export function linesBeyond(state: State, field: number): number {
  const { lines } = fieldLines(state)
  return Math.max(0, lines.filter((line) => line.field === field).length - panelLines(state))
}

function linesOfField(
  { name, type, cell }: EventField,
  {
    index,
    column,
    width,
    zone,
  }: Pick<FieldLine, 'column'> & { index: number; width: number; zone: TimeZone },
): readonly FieldLine[] {
  const style = styleOf(tonesOf({ name, type }, [cell])(0)) & ~FAINT
  const lines = valueLines(cell, type, zone).flatMap((line) => wrapped(line, Math.max(8, width)))
  return lines.slice(0, MOST_LINES).map((text, line) => ({
    field: index,
    name: line === 0 ? name : '',
    nameStyle: BOLD,
    type: line === 0 ? type : '',
    text,
    column,
    style,
  }))
}

/** Returns the lines of a value; nested values are indented. */
function valueLines(cell: JsonText, type: string, zone: TimeZone): readonly string[] {
  const isNested = cell.startsWith('{') || cell.startsWith('[')
  if (isNested && cell.length <= MOST_CHARACTERS) return indented(cell).split('\n')
  return textLines(textInZone(cell, type, zone))
}

function textLines(text: string): readonly string[] {
  const shown = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text
  return shown.split('\n').map((line) => withoutTabs(line.replace(/\r$/, '')))
}

/** Returns JSON with line breaks. Numbers stay as they are written. */
function indented(cell: JsonText): string {
  let out = ''
  let depth = 0
  let before = ''
  for (const [token] of cell.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    const isFirst = before === '{' || before === '['
    const isClosing = token === '}' || token === ']'
    if (isClosing) depth -= 1
    if (isClosing ? !isFirst : isFirst || before === ',') out += `\n${'  '.repeat(depth)}`
    out += token === ':' ? ': ' : token
    if (token === '{' || token === '[') depth += 1
    before = token
  }
  return out
}

function wrapped(text: string, width: number): readonly string[] {
  return wrappedPieces([{ text, style: PLAIN }], width, MOST_LINES).map((pieces) =>
    pieces.map((piece) => piece.text).join(''),
  )
}
