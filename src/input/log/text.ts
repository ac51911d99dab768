import { isSpace } from '../../text/bytes.js'
import { type ConversionState, firstTimeOf, timesStateOf } from './conversion-state.js'
import type { EventText } from './event-text.js'
import { BLOCKS, separatesBlocks } from './format/blocks.js'
import {
  beginsWith,
  type CompiledFormat,
  compileFormat,
  type StartPattern,
  timePattern,
} from './format/compiled-format.js'
import { addPairsAtEnd, type EventTimes, formatReader } from './format/format-reader.js'
import { LEVELED_LINES, TIMED_LINES } from './format/general.js'
import type { LineFormat } from './format/line-format.js'
import { objectReader } from './json-record.js'
import { beginsWithLevel, lineLevel, messageLevel } from './line-level.js'
import type { Conversion, LineReader } from './log-format.js'
import {
  beginsStatement,
  beginsUndated,
  crashLevel,
  isAfterAccess,
  isTrace,
  tracebackLevel,
  traceLevel,
} from './multiline/crash.js'
import { ANY_LINE, containing, type EventStart, isFollowing } from './multiline/event-start.js'
import { continuesTrace, withoutHeaders } from './multiline/headed-traces.js'
import { compilePattern } from './pattern/compile-pattern.js'
import type { LinePattern } from './pattern/line-pattern.js'
import { patternReader } from './pattern/pattern-reader.js'
import { FieldTimes, timeField } from './pattern/pattern-times.js'
import type { TextLayout } from './text-layout.js'
import {
  type EventTimeReading,
  findLayout,
  type LineLayout,
  type LineTime,
} from './time/line-layout.js'
import { LineTimes } from './time/line-times.js'
import { UPTIME_START } from './time/uptime.js'

/** Lines that continue an event: the detected ones, no line, or each line that does not match an expression. */
export type Multiline = 'auto' | 'off' | RegExp

export interface TextOptions extends EventTimeReading {
  readonly multiline?: Multiline | undefined
  /** The state after earlier records. */
  readonly state: ConversionState
}

/** Returns the functions that find and read the events of a text with a known layout. */
export function textConversion(layout: TextLayout, options: TextOptions): Conversion {
  return withIndent(linesConversion(layout, options), layout.indent)
}

/** Returns the functions for an indented text: only lines with a greater indentation continue an event. */
export function withIndent(conversion: Conversion, indent: number | undefined): Conversion {
  if (indent === undefined) return conversion
  const { start, read } = conversion
  const inner = (line: string) => withoutIndent(line, indent)
  return {
    ...conversion,
    ...(start && {
      start: {
        isStart: (line, previous, first) =>
          start.isStart(inner(line), inner(previous), first && inner(first)),
      },
    }),
    read: (record, event) => read(inner(record), event),
  }
}

/** Removes at most `indent` spaces and tabs from the beginning of a line; later lines may have fewer. */
function withoutIndent(line: string, indent: number): string {
  let at = 0
  while (at < indent && (line[at] === ' ' || line[at] === '\t')) at++
  return line.slice(at)
}

function linesConversion(layout: TextLayout, options: TextOptions): Conversion {
  const { findsTime, timeFormat, multiline = 'auto', state } = options
  if (layout.format?.isCustom) return customConversion(layout, layout.format, options)
  const id = layout.time ?? layout.ambiguous?.layout
  const known = id === undefined ? undefined : findLayout(id, timeFormat)
  const format =
    layout.format &&
    compileFormat(layout.format, known && timePattern(known.time?.pattern ?? timeFormat!.source))
  const readsTime = findsTime && layout.time !== undefined
  const times = known && readsTime ? textTimes(known, options) : undefined
  const isLeveled = layout.format?.name === LEVELED_LINES.name
  const starts = startsOf(layout, { format, known })
  const isBlocks = layout.format?.name === BLOCKS.name
  const found = eventStart(multiline, starts)
  const written = found && isBlocks ? { ...found, isSeparator: separatesBlocks } : found
  const isNamed = layout.format !== undefined && layout.format.name !== TIMED_LINES.name
  const isTimed = known !== undefined && starts !== undefined && multiline === 'auto'
  const read =
    layout.format && format
      ? formatReader(format, {
          name: layout.format.name,
          times,
          found: state.fields,
          hasPairs: layout.hasPairs === true,
          readObject:
            layout.objects &&
            objectReader({ ...options, mapping: layout.objects, findsTime: false }),
        })
      : messageReader(times, { known, hasPairs: layout.hasPairs === true })
  return {
    format: 'text',
    state,
    ...(isNamed && { name: layout.format.name }),
    ...(isNamed && format && { fields: () => fieldNames(format.patterns, state.fields) }),
    start: isLeveled && multiline === 'auto' && written ? withOtherLines(written) : written,
    read: isLeveled ? withMessageLevel(read) : isTimed ? withoutTimes(read, starts) : read,
    lineTime: () =>
      findsTime ? ((times && firstTimeOf(state)) ?? withoutTime(layout)) : undefined,
  }
}

/**
 * Returns the test for lines with a level in which other lines continue an event only if they are indented, belong to a trace, or
 * follow its first line: lines of another program may follow the last line with a level.
 */
function withOtherLines({ isStart }: EventStart): EventStart {
  return {
    isStart: (line, previous, first) =>
      isStart(line, previous, first) ||
      (!(first === previous && isStart(previous, '')) &&
        ANY_LINE.isStart(line, previous) &&
        ANY_LINE.isStart(previous, '')),
    isCertain: (line, previous) => isStart(line, previous),
  }
}

/** The end of a bracket between a time and a message, and its longest text. */
const BRACKET_END = '] '
const MAX_BRACKET = 100

/**
 * Returns the position of the message, with its indentation, after a time that ends at `end`: `]`, `:`, a space, and a bar or a
 * bracket may precede it.
 */
function messageAfter(line: string, end: number): number {
  let at = end
  if (line[at] === ']' || line[at] === ')') at++
  if (line[at] === ':') at++
  if (line[at] === ' ') at++
  if (line.startsWith('| ', at)) return at + 2
  if (line[at] !== '[') return at
  const close = line.indexOf(BRACKET_END, at)
  return close === -1 || close > at + MAX_BRACKET ? at : close + BRACKET_END.length
}

/** The length of the shortest time. If a later line of an event begins otherwise, it has no time in front. */
const MIN_TIME = 8

/** True for the lines of a trace of Go without indentation: a blank line, the signal of a panic, a goroutine, its first call. */
function isOfGo(line: string, previous: string, at: number): boolean {
  if (line.length <= at || previous[at] === 'g') return true
  return line[at] === 'g' || (line[at] === '[' && line.startsWith('[signal ', at))
}

/** Reads the lines of a trace without the time in front of each of them. A trace without a level is an error. */
function withoutTimes(read: LineReader, starts: readonly StartPattern[]): LineReader {
  return (record, event) => {
    const feed = record.indexOf('\n')
    if (feed === -1) return read(record, event)
    const hasTimes = record.startsWith(record.slice(0, MIN_TIME), feed + 1)
    const start = hasTimes ? starts.find((one) => beginsWith(one, record)) : undefined
    const at = start === undefined ? 0 : messageAfter(record, start.scan.lastIndex)
    const text = hasTimes ? withoutHeaders(record, () => at) : record
    const reason = read(text, event)
    if (event.has('level')) return reason
    const level = (hasTimes ? traceLevel(text.slice(at)) : undefined) ?? tracebackLevel(text)
    if (level !== undefined) event.text('level', level)
    return reason
  }
}

/** A clock in front of a message. */
const CLOCK = /^\d\d:\d\d:\d\d(?:\.\d{1,9})? {1,8}/

/** Lines among lines with a level or a clock may have a level in another place, like the messages of compilers. */
function withMessageLevel(read: LineReader): LineReader {
  return (record, event) => {
    const reason = read(record, event)
    if (reason !== undefined || event.has('level')) return reason
    const level = messageLevel(record.replace(CLOCK, ''))
    if (level !== undefined) event.text('level', level)
    return undefined
  }
}

/** Returns the patterns of the beginnings of events; undefined when none is known. */
function startsOf(
  { uptime, format: written, isRarelyTimed }: TextLayout,
  { format, known }: { format: CompiledFormat | undefined; known: LineLayout | undefined },
): readonly StartPattern[] | undefined {
  if (written?.start === '' || isRarelyTimed) return undefined
  if (format !== undefined && format.starts.length > 0) return format.starts
  if (known !== undefined) return [known]
  return uptime === undefined ? undefined : [UPTIME_START]
}

/** Returns the functions that find and read the events of a user-defined format. */
function customConversion(
  layout: TextLayout,
  { name, patterns }: Pick<LineFormat, 'name' | 'patterns'>,
  { findsTime, multiline = 'auto', ...options }: TextOptions,
): Conversion {
  const times = findsTime ? new FieldTimes(layout.time, options) : undefined
  const start = eventStart(multiline, undefined)
  const compiled = patterns.map(compilePattern)
  return {
    format: 'text',
    name,
    state: options.state,
    fields: () =>
      fieldNames(
        compiled.map((pattern) =>
          times && options.state.firstTime ? withoutTimeField(pattern) : pattern,
        ),
      ),
    start,
    read: patternReader(compiled, { times, name: `\`${name}\`` }),
    lineTime: () => times && (firstTimeOf(options.state) ?? withoutTime(layout)),
  }
}

/** Returns the names of the fields of patterns, if `found` has them, except the fields that every format has. */
function fieldNames(
  patterns: readonly Pick<LinePattern, 'fields'>[],
  found?: ReadonlySet<string>,
): readonly string[] {
  const names = new Set(patterns.flatMap(({ fields }) => fields.map(({ name }) => name)))
  const isShown = (name: string) =>
    !['_time', 'message', '*', '+', '#', '=', 'cef', 'leef'].includes(name) &&
    found?.has(name) !== false
  return [...names].filter(isShown)
}

/** Returns a reader of times, the first of which is described in the state. */
function textTimes(layout: LineLayout, { now, times, state }: TextOptions): EventTimes {
  const lines = new LineTimes(layout, now, times, timesStateOf(state, layout.id))
  return {
    read(text) {
      const time = lines.read(text)
      if (time !== undefined) state.firstTime ??= lines.describe(text)
      return time
    },
    readAgain: (line, from) => lines.readAgain(line, from),
    get end() {
      return lines.end
    },
  }
}

/** The fields that an event has without pairs. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['message', 'level'])

/** Reads each event as a `message`, with its time, level and pairs. A wrapper may have a time instead of the one in the line. */
function messageReader(
  times: EventTimes | undefined,
  { known, hasPairs }: { readonly known: StartPattern | undefined; readonly hasPairs: boolean },
): LineReader {
  return (record: string, event: EventText) => {
    const time = times?.read(record)
    if (time !== undefined) event.setTime(time)
    const isTimed = times ? time !== undefined : known !== undefined && beginsWith(known, record)
    const level = isTimed ? lineLevel(record) : messageLevel(record)
    if (level !== undefined) event.text('level', level)
    event.text('message', record)
    if (hasPairs) addPairsAtEnd(record, event, OWN_FIELDS)
    return undefined
  }
}

/** A clock in the beginning of an event. A level alone, or a name, is in front of many events. */
const CLOCK_IN = /\d\d:\d\d/
const UNTIMED_ERROR = /^ERROR: \S/

/** Returns the test for lines that begin an event, with one of `starts`; undefined when every line is an event. */
export function eventStart(
  multiline: Multiline,
  starts: readonly StartPattern[] | undefined,
): EventStart | undefined {
  if (multiline === 'off') return undefined
  if (multiline !== 'auto') return containing(multiline)
  if (starts === undefined) return ANY_LINE
  /** The end of the time of the last line. */
  let end = 0
  const isTimed = (line: string) => {
    for (const start of starts) {
      if (!beginsWith(start, line)) continue
      end = start.scan.lastIndex
      return true
    }
    return false
  }
  // Some programs write a time in front of each line of a trace. Its lines are indented, follow such a line, or begin it below an error.
  const isOfTrace = (line: string, previous: string) => {
    const at = messageAfter(line, end)
    const isNear = isSpace(line.charCodeAt(at)) || isSpace(previous.charCodeAt(at))
    if (
      !isNear &&
      !isOfGo(line, previous, at) &&
      !(line[at] === 'T' && lineLevel(previous) === 'error')
    )
      return false
    return continuesTrace(line, previous, at) && CLOCK_IN.test(line.slice(0, end))
  }
  // Events have many lines with the same first one.
  let last = { first: '', isText: false }
  const isText = (first: string) => {
    if (last.first !== first) last = { first, isText: !isTimed(first) && !isTrace(first) }
    return last.isText
  }
  // The errors of a command or of a database are below the error of their caller.
  const isCause = (line: string, previous: string, first?: string) =>
    UNTIMED_ERROR.test(line) &&
    (isTimed(previous)
      ? lineLevel(previous) === 'error'
      : first !== undefined && first !== previous && UNTIMED_ERROR.test(previous))
  return {
    isStart: (line, previous, first) =>
      (isTimed(line) && !isOfTrace(line, previous) && !isFollowing(line, previous)) ||
      (crashLevel(line) !== undefined && !isFollowing(line, previous)) ||
      beginsUndated(line, previous) ||
      isAfterAccess(line, previous) ||
      // The level of the event may be on its second line, as in java.util.logging.
      (beginsWithLevel(line) &&
        (!isTimed(previous) || lineLevel(previous) !== undefined) &&
        !isCause(line, previous, first)) ||
      (first === previous &&
        beginsWithLevel(previous) &&
        !isTimed(previous) &&
        ANY_LINE.isStart(line, previous)) ||
      (first !== undefined &&
        isText(first) &&
        beginsStatement(line, previous) &&
        ANY_LINE.isStart(line, previous)),
  }
}

/** Returns a pattern without the field that becomes the event time. */
function withoutTimeField(pattern: LinePattern): Pick<LinePattern, 'fields'> {
  const time = timeField(pattern)
  return { fields: pattern.fields.filter(({ name }) => name !== time) }
}

/** Describes an input in which no time was read. */
function withoutTime({ format, ambiguous, uptime }: TextLayout): LineTime {
  if (format?.isCustom) return ambiguous ?? { kind: 'none', format: format.name }
  return ambiguous ?? { kind: 'none', uptime }
}
