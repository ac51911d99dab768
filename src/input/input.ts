import { CsvHeaderError, CsvLines } from '../wire/csv/csv.js'
import { readCsvRow } from '../wire/csv/csv-row.js'
import type { TimeFormat } from '../wire/time/time-format.js'
import type { TimeZone } from '../wire/time/time-zone.js'
import type { Position } from './batch.js'
import { rejectBinary, utf16Error } from './binary.js'
import { type ByteSource, Lookahead, withHead } from './byte-source.js'
import { canDetectCompression, decompressed } from './compression.js'
import { CsvScanner, csvFraming } from './csv.js'
import { InputError, inputLabel } from './error.js'
import { type DetectedFormat, detectFormat, type Format, formatOfName } from './format.js'
import type { CsvDialect, Framing } from './framing.js'
import { jsonArrayFraming, jsonSequenceFraming } from './json.js'
import { detectInnerLayout } from './log/container/detect-inner.js'
import type { LineFormat } from './log/format/line-format.js'
import type { TimeDefaults } from './log/line-layout.js'
import type { LogFormat } from './log/log-format.js'
import { CONTAINERS, logFraming } from './log/log-framing.js'
import { detectCustomFormat } from './log/pattern/detect-custom-format.js'
import type { Multiline } from './log/text.js'
import { detectTextLayout, type TextDetection, type TextLayout } from './log/text-layout.js'
import { w3cHeader } from './log/w3c.js'
import type { EventMapping } from './mapping/event-mapping.js'
import { sampleEvents } from './mapping/sample.js'
import { timeFieldOf } from './mapping/time-field.js'
import { ndjsonFraming } from './ndjson.js'
import type { OpenInput } from './open.js'

/** An input whose format is known, ready to be cut into batches. */
export interface Input {
  readonly name: string
  readonly format: DetectedFormat
  readonly isCompressed: boolean
  /** True when the format was detected from the content, not set by a flag or the file name. */
  readonly isGuessed: boolean
  /** From the first event on. */
  readonly bytes: ByteSource
  readonly framing: Framing
  /** The position of the first event. */
  readonly start: Position
  readonly isLive: boolean
  /** The columns that the header of a table names. */
  readonly columns?: readonly string[]
  /** The layout of lines of text. */
  readonly layout?: TextLayout
  /** The meaning of fields of structured events. */
  readonly mapping: EventMapping
}

const NEWLINE = 0x0a
const OPENING_BRACKET = 0x5b
const UTF8_MARK = 'efbbbf'

/** Options for reading an input. */
export interface ReadOptions {
  readonly format?: Format | 'auto'
  readonly csv?: CsvDialect
  /** Returns the time in nanoseconds since 1970; completes times without a year in pipes. */
  readonly now?: () => bigint
  /** The zone of times in lines that name none; UTC by default. */
  readonly zone?: TimeZone
  /** The year of the first time in lines without a year; by default the latest possible one. */
  readonly year?: number
  /** False when another field was named as the event time, so that no field becomes `_time`. */
  readonly findsTime?: boolean
  /** True when a field with a known name becomes the event time; `findsTime` is about lines of logs. */
  readonly findsTimeField?: boolean
  /** The format of the times in fields, if the user gave one. */
  readonly timeFieldFormat?: TimeFormat
  /** The mapping that an earlier run has detected; prevents detection. */
  readonly mapping?: EventMapping
  /** The format of the times of lines, if the user gave one. */
  readonly timeFormat?: RegExp
  /** The layout of lines of text that an earlier run has detected. */
  readonly layout?: TextLayout | undefined
  /** Saved formats of lines, which take part in detection. */
  readonly formats?: readonly LineFormat[] | undefined
  /** The format of lines that the user named. */
  readonly lineFormat?: LineFormat | undefined
  readonly multiline?: Multiline | undefined
}

/**
 * Detects the compression and the format of an input and skips what precedes the events. Throws `InputError` when the
 * input cannot be read.
 */
export async function detectInput(opened: OpenInput, options: ReadOptions = {}): Promise<Input> {
  const { name, isLive } = opened
  const asked = requestedFormat(options)
  const packed = new Lookahead(opened.bytes)
  await packed.until(canDetectCompression)
  const raw = withHead(packed.head, opened.bytes)
  const source = decompressed(packed.head, raw, name)
  const beginning = new Lookahead(source)
  const mark = await byteOrderMarkLength(beginning, name)
  const detected = await resolveFormat(beginning, { asked, mark, name })
  const found =
    asked === 'auto' ? await savedOr(detected, beginning, { ...options, mark, name }) : detected
  const context = { ...options, mark, name, lastWritten: lastWritten(opened, options) }
  const { framing, skip, columns, layout } = await FRAMINGS[found](beginning, context)
  const mapping = options.mapping ?? (await detectMapping(beginning, { ...options, framing, skip }))
  const before = beginning.head.subarray(0, skip)
  const line = 1 + before.reduce((lines, byte) => lines + (byte === NEWLINE ? 1 : 0), 0)
  return {
    name,
    format: found,
    isCompressed: source !== raw,
    isGuessed: asked === 'auto' && formatOfName(name) === undefined,
    bytes: withHead(beginning.head.subarray(skip), source),
    framing,
    start: { line, event: 0, offset: skip },
    isLive,
    mapping,
    ...(columns && { columns }),
    ...(layout && { layout }),
  }
}

/** Detects the meaning of fields from the first events. */
async function detectMapping(
  beginning: Lookahead,
  {
    framing,
    skip,
    now = () => 0n,
    findsTimeField,
    timeFieldFormat: format,
  }: ReadOptions & Pick<EventsStart, 'framing' | 'skip'>,
): Promise<EventMapping> {
  if (findsTimeField !== true || framing.conversion !== undefined) return {}
  const events = await sampleEvents(beginning, { framing, skip })
  const timestampField = timeFieldOf(events, { now: now(), format })
  return timestampField === undefined ? {} : { timestampField }
}

/** Returns the length of the byte order mark. */
async function byteOrderMarkLength(beginning: Lookahead, name: string): Promise<number> {
  await beginning.until((head) => head.length > 0 && !UTF8_MARK.startsWith(head.toString('hex')))
  const hex = beginning.head.subarray(0, 3).toString('hex')
  if (hex.startsWith('fffe') || hex.startsWith('feff')) {
    throw utf16Error(name)
  }
  return hex === UTF8_MARK ? UTF8_MARK.length / 2 : 0
}

/** Column options imply CSV. */
function requestedFormat({ format = 'auto', csv }: ReadOptions): Format | 'auto' {
  return format === 'auto' && csv !== undefined ? 'csv' : format
}

interface DetectionContext extends ReadOptions {
  readonly mark: number
  readonly name: string
  /** Returns the latest possible time of an event. */
  readonly lastWritten: () => bigint
}

async function resolveFormat(
  beginning: Lookahead,
  {
    asked,
    mark,
    name,
  }: Pick<DetectionContext, 'mark' | 'name'> & { readonly asked: Format | 'auto' },
): Promise<DetectedFormat> {
  let found: DetectedFormat | undefined
  await beginning.until((bytes, isWhole) => {
    found = detectFormat(asked, { name, head: bytes.subarray(mark), isWhole })
    return found !== undefined
  })
  const format = found ?? 'ndjson'
  rejectBinary(beginning.head, { name, format, isGuess: asked === 'auto' })
  return format
}

/** Returns `text` if the lines of a log have a saved format, otherwise the detected format. */
async function savedOr(
  detected: DetectedFormat,
  beginning: Lookahead,
  { formats = [], layout, mark, name }: Omit<DetectionContext, 'lastWritten'>,
): Promise<DetectedFormat> {
  const isLog = ['logfmt', 'clf', 'syslog', 'csv'].includes(detected)
  if (formats.length === 0 || !isLog || layout !== undefined || formatOfName(name) !== undefined) {
    return detected
  }
  const sample = await beginning.lines(MAX_SAMPLE, SAMPLE_MS)
  const isSaved =
    detectCustomFormat(sample.subarray(mark).toString('latin1'), formats) !== undefined
  return isSaved ? 'text' : detected
}

interface EventsStart {
  readonly framing: Framing
  /** Bytes in front of the first event. */
  readonly skip: number
  readonly columns?: readonly string[]
  readonly layout?: TextLayout
}

const FRAMINGS: Readonly<
  Record<
    DetectedFormat,
    (beginning: Lookahead, start: DetectionContext) => EventsStart | Promise<EventsStart>
  >
> = {
  ndjson: (_, { mark }) => ({ framing: ndjsonFraming(), skip: mark }),
  'json sequence': (_, { mark }) => ({ framing: jsonSequenceFraming(), skip: mark }),
  'json array': ({ head }) => ({
    framing: jsonArrayFraming(),
    skip: head.indexOf(OPENING_BRACKET) + 1,
  }),
  csv: csvHeader,
  tsv: (beginning, start) =>
    csvHeader(beginning, { ...start, csv: { delimiter: '\t', ...start.csv } }),
  logfmt: (beginning, start) => logStart('logfmt', {}, { beginning, ...start }),
  clf: (beginning, start) => logStart('clf', {}, { beginning, ...start }),
  syslog: (beginning, start) => logStart('syslog', {}, { beginning, ...start }),
  text,
  w3c: async (beginning, context) => {
    const layout = context.layout ?? w3cLayout(await sampleOf(beginning, context), context)
    return logStart('w3c', layout, { beginning, ...context })
  },
  cri: (beginning, context) => container('cri', beginning, context),
  docker: (beginning, context) => container('docker', beginning, context),
}

/** 1990, after the times that archives and images give to files whose time they do not know. */
const FIRST_LIKELY = 631_152_000_000_000_000n

/** Returns the function that gives the time after which no event of an input can be: now, unless it is an older file. */
function lastWritten(opened: OpenInput, { now = () => 0n }: ReadOptions): () => bigint {
  return () => {
    const current = now()
    const written = opened.lastWritten?.() ?? current
    return written < current && written >= FIRST_LIKELY ? written : current
  }
}

/** The first time without a year is looked for in this much of an input, in bytes. */
const MAX_YEAR_HEAD = 64 * 1024

function timeDefaults(
  { head }: Lookahead,
  { mark, lastWritten, zone, year }: DetectionContext,
): TimeDefaults {
  const lines = () => head.toString('latin1', mark, mark + MAX_YEAR_HEAD).split('\n')
  return {
    lastWritten,
    ...(zone && { zone }),
    ...(year !== undefined && { year, head: lines() }),
  }
}

/** Detection reads at most this much of an input, in bytes. */
const MAX_SAMPLE = 256 * 1024
/** A pipe has this long to deliver the lines that are examined. */
const SAMPLE_MS = 500

async function text(beginning: Lookahead, context: DetectionContext): Promise<EventsStart> {
  const layout =
    context.layout ?? detectTextLayout(await sampleOf(beginning, context), detection(context))
  return logStart('text', layout, { beginning, ...context })
}

async function container(
  format: 'cri' | 'docker',
  beginning: Lookahead,
  context: DetectionContext,
): Promise<EventsStart> {
  const layout =
    context.layout ??
    detectInnerLayout(await sampleOf(beginning, context), CONTAINERS[format], detection(context))
  return logStart(format, layout, { beginning, ...context })
}

/** Throws `InputError` when no directive names the fields. */
function w3cLayout(sample: string, { name }: DetectionContext): TextLayout {
  const header = w3cHeader(sample)
  if (header !== undefined) return { w3c: header }
  throw new InputError(
    `${inputLabel(name)} has no \`#Fields\` line, so it is not a W3C extended log.`,
  )
}

function detection({
  lastWritten,
  zone,
  timeFormat,
  formats,
  lineFormat,
}: DetectionContext): TextDetection {
  return { now: lastWritten(), zone, timeFormat, formats, format: lineFormat }
}

/** Returns the first lines of an input, in latin1. */
async function sampleOf(beginning: Lookahead, { mark }: DetectionContext): Promise<string> {
  return (await beginning.lines(MAX_SAMPLE, SAMPLE_MS)).subarray(mark).toString('latin1')
}

function logStart(
  format: LogFormat,
  layout: TextLayout,
  { beginning, ...context }: DetectionContext & { readonly beginning: Lookahead },
): EventsStart {
  const { mark, findsTime = true, timeFormat, multiline } = context
  const options = {
    layout,
    now: context.lastWritten(),
    findsTime,
    timeFormat,
    multiline,
    times: timeDefaults(beginning, context),
  }
  const isText = Object.keys(layout).length > 0 || format === 'text'
  return { framing: logFraming(format, options), skip: mark, ...(isText && { layout }) }
}

async function csvHeader(
  beginning: Lookahead,
  { mark, name, csv = {} }: DetectionContext,
): Promise<EventsStart> {
  if (csv.fields !== undefined) return { framing: csvFraming(Buffer.alloc(0), csv), skip: mark }
  let end = -1
  await beginning.until((bytes, isWhole) => {
    end = new CsvScanner(csv).scan(bytes, { from: mark, to: bytes.length, maxEvents: 1 }).end
    const isFound = end !== -1 && !isOnlyLineEnds(bytes.subarray(mark, end))
    if (!isFound && isWhole) end = bytes.length
    return isFound
  })
  if (beginning.isTooLong) {
    throw new InputError(
      `The CSV header of ${inputLabel(name)} is longer than 1 MiB; a quote in it may not be closed.`,
    )
  }
  // Without the byte order mark: a header is repeated in each body, a mark belongs only at the beginning of a file.
  const header = Buffer.from(beginning.head.subarray(mark, end))
  checkHeader(header, { name, csv })
  if (csv.delimiter === undefined) rejectOtherDelimiter(header, name)
  const text = header.toString().replace(/^[\r\n]+/, '')
  const row = readCsvRow(text, 0, { delimiter: csv.delimiter ?? ',', isEnd: true })
  const columns = row?.cells.map((cell = '') => cell) ?? []
  return { framing: csvFraming(header, csv), skip: end, columns }
}

/** Checks the header before anything is sent; the service would reject every batch for the same reason. */
function checkHeader(
  header: Buffer,
  { name, csv }: Required<Pick<DetectionContext, 'name' | 'csv'>>,
): void {
  try {
    const lines = new CsvLines({ delimiter: csv.delimiter ?? ',' })
    lines.push(header)
    lines.end()
  } catch (error) {
    if (!(error instanceof CsvHeaderError)) throw error
    throw new InputError(`${inputLabel(name)} can't be read as CSV. ${error.message}`, {
      cause: error,
    })
  }
}

const MAX_SHOWN = 60
const OTHER_DELIMITER = /[;|\t]/

/** In many countries spreadsheets write semicolons, and each row would become a single value. */
function rejectOtherDelimiter(header: Buffer, name: string): void {
  const line = header.toString().trim()
  const [delimiter] = OTHER_DELIMITER.exec(line) ?? []
  if (delimiter === undefined || /[",]/.test(line)) return
  const names = line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line
  const written = delimiter === '\t' ? '\\t' : delimiter
  throw new InputError(
    `${inputLabel(name)} has a single column as CSV, \`${names}\`. Use \`--delimiter '${written}'\` to split it, or \`--delimiter ,\` to keep a single column.`,
  )
}

function isOnlyLineEnds(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === NEWLINE || byte === 0x0d)
}
