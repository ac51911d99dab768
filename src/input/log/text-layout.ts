import type { EventMapping } from '../mapping/event-mapping.js'
import { BLOCKS, findBlocks } from './format/blocks.js'
import { startsOf, timePattern } from './format/compiled-format.js'
import { type DetectedLineFormat, detectLineFormat, GENERAL } from './format/detect-format.js'
import { LINE_FORMATS } from './format/formats.js'
import { TIMED_LINES } from './format/general.js'
import type { LineFormat } from './format/line-format.js'
import { withLoggerNames } from './format/logger-names.js'
import { withSecondFormat } from './format/second-format.js'
import { beginsWithTime } from './multiline/event-start.js'
import { endInPairs } from './pairs-at-end.js'
import { compilePattern } from './pattern/compile-pattern.js'
import { detectCustomFormat, firstLines } from './pattern/detect-custom-format.js'
import { inferFieldTimes } from './pattern/pattern-times.js'
import type { TableLayout } from './table-layout.js'
import { type Inference, inferTimes, type LineTime, type TimeReading } from './time/line-layout.js'
import { uptimeIn } from './time/uptime.js'
import type { W3cHeader } from './w3c-header.js'

/** The layout of the lines of a text. It is plain data, kept in checkpoints so that a resumed run reads further lines alike. */
export interface TextLayout {
  /** The format of the lines; undefined when none is known. */
  readonly format?: Pick<
    LineFormat,
    'name' | 'patterns' | 'levels' | 'isCustom' | 'start' | 'hasDoubledQuotes'
  >
  /** True when most messages end with `key=value` pairs, which become fields. */
  readonly hasPairs?: boolean
  /** The meaning of the fields of the JSON objects that most messages are or end with; their members become fields. */
  readonly objects?: EventMapping
  /** Identifies the place and the layout of times. */
  readonly time?: string
  /** True when so few lines have a time that the other lines are events, too. */
  readonly isRarelyTimed?: boolean
  /** The format of the lines, if it is not text. */
  readonly kind?: LineKind
  /** The meaning of the fields of JSON objects that are among the lines. */
  readonly json?: JsonLayout
  /** The columns of lines with a header. */
  readonly table?: TableLayout
  /** The name of the wrapper of each line. */
  readonly wrapper?: string
  /**
   * The complete time in front of the first line, the first complete time of several programs, or the first time of syslog if its year
   * is known: times without a year are after it.
   */
  readonly received?: string
  /** The layouts of the lines of programs, by the name of their source. */
  readonly sources?: Readonly<Record<string, TextLayout>>
  /** The layout of the lines of other programs. */
  readonly rest?: TextLayout
  /** True for syslog without priorities, as in files: lines without a time continue an event. */
  readonly isLines?: boolean
  /** The header of a W3C extended log. */
  readonly w3c?: W3cHeader
  /** Dates that can be read in several orders; their events get the time of arrival. */
  readonly ambiguous?: Extract<LineTime, { readonly kind: 'ambiguous' }>
  /** The number of spaces and tabs with which all lines begin. */
  readonly indent?: number
  /** True when carriage returns alone end lines. */
  readonly hasReturns?: boolean
  /** The layout of the lines that begin with times of another layout, as another program writes them. */
  readonly other?: TextLayout
  /** The first time since boot, if lines begin with such times. */
  readonly uptime?: string
}

const LINE_KINDS = ['logfmt', 'ltsv', 'clf', 'syslog'] as const

/** A format of lines with a reader of its own. */
export type LineKind = (typeof LINE_KINDS)[number]

/** Returns the kind with a name; undefined when there is none. */
export function lineKindOf(name: string | undefined): LineKind | undefined {
  return LINE_KINDS.find((kind) => kind === name)
}

interface JsonLayout extends EventMapping {
  /** True when most lines are objects: a malformed object is then rejected, as in NDJSON. */
  readonly isUsual?: boolean
}

/** Options for detecting the layout of a text. */
export interface TextDetection extends TimeReading {
  /** Formats to choose from in addition to the built-in formats; these formats take precedence. */
  readonly formats?: readonly LineFormat[] | undefined
  /** The only format to use, if the user named one. */
  readonly format?: LineFormat | undefined
}

/** The time is searched in this many characters of a line. */
const MAX_HEAD = 512
const MAX_UPTIME_LINES = 200

/** Detects the layout of a text, in latin1, from a sample of its first lines. */
export function detectTextLayout(sample: string, options: TextDetection): TextLayout {
  const layout = linesLayout(sample, options)
  const { format, time, ambiguous, uptime } = layout
  const isTimed = time !== undefined || ambiguous !== undefined || uptime !== undefined
  if (format?.isCustom || isTimed) return layout
  const { indent, isCommon } = usualIndent(sample)
  if (indent === '') return layout
  const unindented = sample.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
  const inner = linesLayout(unindented, options)
  // Lines that continue events are indented, too, so that only times show that indented lines begin events.
  if (!isCommon && inner.time === undefined) return layout
  return { ...inner, indent: indent.length }
}

/**
 * Returns the spaces and tabs with which at least half of the lines begin, or of the lines with a time if there are some, and
 * whether all lines do; empty for a single line.
 */
export function usualIndent(sample: string): {
  readonly indent: string
  readonly isCommon: boolean
} {
  const filled = sample.split('\n').filter((line) => line.trim() !== '')
  if (filled.length < 2) return { indent: '', isCommon: true }
  const indentOf = (line: string) => line.slice(0, line.search(/[^ \t]/))
  const ascending = filled.map(indentOf).sort()
  const [first = ''] = ascending
  if (first !== '' && ascending.every((indent) => indent.startsWith(first))) {
    return { indent: first, isCommon: true }
  }
  const dated = filled.filter((line) => beginsWithTime(line.trimStart())).map(indentOf)
  const usual = dated.length < 2 ? ascending : dated.sort()
  return { indent: usual[usual.length >> 1] ?? '', isCommon: false }
}

function linesLayout(sample: string, options: TextDetection): TextLayout {
  const found = detectFormatAndTime(sample, options)
  const layout = endInPairs(sample) ? { ...found, hasPairs: true } : found
  const { format, time, ambiguous } = layout
  if (format?.isCustom || time !== undefined || ambiguous !== undefined) return layout
  const uptime = uptimeIn(sample.split('\n', MAX_UPTIME_LINES))
  return uptime === undefined ? layout : { ...layout, uptime }
}

function detectFormatAndTime(sample: string, options: TextDetection): TextLayout {
  const { now, times, format, formats = [], timeFormat } = options
  const custom = format ?? detectCustomFormat(sample, formats)
  if (custom?.isCustom) return customLayout(sample, custom, options)
  const candidates = format === undefined ? LINE_FORMATS : [format]
  const detection = {
    formats: candidates,
    now,
    times,
    timeFormat,
    isForced: format !== undefined,
  }
  const detect = (isTimed: boolean) => detectLineFormat(sample, { ...detection, isTimed })
  const timed = detect(true)
  const isOfProgram = timed !== undefined && !GENERAL.has(timed.format.name)
  const mayBeBlocks = format === undefined ? !isOfProgram : format.name === BLOCKS.name
  const blocks = mayBeBlocks ? blocksLayout(sample, options) : undefined
  if (blocks !== undefined) return blocks
  if (timed !== undefined) {
    const isChosen = format !== undefined || timeFormat !== undefined
    const all = isChosen ? timed : withSecondFormat(sample, timed, { ...detection, isTimed: true })
    return layoutOf(withNames(all, sample))
  }
  const place = format === undefined ? timePlace(sample, options) : {}
  if (place.time !== undefined || place.ambiguous !== undefined) return place
  const untimed = detect(false)
  if (untimed !== undefined) return layoutOf(withNames(untimed, sample))
  return format === undefined ? rareTimes(sample, options) : layoutOf({ format, layout: undefined })
}

/** A complete date and a clock at the beginning of a line. */
const COMPLETE_TIME = /^\[?\d{4}([-/])\d\d\1\d\d[T ]\d\d:\d\d:\d\d/

/** Returns the place of the times of few lines, as in the output of a build that runs programs. */
function rareTimes(sample: string, options: TextDetection): TextLayout {
  const timed = firstLines(sample).filter((line) => COMPLETE_TIME.test(line))
  const layout = timed.length === 0 ? undefined : timeOf(inferTimes(timed, options))
  return layout?.time === undefined ? {} : { ...layout, isRarelyTimed: true }
}

/** Adds the names of components in front of messages, if a sample has them. */
function withNames({ format, layout }: DetectedLineFormat, sample: string): DetectedLineFormat {
  const written = layout?.kind === 'found' ? layout.layout.time?.pattern : undefined
  const time = written === undefined ? undefined : timePattern(written)
  return { format: { ...format, patterns: withLoggerNames(format, { sample, time }) }, layout }
}

/** Returns the name of a format other than `chosen` that lines have; undefined when they have no other format. */
export function otherFormatOf(
  sample: string,
  chosen: string,
  { now }: Pick<TextDetection, 'now'>,
): string | undefined {
  const formats = LINE_FORMATS.filter(({ name }) => name !== chosen)
  const detect = (isTimed: boolean) => detectLineFormat(sample, { formats, now, isTimed })
  return (detect(true) ?? detect(false))?.format.name
}

/** True when lines, in latin1, have the format of a program, which is recognized by more than a time. */
export function haveProgramFormat(sample: string): boolean {
  const found = detectLineFormat(sample, { formats: LINE_FORMATS, now: 0n, isTimed: true })
  return found !== undefined && !GENERAL.has(found.format.name)
}

/** Returns the layout of a format. Lines that do not match the format but begin with a time are read as lines with a time. */
function layoutOf({ format, layout }: DetectedLineFormat): TextLayout {
  const { name, patterns, others, levels, hasDoubledQuotes } = format
  const own = others === undefined ? patterns : [...patterns, others]
  const start = startWithOthers(format, layout !== undefined)
  const isTimed = layout !== undefined && start === undefined
  const all = isTimed ? [...new Set([...own, ...TIMED_LINES.patterns])] : own
  const options = { levels, start, ...(hasDoubledQuotes && { hasDoubledQuotes }) }
  return { format: { name, patterns: all, ...options }, ...timeOf(layout) }
}

/** Returns the beginnings of the events of a format and of lines of other programs, if its patterns do not describe them. */
function startWithOthers(format: LineFormat, isTimed: boolean): string | undefined {
  const { others, start } = format
  if (others === undefined || (start === undefined && !isTimed)) return start
  const starts = [...startsOf(format, isTimed), ...startsOf({ patterns: [others] }, false)]
  return starts.map((one) => `(?:${one})`).join('|')
}

/** Returns the place of the times in lines without a known format. */
function timePlace(sample: string, options: TextDetection): TextLayout {
  const lines = sample.split('\n').map((line) => line.slice(0, MAX_HEAD))
  return timeOf(inferTimes(lines, options))
}

/** Returns the layout of a text of blocks; undefined for another text. */
function blocksLayout(
  sample: string,
  { now, times: defaults, format: chosen }: TextDetection,
): TextLayout | undefined {
  const found = findBlocks(sample, chosen !== undefined)
  if (found === undefined) return undefined
  const times = inferTimes(found.times, { now, times: defaults })
  if (chosen === undefined && times === undefined) return undefined
  const { name, patterns } = BLOCKS
  return { format: { name, patterns, start: found.start }, ...timeOf(times) }
}

function customLayout(
  sample: string,
  { name, patterns }: LineFormat,
  options: TextDetection,
): TextLayout {
  const times = inferFieldTimes(firstLines(sample), patterns.map(compilePattern), options)
  return { format: { name, patterns, isCustom: true }, ...timeOf(times) }
}

function timeOf(layout: Inference | undefined): Pick<TextLayout, 'time' | 'ambiguous'> {
  if (layout === undefined) return {}
  return layout.kind === 'found' ? { time: layout.layout.id } : { ambiguous: layout }
}
