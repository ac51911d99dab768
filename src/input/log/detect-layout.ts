import { setFlagsFromString } from 'node:v8'
import { addTo } from '../../text/lists.js'
import { parseTimestamp } from '../../wire/time/timestamp.js'
import { DAY, MILLISECOND } from '../../wire/time/units.js'
import { objectMapping } from '../mapping/detect-mapping.js'
import type { EventMapping } from '../mapping/event-mapping.js'
import { objectsIn, type SampledEvent } from '../mapping/sample.js'
import { recognizeLines } from '../recognize.js'
import { withoutColors } from './colors.js'
import { detectTable } from './detect-table.js'
import {
  beginsWith,
  compileFormat,
  type StartPattern,
  timePattern,
} from './format/compiled-format.js'
import { GENERAL } from './format/detect-format.js'
import { beginsObject } from './json-record.js'
import { isAfterAccess } from './multiline/crash.js'
import { isContinuation } from './multiline/event-start.js'
import { objectsAtEnd } from './objects-at-end.js'
import { beginsDated, beginsEvent, isRequestLine, STARTS } from './other-program.js'
import { detectCustomFormat, firstLines } from './pattern/detect-custom-format.js'
import { LEVELED_MESSAGE, syslogSources } from './syslog/syslog-sources.js'
import {
  detectTextLayout,
  lineKindOf,
  type TextDetection,
  type TextLayout,
  usualIndent,
} from './text-layout.js'
import { findLayout } from './time/line-layout.js'
import { LineTimes } from './time/line-times.js'
import type { Wrapper } from './wrapper/wrapper.js'
import { WRAPPERS } from './wrapper/wrappers.js'

/** The maximum depth of wrappers within wrappers. */
const MAX_DEPTH = 4
/** The share of the lines that must be wrapped; other lines are messages of the tool that wraps them. */
const WRAPPED_SHARE = 0.8
/** The number of lines in which a wrapper is looked for, and of lines that are read as objects. */
const COMPARED_LINES = 200
/** The maximum number of programs whose formats are detected; further programs are read like the one with the most lines. */
const MAX_SOURCES = 16
/** The share of the objects that must be valid. */
const VALID_SHARE = 0.5

/** Detects the layout of lines, in latin1: their wrapper, and the format of each program's lines. */
export function detectLayout(sample: string, options: TextDetection): TextLayout {
  const lines = withoutColors(sample).split(/\r?\n/)
  return unoptimized(() => layoutOf(lines, options, MAX_DEPTH))
}

/** The number of detections of this process. */
let detections = 0
/** The number of detections that V8 need not optimize; more detections, of many files, are worth it. */
const MAX_UNOPTIMIZED = 8

/**
 * Runs a computation of some milliseconds that is seldom repeated. V8 would spend a third of its CPU time, on another thread, on
 * optimizing functions that are not called any more when they have been optimized.
 */
function unoptimized<T>(compute: () => T): T {
  detections += 1
  if (detections > MAX_UNOPTIMIZED) return compute()
  setFlagsFromString('--no-opt')
  try {
    return compute()
  } finally {
    setFlagsFromString('--opt')
  }
}

function layoutOf(lines: readonly string[], options: TextDetection, depth: number): TextLayout {
  const filled = lines.filter((line) => line.trim() !== '')
  const table = detectTable(lines, options)
  if (table !== undefined) return { table }
  const strong = depth > 0 ? wrapperIn(filled, (one) => !one.isWeak) : undefined
  if (strong !== undefined) return wrappedLayout(filled, strong, { options, depth })
  const layout = linesLayout(lines, options)
  if (depth === 0 || layout.kind !== undefined || layout.json?.isUsual === true) return layout
  const weak = wrapperIn(filled, (one) => one.isWeak === true)
  if (weak === undefined) return layout
  const hasObject = (line: string) => beginsObject(weak.parse(line)?.text ?? '')
  // Services of Azure write times like those of GitHub Actions, but not its commands.
  const isJob = layout.format?.name !== 'github-actions' || filled.some((line) => JOB.test(line))
  if (isNamed(layout) && isJob && filled.filter(hasObject).length * 2 <= filled.length)
    return layout
  const wrapped = wrappedLayout(filled, weak, { options, depth })
  const inner = [...Object.values(wrapped.sources ?? {}), wrapped.rest ?? {}]
  const isPlain = layout.format?.name === 'text' && filled.every((line) => RUNTIME_TIME.test(line))
  const isPart = (line: string) => {
    const { text = '' } = weak.parse(line) ?? {}
    return FRAME.test(text) || (isPlain && INDENTED.test(text) && isContinuation(text))
  }
  return inner.some(isStructured) || filled.some(isPart) ? wrapped : layout
}

/** A command of GitHub Actions. */
const JOB = /Z ##\[/

/** A line that is part of an event; a wider gap is in front of a column. */
const INDENTED = /^(?:\t+| {1,8})\S/
/** A time as Docker and Kubernetes write it in front of each line of a program, which may continue an event. */
const RUNTIME_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z /

/** A line of a stack trace, which programs do not write with a prefix of their own. */
const FRAME =
  /^[ \t]+(?:at \S|File "|from \S+:\d+:in )|^(?:Caused by: |Traceback \(|goroutine \d+ \[)/

/** True for lines with a format that describes whole lines. */
function isNamed({ kind, json, format }: TextLayout): boolean {
  if (kind !== undefined || json?.isUsual === true) return true
  return format !== undefined && !['text', 'level'].includes(format.name)
}

/** True for lines with objects among them, or with a format that finds more than a level. */
function isStructured(layout: TextLayout): boolean {
  return layout.json !== undefined || (hasFormat(layout) && layout.format?.name !== 'level')
}

/** True when the layout says more than plain text. */
function hasFormat(layout: TextLayout): boolean {
  const { wrapper, json, format, time, table } = layout
  return isNamed(layout) || [wrapper, json, format, time, table].some((one) => one !== undefined)
}

/** The line in front of the columns of a row of psql, one per line, which look like the output of services. */
const EXPANDED = /^-\[ RECORD \d+ \]/

/**
 * The messages of Compose, stern and pm2 themselves, which are most of the lines when a container ends at once or when each program
 * has written few lines.
 */
const TOOL_MESSAGE =
  /^(?:Attaching to |(?:Starting|Creating|Recreating) \S{1,100} +\.\.\. |\S{1,100} exited with code \d|[+-] \S{1,253} \xe2\x80\xba |\[TAILING\] |\/\S{1,250} last \d{1,7} lines:$)/

/** Returns the wrapper of most lines; undefined when there is none. */
function wrapperIn(
  lines: readonly string[],
  isAllowed: (wrapper: Wrapper) => boolean,
): Wrapper | undefined {
  // grep prints hyphens between lines that are not neighbors.
  const compared = lines.filter((line) => line !== '--').slice(0, COMPARED_LINES)
  if (compared.some((line) => EXPANDED.test(line))) return undefined
  return WRAPPERS.find((wrapper) => {
    if (!isAllowed(wrapper)) return false
    const wrapped = compared.flatMap((line) => wrapper.parse(line) ?? [])
    if (wrapped.length === 0) return false
    const isOther = (line: string) =>
      wrapper.parse(line) === undefined && !isContinuation(line) && !TOOL_MESSAGE.test(line)
    const all = wrapped.length + compared.filter(isOther).length
    if (wrapped.length < all * WRAPPED_SHARE) return false
    return wrapper.accepts?.(wrapped) ?? true
  })
}

/** Detects the layouts of the programs whose lines are wrapped. */
export function wrappedLayout(
  lines: readonly string[],
  wrapper: Wrapper,
  { options, depth = MAX_DEPTH }: { readonly options: TextDetection; readonly depth?: number },
): TextLayout {
  const texts = new Map<string, string[]>()
  for (const line of lines) {
    const { source, text } = wrapper.parse(line) ?? {}
    if (source !== undefined && text !== undefined) addTo(texts, source, text)
  }
  const largest = [...texts].sort(([, one], [, other]) => other.length - one.length)
  const detected = largest
    .slice(0, MAX_SOURCES)
    .map(([source, lines]) => [source, layoutOf(lines, options, depth - 1)] as const)
  const [first] = detected
  const rest = first?.[1] ?? {}
  const received = wrapper.name === 'ts' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/.exec(lines[0] ?? '')
  return {
    wrapper: wrapper.name,
    ...(received && { received: received[0] }),
    ...(detected.length > 1 && { sources: Object.fromEntries(detected) }),
    rest,
  }
}

/** Detects the layout of lines without a wrapper: of JSON objects and of the other lines. */
function linesLayout(written: readonly string[], options: TextDetection): TextLayout {
  const lines = withWholeObjects(written)
  const objects = lines.filter(beginsObject)
  const others = lines.filter((line) => !beginsObject(line))
  const filled = others.filter((line) => line.trim() !== '')
  const json = objects.length === 0 ? undefined : jsonLayout(objects, filled.length, options)
  if (filled.length === 0 && json !== undefined) return { json }
  const layout = otherLayout((json === undefined ? lines : others).join('\n'), options)
  const isMixed = json !== undefined || layout.other !== undefined
  const received = isMixed ? firstCompleteTime(written) : undefined
  return { ...(received && { received }), ...layout, json }
}

/**
 * A time with a year at the beginning of a line, perhaps after a level, or in a field with the time of an event, where it may be a
 * number.
 */
const COMPLETE_TIME =
  /(?:^(?:[\w.-]{0,40}\d[\w.-]{0,40} |<[a-z]{4,8}> {1,2}|(?:trace|debug|info|warn|warning|error|fatal|TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL):? {1,2})?[[("']{0,2}|(?<![\w.-])(?:@?timestamp|time|ts|t)"?[=:] ?"?)(?:(?:(\d{4}([-/])\d\d\2\d\d)|(\d\d)([-/])(\d\d)\4(\d{4})),?[T ](\d\d:\d\d:\d\d)|(?<=[=: "[])(1\d{9}))/

/** Returns the first time with a year in a line, in milliseconds since 1970; two times if its month may be the first or the second number. */
function completeTimes(line: string): readonly number[] {
  const [, date, , one, , other, year, clock, seconds] = COMPLETE_TIME.exec(line) ?? []
  if (seconds !== undefined) return [Number(seconds) * 1000]
  const dates = date ?? `${year}-${one}-${other} ${year}-${other}-${one}`
  const isos = dates.replaceAll('/', '-').split(' ')
  return isos.map((iso) => Date.parse(`${iso}T${clock}Z`)).filter((time) => time > 0)
}

/** Returns the first time with a year in lines of several programs, the others of which may write times without a year. */
function firstCompleteTime(lines: readonly string[]): string | undefined {
  for (const line of lines) {
    const [time, other] = completeTimes(line)
    if (time !== undefined && other === undefined) return new Date(time).toISOString().slice(0, 19)
  }
  return undefined
}

/** Returns lines in which JSON objects of several lines, as in the output of containers, are one line each. */
function withWholeObjects(lines: readonly string[]): readonly string[] {
  const whole: string[] = []
  let isOpen = false
  for (const [at, line] of lines.entries()) {
    if (isOpen) whole.push(`${whole.pop()} ${line}`)
    else whole.push(line)
    isOpen = isOpen ? line !== '}' : line === '{' && /^\s+"[^"]*"\s*:/.test(lines[at + 1] ?? '')
  }
  return whole
}

/** Returns the layout of objects among lines; undefined when the objects are parts of other events. */
function jsonLayout(
  objects: readonly string[],
  others: number,
  options: TextDetection,
): TextLayout['json'] {
  const compared = objects.slice(0, COMPARED_LINES)
  const parsed = objectsIn(compared.map((text) => Buffer.from(text, 'latin1').toString('utf8')))
  if (parsed.events.length < compared.length * VALID_SHARE) return undefined
  const mapping = objectMapping(parsed, options)
  const isUsual = objects.length >= others
  if (!isUsual && Object.keys(mapping).length === 0 && !haveMessage(parsed.events)) return undefined
  return { ...mapping, ...(isUsual && { isUsual }) }
}

/** A field that shows that an object is an event. */
const EVENT_FIELD =
  /^(?:_time|@timestamp|timestamp|time|ts|@t|level|severity|lvl|msg|message|@m|@mt)$/i

function haveMessage(events: readonly SampledEvent[]): boolean {
  const some = events.filter((leaves) =>
    leaves.some(({ path: [key = ''] }) => EVENT_FIELD.test(key)),
  )
  return some.length * 2 > events.length
}

function otherLayout(sample: string, options: TextDetection): TextLayout {
  const { format, formats = [] } = options
  if (format !== undefined || detectCustomFormat(sample, formats) !== undefined) {
    return textLayout(sample, options)
  }
  return twoPrograms(sample, programLayout(sample, options), options)
}

function programLayout(sample: string, options: TextDetection): TextLayout {
  const kind = lineKindOf(recognizeLines(sample, { isWhole: true })) ?? 'text'
  if (kind === 'syslog') return syslogLayout(sample, options)
  if (kind === 'text') return textLayout(sample, options)
  // Stack traces among the requests are events of several lines.
  const hasTraces = kind === 'clf' && sample.split('\n').some(isContinuation)
  return { kind, ...(hasTraces && { other: {} }) }
}

/** A line of glog, which no other text looks like: a level, a time, a thread and a source line. */
const GLOG = /^[IWEF][01]\d[0-3]\d \d\d:\d\d:\d\d\.\d{6} {1,7}\d{1,9} \S{1,200}:\d{1,6}\] /

/** The number of lines with a time that show that another program writes to the log; a single one may be part of an event. */
const MIN_OTHERS = 2

/** Adds the layout of the lines that begin events, but not in the layout of most lines, if there are enough of them. */
function twoPrograms(sample: string, layout: TextLayout, options: TextDetection): TextLayout {
  // Lines of which only a level is known are read last: lines of the other program may have a level, too.
  const isLevel = hasLevelOnly(layout) && options.timeFormat === undefined
  const isMain = isLevel ? (line: string) => !beginsDated(line) : mainLine(layout, options)
  if (isMain === undefined) return layout
  const [own, others, count] = divided(sample, isMain)
  const hasAccess = others.some(isRequestLine)
  // As many requests as lines of pairs, among which levels are all that the lines have in common.
  if (isLevel && own.length === 0 && hasAccess) return twoPrograms(sample, { kind: 'clf' }, options)
  // A request is a single line.
  const isRequest = (line: string) => isAfterAccess('', line)
  const isCertain =
    layout.kind === 'clf' || own.filter(isMain).every(isRequest)
      ? count > 0
      : hasAccess || others.some((line) => GLOG.test(line))
  if (own.length === 0 || (count < MIN_OTHERS && !isCertain)) return layout
  const other = otherLayout(others.join('\n'), options)
  if (other.kind === undefined && other.time === undefined && !other.format) return layout
  // Without the lines of the other program, the format of the first one is more certain.
  const main = programLayout(own.join('\n'), options)
  if (isLevel) {
    // The levels may be in the pairs.
    const isMain = main.format !== undefined || other.kind === 'logfmt' || other.kind === 'clf'
    return isMain ? withLast(other, main) : layout
  }
  return { ...(mainLine(main, options) === undefined ? layout : main), other }
}

function hasLevelOnly({ format, time, indent }: TextLayout): boolean {
  return format?.name === 'level' && time === undefined && indent === undefined
}

/** Adds the layout of the last of several programs. */
function withLast({ other, ...layout }: TextLayout, last: TextLayout): TextLayout {
  return { ...layout, other: other === undefined ? last : withLast(other, last) }
}

/** Divides lines into lines of the main program and of others, with the number of events of others. */
function divided(
  sample: string,
  isMain: (line: string) => boolean,
): readonly [own: string[], others: string[], count: number] {
  const own: string[] = []
  const others: string[] = []
  let count = 0
  let lines = own
  for (const line of sample.split(/\r?\n/)) {
    if (isMain(line)) lines = own
    else if (beginsEvent(line)) {
      lines = others
      count++
    }
    lines.push(line)
  }
  return [own, others, count]
}

/** Returns the test for lines in a layout; undefined when all lines are read in it. */
function mainLine(
  { kind, isLines, time, ambiguous, format, indent }: TextLayout,
  options: TextDetection,
): ((line: string) => boolean) | undefined {
  if (options.format !== undefined || options.timeFormat !== undefined) return undefined
  if (indent !== undefined) return undefined
  if (kind !== undefined) return kind === 'syslog' && !isLines ? undefined : STARTS[kind]
  if (format?.isCustom || format?.start) return undefined
  const id = time ?? ambiguous?.layout
  const layout = id === undefined ? undefined : findLayout(id)
  const pattern = layout && timePattern(layout.time!.pattern)
  const starts = format === undefined ? [] : compileFormat(format, pattern).starts
  if (layout === undefined && (format === undefined || GENERAL.has(format.name))) return undefined
  const patterns: readonly StartPattern[] =
    starts.length === 0 && layout !== undefined ? [layout] : starts
  return (line) => patterns.some((one) => beginsWith(one, line))
}

/** Detects the layout of a text, in latin1, from a sample of its first lines. */
export function textLayout(sample: string, options: TextDetection): TextLayout {
  const layout = detectTextLayout(sample, options)
  const objects =
    layout.format && !layout.format.isCustom ? mappingAtEnd(sample, layout, options) : undefined
  return { ...layout, ...(objects && { objects }) }
}

/** An object in a column of its own at the end of a line, which lines may lack, as in the console format of zap. */
const OBJECT_COLUMN = /\t\{"[^\t]*\}$/
/** An object after a time, which is the whole message. */
const TIMED_OBJECT = /^[\d\s.,:TZ+/[\]()-]{8,40}\{"/

/** Returns the meaning of the fields of the objects at the end of lines; undefined when few events begin with such a line. */
function mappingAtEnd(
  sample: string,
  layout: TextLayout,
  options: TextDetection,
): EventMapping | undefined {
  const isMain = mainLine(layout, options) ?? (() => true)
  const lines = firstLines(sample).filter(isMain).slice(0, COMPARED_LINES)
  const ends = lines.flatMap((line) => objectsAtEnd(line)[0] ?? [])
  const isUsual =
    lines.some((line) => OBJECT_COLUMN.test(line)) ||
    lines.filter((line) => TIMED_OBJECT.test(line)).length > 1
  const least = isUsual ? 1 : lines.length / 2
  if (ends.length < least) return undefined
  const parsed = objectsIn(ends.map((text) => Buffer.from(text, 'latin1').toString('utf8')))
  return parsed.events.length < least ? undefined : objectMapping(parsed, options)
}

const NO_INDENT = { indent: '', isCommon: false }

/** Detects the layout of syslog, including the formats of the messages of programs. */
export function syslogLayout(sample: string, options: TextDetection): TextLayout {
  const isIndented = !/^\S/m.test(sample)
  const { indent, isCommon } = isIndented ? usualIndent(sample) : NO_INDENT
  if (indent === '' || !isCommon) return unindentedLayout(sample, options)
  const layout = unindentedLayout(sample.replaceAll(new RegExp(`^${indent}`, 'gm'), ''), options)
  // Frames with a priority have no lines, and thus no indentation.
  return layout.isLines ? { ...layout, indent: indent.length } : layout
}

/** A level in capitals or brackets, or in front of a colon, perhaps after a clock; other words may be part of a sentence. */
const CERTAIN_LEVEL =
  /^(?:[[(]?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?[\])]? )?(?:\[ ?[A-Za-z]{4,8} ?\] |<[a-z]{4,8}> |(?:[Tt]race|[Dd]ebug|[Ii]nfo|[Nn]otice|[Ww]arning|[Ww]arn|[Ee]rror|[Ff]atal|[Cc]ritical): |(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)[\] :|])/

/** True when messages are no objects and have no more than a level, and most of them do not begin with one for certain. */
function isDoubtfulLevel({ format, json }: TextLayout, messages: readonly string[]): boolean {
  if (format?.name !== 'level' || json !== undefined) return false
  const certain = messages.filter((text) => CERTAIN_LEVEL.test(text) || LEVELED_MESSAGE.test(text))
  return certain.length * 2 < messages.length
}

function unindentedLayout(sample: string, options: TextDetection): TextLayout {
  const sources = syslogSources(sample)
  const received = firstHeaderTime(sample, options)
  const detected = [...sources]
    .slice(0, MAX_SOURCES)
    .map(([app, texts]) => ({ app, texts, layout: layoutOf(texts, options, 1) }))
    .filter(({ texts, layout }) => hasFormat(layout) && !isDoubtfulLevel(layout, texts))
    .map(({ app, layout }) => [app, layout] as const)
  return {
    kind: 'syslog',
    ...(!/^(?:[1-9]\d{0,8} )?<\d/m.test(sample) && { isLines: true }),
    ...(received && { received }),
    ...(detected.length > 0 && { sources: Object.fromEntries(detected) }),
  }
}

/** The header of a line of syslog whose time has no year, up to the message. */
const YEARLESS_HEADER = /^[^\d<].{4,12} \d\d:\d\d:\d\d \S{1,255} [^\s:]{1,200}: /

/** Returns the first time of a header, in the year of a complete time of a message that is at most a day apart from its header. */
function firstHeaderTime(sample: string, { now }: TextDetection): string | undefined {
  const layout = findLayout('start:month-name day')!
  const lines = sample.split('\n')
  for (const line of lines) {
    const [head] = YEARLESS_HEADER.exec(line) ?? []
    if (head === undefined) continue
    for (const time of completeTimes(line.slice(head.length))) {
      const written = BigInt(time) * MILLISECOND
      const times = new LineTimes(layout, now, { lastWritten: () => written })
      const header = parseTimestamp(times.read(head) ?? '')
      if (header === undefined || written - header > DAY) continue
      const first = lines.find((text) => times.read(text) !== undefined) ?? ''
      return times.read(first)?.slice(0, -1)
    }
  }
  return undefined
}
