import { LINE_FEED } from '../../text/bytes.js'
import type { Lookahead } from '../byte-source.js'
import { InputError, inputLabel } from '../error.js'
import type { DetectionContext, EventsStart } from '../events-start.js'
import { type DetectedFormat, detectFormat, type Format, formatOfName } from '../format.js'
import type { Framing } from '../framing.js'
import { SPACED_HEADER } from '../recognize.js'
import { layoutWithReturns } from './carriage-returns.js'
import { withoutColors } from './colors.js'
import { detectLayout, syslogLayout, textLayout, wrappedLayout } from './detect-layout.js'
import { detectTable } from './detect-table.js'
import { EventText, type EventTimeText } from './event-text.js'
import { BLOCKS } from './format/blocks.js'
import type { LineFormat } from './format/line-format.js'
import type { LogFormat } from './log-format.js'
import { CONTAINERS, logFraming } from './log-framing.js'
import { detectCustomFormat } from './pattern/detect-custom-format.js'
import { RecordTexts, recordExtents } from './record-texts.js'
import type { TextDetection, TextLayout } from './text-layout.js'
import { timeDefaults } from './time/time-defaults.js'
import { w3cHeader } from './w3c-header.js'

/** The maximum size of the sample for detection, in bytes. */
const MAX_SAMPLE = 256 * 1024
/** The time that a pipe has to deliver the sample. */
const SAMPLE_MS = 500

/** Detects the layout of a log, unless an earlier run has done so. Throws `InputError` when the log does not have the format. */
export async function logStart(
  format: LogFormat,
  beginning: Lookahead,
  context: DetectionContext,
): Promise<EventsStart> {
  const { mark, findsTime = true, timeFormat, multiline } = context
  const layout = context.layout ?? (await layoutOf(format, beginning, context))
  const options = {
    layout: layout ?? {},
    now: context.lastWritten(),
    findsTime,
    timeFormat,
    multiline,
    times: timeDefaults(beginning, context),
  }
  const framing = logFraming(format, options)
  const state = framing.conversion?.state
  if (state !== undefined) {
    await beginning.fill(MAX_FIRST)
    // Reading changes the state of a conversion, so that the one for the events can't be used.
    state.last.time = firstTime(beginning.head.subarray(mark), logFraming(format, options))
  }
  return { framing, skip: mark, layout }
}

/** The number of bytes and events of an input in which the first time is looked for, for the events in front of it. */
const MAX_FIRST = 64 * 1024
const MAX_FIRST_EVENTS = 1000

/** Returns the time of the first event with a time near the beginning of an input. */
function firstTime(head: Buffer, { scanner, conversion }: Framing): EventTimeText | undefined {
  // The scanner may overwrite carriage returns.
  const bytes = Buffer.from(head.subarray(0, MAX_FIRST))
  const extents = recordExtents(bytes, scanner, MAX_FIRST_EVENTS)
  const event = new EventText()
  const texts = new RecordTexts(bytes, extents)
  for (let index = 0; index < extents.length; index += 2) {
    conversion?.read(texts.read(extents[index]!, extents[index + 1]!), event)
    const { time } = event
    event.take()
    if (time !== undefined) return time
  }
  return undefined
}

/** Returns the layout of a log whose format was named; undefined for formats that have only one layout. */
async function layoutOf(
  format: LogFormat,
  beginning: Lookahead,
  context: DetectionContext,
): Promise<TextLayout | undefined> {
  if (format === 'logfmt' || format === 'ltsv' || format === 'clf' || format === 'otlp-json')
    return undefined
  const sample = await sampleOf(beginning, context)
  if (format === 'w3c') return w3cLayout(sample, context.name)
  const options = detectionOf(context)
  if (format === 'syslog') return syslogLayout(sample, options)
  if (format === 'text') {
    return layoutWithReturns(sample, (lines) => namedTextLayout(lines, options, context.name))
  }
  if (format === 'table') return { table: detectTable(sample.split(/\r?\n/), options) ?? NO_TABLE }
  return wrappedLayout(sample.split(/\r?\n/), CONTAINERS[format], { options })
}

function namedTextLayout(sample: string, options: TextDetection, name: string): TextLayout {
  const layout = textLayout(sample, options)
  if (layout.format?.start !== BLOCKS.start || sample.trim() === '') return layout
  throw new InputError(
    `${inputLabel(name)} has no blocks: none of its first lines is a key and a value, such as \`Time: 10:00:00\`. Without \`-i ${BLOCKS.name}\` its format is detected.`,
  )
}

function detectionOf(context: DetectionContext): TextDetection {
  const { lastWritten, zone, timeFormat, formats, lineFormat } = context
  return { now: lastWritten(), times: zone && { zone }, timeFormat, formats, format: lineFormat }
}

function w3cLayout(sample: string, name: string): TextLayout {
  const header = w3cHeader(sample)
  if (header !== undefined) return { w3c: header }
  throw new InputError(
    `${inputLabel(name)} has no \`#Fields\` line, so it is not a W3C extended log.`,
  )
}

/** Returns the first lines of an input, in latin1 and without colors. */
async function sampleOf(
  beginning: Lookahead,
  { mark }: Pick<DetectionContext, 'mark'>,
): Promise<string> {
  const lines = await beginning.lines(MAX_SAMPLE, SAMPLE_MS)
  return withoutColors(lines.subarray(mark).toString('latin1'))
}

/** The formats of lines that may have prefixes, and among which there may be JSON objects. */
const LINES: ReadonlySet<DetectedFormat> = new Set([
  ...(['ndjson', 'csv', 'tsv', 'logfmt', 'ltsv', 'clf', 'syslog', 'text'] as const),
])

const NO_TABLE = { columns: [], missing: [] }

interface FoundLayout {
  readonly format: DetectedFormat
  readonly layout?: TextLayout
}

/**
 * Detects more from a larger sample than the detection of the format: the layout of lines of several formats, and of lines
 * with a prefix, which become text. If the user named a user-defined format and a container wrote the lines, returns
 * the container's format: the named format applies to the text inside the lines.
 */
export async function withLayout(
  detected: DetectedFormat,
  beginning: Lookahead,
  context: DetectionContext & { readonly asked: Format | 'auto' },
): Promise<FoundLayout> {
  const { asked, lineFormat, layout, name, isStrict } = context
  if (layout !== undefined) return { format: detected }
  if (asked === 'text' && lineFormat?.isCustom) {
    const sample = await sampleOf(beginning, context)
    return { format: containerOf(sample, lineFormat) ?? detected }
  }
  const isTable = detected === 'csv' || detected === 'tsv'
  const isNamed = isTable && formatOfName(name) !== undefined
  if (asked !== 'auto' || !LINES.has(detected)) return { format: detected }
  if (isNamed) return isStrict ? { format: detected } : namedTable(detected, beginning, context)
  if (detected === 'ndjson' && (isStrict || !(await hasStrayLines(beginning, context)))) {
    return { format: detected }
  }
  return foundLayout(detected, await sampleOf(beginning, context), detectionOf(context))
}

/**
 * Returns the format of an input with the file name of a table: the rows may follow a banner, which does not have the delimiter.
 */
async function namedTable(
  detected: DetectedFormat,
  beginning: Lookahead,
  context: DetectionContext,
): Promise<FoundLayout> {
  const delimiter = detected === 'csv' ? ',' : '\t'
  const { csv = {}, mark } = context
  await beginning.until((head) => head.includes(LINE_FEED, mark))
  const [first = ''] = beginning.head.toString('latin1', mark).trimStart().split('\n', 1)
  const isUsual = first.includes(delimiter) && !SPACED_HEADER.test(first.trimEnd())
  if (csv.fields !== undefined || csv.delimiter !== undefined || isUsual) {
    return { format: detected }
  }
  const lines = (await sampleOf(beginning, context)).split(/\r?\n/)
  const table = detectTable(lines, { ...detectionOf(context), delimiter })
  return table === undefined ? { format: detected } : { format: 'table', layout: { table } }
}

function foundLayout(
  detected: DetectedFormat,
  sample: string,
  options: TextDetection,
): FoundLayout {
  const isTable = detected === 'csv' || detected === 'tsv'
  if (detected === 'csv' && SPACED_HEADER.test(sample.split(/\r?\n/, 1)[0]!)) {
    const table = detectTable(sample.split(/\r?\n/), { ...options, delimiter: ',' })
    if (table !== undefined) return { format: 'table', layout: { table } }
  }
  const layout = layoutWithReturns(sample, (lines) => detectLayout(lines, options))
  const { wrapper, json, kind, format, time, ambiguous, table } = layout
  if (table !== undefined && !isTable) return { format: 'table', layout }
  if (wrapper !== undefined || format?.isCustom) return { format: 'text', layout }
  if (isTable) return { format: detected }
  if (json === undefined) return { format: kind ?? 'text', layout }
  // Objects are sent as they are; other lines have only a message.
  const isPlain = kind === undefined && [format, time, ambiguous].every((one) => one === undefined)
  return isPlain ? { format: 'ndjson' } : { format: 'text', layout }
}

/** True when a line that can be read without waiting does not begin like an object. */
async function hasStrayLines(
  beginning: Lookahead,
  { mark }: Pick<DetectionContext, 'mark'>,
): Promise<boolean> {
  await beginning.fill(MAX_SAMPLE)
  const head = beginning.head.subarray(mark, MAX_SAMPLE)
  return /^[ \t]*[^{\s]/m.test(head.toString('latin1'))
}

/** Returns the format of the lines of a container; undefined for other lines, and if `format` matches only whole lines. */
function containerOf(sample: string, format: LineFormat): 'cri' | 'docker' | undefined {
  const head = Buffer.from(sample, 'latin1')
  const found = detectFormat('auto', { name: '', head, isWhole: true })
  if (found !== 'cri' && found !== 'docker') return undefined
  const hasFormat = (text: string) => detectCustomFormat(text, [format]) !== undefined
  const texts = sample.split(/\r?\n/).flatMap((line) => CONTAINERS[found].parse(line)?.text ?? [])
  return hasFormat(sample) && !hasFormat(texts.join('\n')) ? undefined : found
}
