import { FORM_FEED, LINE_FEED, OPEN_BRACKET } from '../text/bytes.js'
import type { Position } from './batch.js'
import { rejectBinary } from './binary.js'
import { type ByteSource, Lookahead, withHead } from './byte-source.js'
import { decompressed } from './compression.js'
import { csvHeader } from './csv-header.js'
import { documentLines } from './document-lines.js'
import { canDetectEncoding, decoded } from './encoding.js'
import type { DetectionContext, EventsStart } from './events-start.js'
import { type DetectedFormat, detectFormat, type Format, formatOfName } from './format.js'
import { jsonFraming } from './json.js'
import { isLogFormat, type LogFormat } from './log/log-format.js'
import { logStart, withLayout } from './log/log-start.js'
import { StrayLines } from './log/stray-lines.js'
import { lastWritten, timeDefaults } from './log/time/time-defaults.js'
import { detectMapping, mappingRewriter } from './mapping/detect-mapping.js'
import { inTurn, type Rewriter } from './mapping/edit.js'
import type { EventMapping } from './mapping/event-mapping.js'
import { ndjsonFraming } from './ndjson.js'
import type { FileIdentity, OpenInput } from './open.js'
import type { ReadOptions } from './read-options.js'
import { findRecords, outerRewriter } from './records-start.js'
import { afterFirstZeros } from './zeros.js'

/** An input whose format is known, ready to be cut into batches. */
export interface Input extends Omit<EventsStart, 'skip' | 'records'> {
  readonly name: string
  readonly format: DetectedFormat
  /** The form of the input itself, when positions are of its decompressed, decoded or rewritten text. */
  readonly storedAs?: 'compressed' | 'not in UTF-8' | 'a JSON document'
  /** True when the format was detected from the content, not set by a flag or the file name. */
  readonly isGuessed: boolean
  /** The bytes of the input, starting at the first event. */
  readonly bytes: ByteSource
  /** The position of the first event. */
  readonly start: Position
  readonly isLive: boolean
  /** Identifies a regular file across renames. */
  readonly file?: FileIdentity | undefined
  /** The path of the array in a document whose elements are the events. */
  readonly recordsPath?: string
  /** The meaning of fields of structured events. */
  readonly mapping: EventMapping
  /** Rewrites the events according to the mapping. */
  readonly rewrite?: Rewriter | undefined
  /** Reads lines of NDJSON that are not objects; missing where they are rejected. */
  readonly strayLines?: StrayLines | undefined
  /** True when events get the fields `_file`, `_line` and `_offset`. */
  readonly hasSourceFields?: boolean
}

const UTF8_MARK = 'efbbbf'

/**
 * Detects the compression and the format of an input and skips what precedes the events. Throws `InputError` when the
 * input cannot be read.
 */
export async function detectInput(opened: OpenInput, options: ReadOptions = {}): Promise<Input> {
  const { name, isLive } = opened
  const asked = opened.format ?? requestedFormat(name, options)
  const { zeros, rest, storedAs } = await textOf(opened)
  let source = rest
  let beginning = new Lookahead(source)
  const afterMark = await byteOrderMarkLength(beginning)
  const mark = TABLES.has(asked) ? await tableNoteEnd(beginning, afterMark) : afterMark
  const wanted = { asked, mark, name, records: options.records }
  let detected = await resolveFormat(beginning, wanted)
  // An earlier run has found the format of the lines.
  const isDetected = asked === 'auto' || options.mapping !== undefined
  const mayBeLines = isDetected && (options.records ?? 'none') === 'none'
  const lines = mayBeLines ? documentLines(beginning.head, source, options) : undefined
  if (lines !== undefined) {
    source = lines
    beginning = new Lookahead(source)
    detected = await resolveFormat(beginning, wanted)
  }
  const begun = { ...options, mark, name, lastWritten: lastWritten(opened, options) }
  const { format: found, layout: known } = await withLayout(detected, beginning, {
    ...begun,
    asked,
  })
  const context = { ...begun, layout: known ?? options.layout }
  const { skip, records, ...start } = await (isLogFormat(found)
    ? logStart(found, beginning, context)
    : STARTS[found](beginning, context))
  const { framing } = start
  const mapping =
    options.mapping ?? (await detectMapping(beginning, { ...options, name, framing, skip }))
  const rewriters = [
    mappingRewriter(mapping, { ...options, times: timeDefaults(beginning, context) }),
    outerRewriter(records?.outer),
  ]
  const before = beginning.head.subarray(0, skip)
  const line = 1 + before.reduce((lines, byte) => lines + (byte === LINE_FEED ? 1 : 0), 0)
  return {
    name,
    format: found,
    storedAs: lines === undefined ? storedAs : 'a JSON document',
    isGuessed: asked === 'auto' && formatOfName(name) === undefined,
    bytes: withHead(beginning.head.subarray(skip), source),
    ...start,
    start: { line, event: 0, offset: zeros + skip },
    isLive,
    file: opened.file,
    mapping,
    rewrite: inTurn(rewriters),
    strayLines:
      found === 'ndjson' && options.isStrict !== true
        ? new StrayLines(beginning.head.subarray(skip), {
            mapping,
            timeFormat: options.timeFieldFormat,
            lastWritten: begun.lastWritten,
          })
        : undefined,
    hasSourceFields: options.hasSourceFields === true,
    recordsPath: records?.path,
  }
}

/** Returns the text of an input: decompressed, in UTF-8, and without zeros at its beginning, whose number is returned too. */
async function textOf(opened: OpenInput) {
  const { bytes: unpacked, isCompressed } = await decompressed(opened)
  const encoded = new Lookahead(unpacked)
  await encoded.until(canDetectEncoding)
  const plain = withHead(encoded.head, unpacked)
  const text = decoded(encoded.head, plain)
  const storedAs = isCompressed ? 'compressed' : text !== plain ? 'not in UTF-8' : undefined
  return { ...(await afterFirstZeros(text, opened.signal)), storedAs } as const
}

/** Returns the length of a byte order mark, and of the form feed with which a file of printed pages may begin. */
async function byteOrderMarkLength(beginning: Lookahead): Promise<number> {
  await beginning.until((head) => head.length > 0 && !UTF8_MARK.startsWith(head.toString('hex')))
  const { head } = beginning
  const mark = head.toString('hex', 0, 3) === UTF8_MARK ? UTF8_MARK.length / 2 : 0
  return head[mark] === FORM_FEED ? mark + 1 : mark
}

/** The formats, as the user named them, that may describe a table. */
const TABLES: ReadonlySet<Format | 'auto'> = new Set(['auto', 'csv', 'tsv'] as const)

/**
 * A line for the program that opens a table, in front of the header: PowerShell's name of the type, and the delimiter for
 * spreadsheets.
 */
const TABLE_NOTE = /^(?:#TYPE \S+ ?(?=\r?\n")|("?)sep=([,;|\t])\1(?=\r?\n[^\n]{0,65536}\2))\r?\n/
const TABLE_NOTE_BEGINNING = /^(?:#(?:T(?:Y(?:P(?:E .*)?)?)?)?|"?(?:s(?:e(?:p(?:=.*)?)?)?)?)$/s
const TWO_LINES = /\n.*\n/s

/** Returns the end of the note in front of a table that begins at `from`; `from` if there is no note. */
async function tableNoteEnd(beginning: Lookahead, from: number): Promise<number> {
  await beginning.until((head) => {
    const text = head.toString('latin1', from)
    return !TABLE_NOTE_BEGINNING.test(text) || TWO_LINES.test(text)
  })
  return from + (TABLE_NOTE.exec(beginning.head.toString('latin1', from))?.[0].length ?? 0)
}

/** Returns the requested format; options for columns imply CSV, or TSV by the name of the input. */
function requestedFormat(name: string, { format = 'auto', csv }: ReadOptions): Format | 'auto' {
  if (format !== 'auto' || csv === undefined) return format
  return formatOfName(name) === 'tsv' ? 'tsv' : 'csv'
}

async function resolveFormat(
  beginning: Lookahead,
  {
    asked,
    mark,
    name,
    records,
  }: Pick<DetectionContext, 'mark' | 'name' | 'records'> & { asked: Format | 'auto' },
): Promise<DetectedFormat> {
  let found: DetectedFormat | undefined
  await beginning.until((bytes, isWhole) => {
    found = detectFormat(asked, { name, head: bytes.subarray(mark), isWhole, records })
    return found !== undefined
  })
  const format = found ?? 'ndjson'
  rejectBinary(beginning.head, { name, format, isGuess: asked === 'auto' })
  return format
}

const STARTS: Readonly<
  Record<
    Exclude<DetectedFormat, LogFormat>,
    (beginning: Lookahead, start: DetectionContext) => EventsStart | Promise<EventsStart>
  >
> = {
  ndjson: (_, { mark }) => ({ framing: ndjsonFraming(), skip: mark }),
  'json sequence': (_, { mark }) => ({ framing: jsonFraming({ kind: 'sequence' }), skip: mark }),
  'json array': ({ head }) => ({
    framing: jsonFraming({ kind: 'array' }),
    skip: head.indexOf(OPEN_BRACKET) + 1,
  }),
  'json records': ({ head }, { mark, records }) => {
    const found = findRecords(head.toString('latin1', mark), { isWhole: true, path: records })
    if (found === undefined || found === 'more') throw new Error('the array was found before')
    const { offset, ...rest } = found
    const framing = jsonFraming({ kind: 'records', ...rest })
    return { framing, skip: mark + offset, records: rest }
  },
  csv: csvHeader,
  tsv: (beginning, start) =>
    csvHeader(beginning, { ...start, csv: { delimiter: '\t', ...start.csv } }),
}
