// Formats an event as one line: time, level, source, message, and the other fields as `name=value`.

import { normalLevel } from '../../../input/log/level.js'
import { FILE_FIELD, PLACE_FIELDS } from '../../../input/mapping/source-fields.js'
import { isTimeName } from '../../../input/mapping/time-name.js'
import { cellText } from '../../../render/cell.js'
import { withoutTabs } from '../../../render/escape-controls.js'
import { MESSAGE_FIELDS } from '../../../render/event-line.js'
import {
  BOLD,
  FAINT,
  MAGENTA,
  PLAIN,
  RED,
  type Style,
  styleOf,
  YELLOW,
} from '../../../render/screen/style.js'
import { isLevelField, levelCellTone } from '../../../render/tone.js'
import { counted, formatInteger } from '../../../text/integer.js'
import { ownValue } from '../../../text/own-value.js'
import { parseEventTime } from '../../../wire/event/event-time.js'
import type { JsonText } from '../../../wire/json/json-text.js'
import type { TimeZone } from '../../../wire/time/time-zone.js'
import { timeOfCell } from '../../../wire/time/timestamp.js'
import { shownTime } from './clock.js'
import type { FileLabels } from './file-labels.js'
import { roughDuration } from './gaps.js'
import { STATUS_FIELDS } from './levels.js'
import type { Cells, ViewRow } from './row.js'

export interface Piece {
  readonly text: string
  readonly style: Style
}

/** Field names that programs use for the part of a system that an event is from, in order of preference. */
export const SOURCE_FIELDS: readonly string[] = [
  ...['service', 'service.name', 'logger', 'logger_name', 'loggerName', 'log.logger'],
  ...['app', 'component', 'program', 'appname', 'unit'],
  ...['container', 'pod', 'source', 'host', 'hostname'],
]

const HIDDEN: readonly string[] = ['_time', '_sysTime', '_rowId']
const DAY_WIDTH = 100
const FILE_WIDTH = 80
const LEVEL_WIDTH = 5
const SOURCE_WIDTH = 20
/** Longer texts are cut, because no terminal is wide enough to show more. */
const MAX_TEXT = 4_000

interface LineStyle {
  readonly width: number
  readonly zone: TimeZone
  readonly labels: FileLabels
  /** True when some of the events have a level. */
  readonly hasLevels: boolean
  /** The time since the previous event in nanoseconds, if it is unusually long. */
  readonly gap?: bigint | undefined
}

export function eventLine(
  { cells, repeats }: ViewRow,
  { width, zone, labels, hasLevels, gap }: LineStyle,
): readonly Piece[] {
  const level = levelField(cells)
  const source = SOURCE_FIELDS.find((name) => cells.has(name))
  const message = MESSAGE_FIELDS.find((name) => cells.has(name))
  const pieces: Piece[] = [timePiece(cells, width, zone), ...filePieces(cells, width, labels)]
  if (gap !== undefined) pieces.push({ text: `↓${roughDuration(gap)} `, style: MAGENTA })
  const levelText = level === undefined ? '' : (cellText(cells.get(level)!) ?? '')
  const tone = styleOf(levelCellTone(levelText))
  if (hasLevels) {
    pieces.push({ text: `${shortLevel(levelText).padEnd(LEVEL_WIDTH)} `, style: tone })
  }
  if (source !== undefined) {
    const text = sourceText(cellText(cells.get(source)!) ?? '')
    pieces.push({ text: `${text} `, style: BOLD })
  }
  if (repeats !== undefined) {
    const until = shownTime(repeats.until, zone)
    const end = until === undefined ? '' : ` until ${until.clock}`
    pieces.push({ text: `×${formatInteger(repeats.count)}${end} `, style: MAGENTA })
  }
  const said = message === undefined ? [] : folded(cellText(cells.get(message)!) ?? '')
  pieces.push(...said)
  if (repeats !== undefined) return pieces
  const request = message === undefined ? requestOf(cells) : undefined
  if (request !== undefined) pieces.push(...request.pieces)
  const time = timeOfCell(cells.get('_time'))
  for (const [name, cell] of cells) {
    if (name === level || name === source || name === message || HIDDEN.includes(name)) continue
    if (labels.size > 0 && PLACE_FIELDS.includes(name)) continue
    // The word for the level in the log itself.
    if (name === 'severity_text' && level !== undefined) continue
    if (request?.names.includes(name)) continue
    if (time !== undefined && isTimeName(name) && parseEventTime(cellText(cell) ?? '') === time)
      continue
    if (said[0] !== undefined && hasPair(said[0].text, name, cell)) continue
    pieces.push({ text: `${name}=`, style: FAINT }, ...valuePieces(cell))
  }
  return pieces
}

/** Words for levels that are wider than their column. */
const SHORT_LEVELS: Readonly<Record<string, string>> = {
  warning: 'warn',
  notice: 'note',
  critical: 'crit',
  emergency: 'emerg',
  information: 'info',
  informational: 'info',
  failure: 'fail',
  failed: 'fail',
  verbose: 'verb',
}

function shortLevel(word: string): string {
  if (word.length <= LEVEL_WIDTH) return word
  const short = ownValue(SHORT_LEVELS, word.toLowerCase())
  const isUpper = word === word.toUpperCase()
  return (isUpper ? short?.toUpperCase() : short) ?? word.slice(0, LEVEL_WIDTH)
}

const METHOD_FIELDS = ['method', 'http.method', 'req.method', 'cs-method']
const PATH_FIELDS = ['path', 'uri', 'url', 'http.url', 'req.url', 'cs-uri-stem']

/** Returns the HTTP request and the status of its response; undefined when an event does not have both. */
function requestOf(cells: Cells) {
  const names = [METHOD_FIELDS, PATH_FIELDS, STATUS_FIELDS].flatMap(
    (known) => known.find((name) => cells.has(name)) ?? [],
  )
  if (names.length < 3) return undefined
  const [method = '', path = '', status = ''] = names.map(
    (name) => cellText(cells.get(name)!) ?? '',
  )
  const code = Number(status)
  const style = code >= 500 ? RED : code >= 400 ? YELLOW : PLAIN
  const pieces: readonly Piece[] = [
    { text: `${status} `, style },
    { text: `${method} ${short(path)} `, style: PLAIN },
  ]
  return { names, pieces }
}

function short(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
}

function timePiece(cells: Cells, width: number, zone: TimeZone): Piece {
  const time = shownTime(cells.get('_time'), zone)
  if (time === undefined) return { text: '', style: PLAIN }
  const day = width >= DAY_WIDTH ? `${time.day} ` : ''
  return { text: `${day}${time.clock} `, style: FAINT }
}

/** Returns the column with the file of an event; empty on a narrow screen. */
function filePieces(cells: Cells, width: number, labels: FileLabels): readonly Piece[] {
  if (width < FILE_WIDTH) return []
  const file = cells.get(FILE_FIELD)
  // The events of standard input have no file.
  const label = labels.get(file === undefined ? '-' : (cellText(file) ?? ''))
  return label === undefined ? [] : [{ text: `${label} `, style: FAINT }]
}

/** Shortens a long name to its last part, which tells most: `com.example.OrderService`. */
function sourceText(name: string): string {
  if (name.length <= SOURCE_WIDTH) return name
  const last = name.slice(name.lastIndexOf('.') + 1)
  return last.length < 3 ? name.slice(0, SOURCE_WIDTH) : last.slice(0, SOURCE_WIDTH)
}

function valuePieces(cell: string): readonly Piece[] {
  if (cell.length > MAX_TEXT) return [{ text: `${short(cell)} `, style: PLAIN }]
  const text = cell.startsWith('"') ? (cellText(cell) ?? '') : cell
  if (text.includes('\n') && text.trim() !== '') return folded(text)
  const isPlain = !cell.startsWith('"') || /^[^\s"=]+$/.test(text)
  return [{ text: `${isPlain ? text : cell} `, style: PLAIN }]
}

/** True when a message contains a field as `name=value`, as messages from which fields are read do. */
function hasPair(message: string, name: string, cell: JsonText): boolean {
  const text = cellText(cell) ?? ''
  const words = ` ${message} `
  return [text, `"${text}"`].some((value) => words.includes(` ${name}=${value} `))
}

/** Returns the first line of a text that is not blank, with spaces for tabs, and the number of further lines. */
function folded(whole: string): readonly Piece[] {
  const text = whole.replace(/^\s*\n/, '')
  const end = text.indexOf('\n')
  const first = withoutTabs(end === -1 ? text : text.slice(0, end))
  const pieces = [{ text: `${short(first).trimEnd()} `, style: PLAIN }]
  if (end === -1) return pieces
  const others = text.trimEnd().split('\n').length - 1
  return others === 0
    ? pieces
    : [...pieces, { text: `[+${counted(others, 'line')}] `, style: FAINT }]
}

export function hasLevel({ cells }: ViewRow): boolean {
  return levelField(cells) !== undefined
}

/** Returns the field with the level. PostgreSQL's `DETAIL`, `HINT`, `STATEMENT` and others in `severity_text` continue an event. */
function levelField(cells: Cells): string | undefined {
  const isLevel = (cell: JsonText) => normalLevel(cellText(cell) ?? '') !== undefined
  return [...cells.keys()].find(
    (name) => isLevelField(name) && (name !== 'severity_text' || isLevel(cells.get(name)!)),
  )
}
