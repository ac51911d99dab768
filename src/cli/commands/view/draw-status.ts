// Draws the last line of the screen.
import { cutText } from '../../../render/fit-text.js'
import type { Grid } from '../../../render/screen/grid.js'
import { BOLD, INVERSE, PLAIN, RED } from '../../../render/screen/style.js'
import { formatInteger } from '../../../text/integer.js'
import { width as widthOf } from '../../../text/width.js'
import { shortBytes } from '../../option/quantity.js'
import { shownTime } from './clock.js'
import { isOriginalSelected } from './event-fields.js'
import { contextOf, isPaged } from './query.js'
import { selectedRow } from './rows.js'
import type { Message, State } from './state.js'
import { wrappedWords } from './wrap.js'

/** Draws the last message, or the position and the most important keys. */
export function drawStatus(grid: Grid, state: State): void {
  const y = grid.height - 1
  const { message, reading } = state
  const isOfReading = message !== undefined && message.text === reading?.trouble
  if (message !== undefined && !(isOfReading && isDrawnAbove(state))) {
    drawMessage(grid, message, y)
    return
  }
  // A screen of two lines has an event in this line.
  grid.put(y, 0, ' '.repeat(grid.width), INVERSE)
  const text = state.digits === '' ? positionText(state) : state.digits
  const column = grid.put(y, 1, cutText(text, grid.width - 2), INVERSE)
  const hints = fitting(hintsOf(state), grid.width - column - 2)
  grid.put(y, grid.width - widthOf(hints) - 1, hints, INVERSE)
}

/** True when the problem of a completed reading is drawn in place of the events. */
function isDrawnAbove({ reading, rows }: State): boolean {
  return reading?.isDone === true && selectedRow(rows) === undefined
}

/** Returns the hints that fit: the first ones, and the last one. */
function fitting(hints: string, room: number): string {
  const shown = hints.split('  ')
  while (shown.length > 0 && widthOf(shown.join('  ')) >= room) shown.splice(-2, 1)
  return shown.join('  ')
}

/** Returns the keys of a panel, the most important ones first. */
function hintsOf(state: State): string {
  const { panel, zone, digits } = state
  if (digits !== '') return 'G row  % percent  j k rows  n N e E matches  Esc cancels'
  switch (panel.kind) {
    case 'help':
    case 'spans':
      return 'Esc closes'
    case 'facet':
      return 'Enter only this  ! not this  ← → field  Esc closes'
    case 'operators':
      return 'Space off, on  Enter edit  x remove  ← → operator  Esc closes'
    case 'event':
      return isOriginalSelected(state, panel)
        ? 'y copy the original  J K next, previous  Esc closes'
        : '= only this  ! not this  v values  J K next, previous  < > compare  c column  Esc'
    default:
      return `? keys  q quit  / find  & filter  v values  = ! by value  e error  : query  ${zone.name}`
  }
}

/** Returns the position of the selected row, the number of rows, and how much of the files has been read. */
function positionText(state: State): string {
  const { rows, reading, zone, isFollowing, isFolded, shift } = state
  const day = shownTime(selectedRow(rows)?.cells.get('_time'), zone)?.day
  const around = contextOf(state.query)
  const isMoving = rows.loading.other !== undefined
  const parts = [
    placeText(state),
    day,
    isFolded && isPaged(state.query) ? 'folded' : undefined,
    shift > 0 ? `from column ${formatInteger(shift + 1)}` : undefined,
    progressText(state),
    around > 0 ? `${around} around each` : undefined,
    isFollowing ? 'following' : isMoving ? 'loading' : undefined,
    reading?.isDone && !isDrawnAbove(state) ? reading.trouble : undefined,
  ]
  return parts.filter((part) => part !== undefined).join('  ')
}

/** Returns the number of the selected row and the total number of rows, as far as both are known. */
function placeText(state: State): string | undefined {
  const { rows, counts, reading, query, former } = state
  // The rows of a query that has changed are still those of the former one.
  if (selectedRow(rows) === undefined || former !== undefined) return undefined
  const isRead = reading?.isDone !== false
  // The rows of a table are not counted, because all of them are held.
  const { first } = rows
  const isHeld = first !== undefined && rows.hasEnd && !rows.isPreview && !state.isFolded
  const isAll = isHeld && (isRead || !isPaged(query))
  const hasOthers = contextOf(query) > 0
  const total = isAll && !hasOthers ? first + rows.items.length : counts?.total
  const more = isRead ? '' : '…'
  if (first === undefined || state.isFolded || hasOthers) {
    if (total === undefined) return undefined
    const noun = total === 1 && isRead ? 'event' : 'events'
    return `${formatInteger(total)}${more} ${hasOthers ? 'matching ' : ''}${noun}`
  }
  const place = first + rows.selected + 1
  // Rows of a log that grows are on the screen before they are counted.
  const of = total === undefined ? '' : ` of ${formatInteger(Math.max(total, place))}${more}`
  return `${formatInteger(place)}${of}`
}

function progressText({ reading, isCounting }: State): string | undefined {
  if (reading === undefined) return isCounting ? 'counting' : undefined
  if (reading.isDone) return undefined
  const { share, bytes } = reading
  return `reading ${share === undefined ? shortBytes(bytes) : `${Math.floor(share * 100)} %`}`
}

const MARGIN = 1

/** Draws a message in as many lines as it needs, up to half of the screen. The last of them is `end`. */
export function drawMessage(grid: Grid, { kind, text }: Message, end: number): void {
  const style = INVERSE | (kind === 'error' ? RED | BOLD : PLAIN)
  const width = grid.width - 2 * MARGIN
  const lines = wrappedWords(text, width).slice(0, Math.max(1, Math.floor(grid.height / 2)))
  for (const [index, line] of lines.entries()) {
    const y = end - lines.length + 1 + index
    grid.put(y, 0, ' '.repeat(grid.width), INVERSE)
    grid.put(y, MARGIN, line, style)
  }
}
