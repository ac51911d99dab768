import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Batch, UnsendableEvent } from '../../../input/batch.js'
import { type ByteSource, streamBytes } from '../../../input/byte-source.js'
import { STANDARD_INPUT } from '../../../input/error.js'
import { sourcesOf } from '../../../input/locate.js'
import { inputError } from '../../../input/open.js'
import { LINE_FEED } from '../../../text/bytes.js'
import { counted } from '../../../text/integer.js'
import { parseJson } from '../../../wire/json/json-object.js'
import { CommandError } from '../../error/command-error.js'
import { openOutputFile } from '../../output/file.js'
import type { BatchOutcome } from '../send/outcome.js'
import type { EventRange } from '../send/part.js'
import { encodeReject, type Heading, parseReject, type Reject, reasonFields } from './reject.js'

/** The outcome of sending a record again. */
type RetryResult = 'passed' | Pick<Reject, 'reason' | 'field' | 'requestId' | 'unconfirmed'>

/**
 * A rejects file whose events are sent again. Stored events are removed at the end of the run: the file is unchanged until then,
 * and is replaced atomically, so that nothing is lost.
 */
export class RetryFile {
  readonly path: string
  private readonly contents: Contents
  /** The results by line number. */
  private readonly results = new Map<number, RetryResult>()
  /** The heading of the events that are read, the number of the line of each event, and its offset among them. */
  private current: Heading = {}
  private lines: number[] = []
  private offsets: number[] = []

  private constructor(path: string, contents: Contents) {
    this.path = path
    this.contents = contents
  }

  /** Opens a rejects file. Calls `note` with warnings about records that are not sent. Throws a `CommandError` when it can't be read. */
  static async open(path: string, note: (text: string) => void): Promise<RetryFile> {
    const contents = await contentsOf(path).catch((error: unknown) => {
      throw error instanceof CommandError
        ? error
        : new CommandError(inputError(path, error).message)
    })
    for (const text of warningsFor(path, contents)) note(text)
    return new RetryFile(path, contents)
  }

  get headings(): readonly Heading[] {
    return this.contents.headings
  }

  /** Returns the events with a heading as an input, which becomes the current one. */
  read(heading: Heading, signal: AbortSignal): ByteSource {
    this.current = heading
    this.lines = []
    this.offsets = []
    return streamBytes(Readable.from(this.eventsOf(heading), { objectMode: false }), signal)
  }

  /** Yields the events with a heading. Records that repeat an earlier one are skipped. */
  private async *eventsOf(heading: Heading): AsyncGenerator<Buffer> {
    const header = heading.header === undefined ? undefined : Buffer.from(`${heading.header}\n`)
    if (header !== undefined) yield header
    let offset = header?.length ?? 0
    for await (const { line, number } of linesOf(this.path)) {
      const reject = this.contents.repeats.has(number) ? undefined : parseReject(line)
      const bytes = reject && isSameHeading(reject, heading) ? bytesOf(reject) : undefined
      if (bytes === undefined) continue
      this.lines.push(number)
      this.offsets.push(offset)
      offset += bytes.length
      yield bytes
    }
  }

  private lineAt(offset: number): number | undefined {
    const { lines, offsets } = this
    let from = 0
    let to = offsets.length
    while (from < to) {
      const middle = (from + to) >>> 1
      if (offsets[middle]! <= offset) from = middle + 1
      else to = middle
    }
    return lines[from - 1]
  }

  /** Returns a batch whose events have their line numbers in the rejects file. */
  withLines(batch: Batch): Batch {
    const source = sourcesOf(batch)
    return {
      ...batch,
      source: (index) => {
        const found = source(index)
        // An event that can't be located keeps its line number in the input.
        const line = found && (this.lineAt(found.offset) ?? found.line)
        return { text: Buffer.alloc(0), offset: 0, ...found, line }
      },
    }
  }

  /** Returns an unsendable event with its line number in the rejects file. */
  withLine(event: UnsendableEvent): UnsendableEvent {
    const { start } = event
    const line = this.lineAt(start.offset)
    return line === undefined ? event : { ...event, start: { ...start, line } }
  }

  /** Returns the same id for the same events until the file changes, so that a rerun after a kill stores them once. */
  batchId({ start, bytes }: Batch): string {
    const { headings, fingerprint } = this.contents
    return `${fingerprint}-${headings.indexOf(this.current)}-${start.offset}+${bytes}`
  }

  async settled({ batch, rejected, unsent, unconfirmed }: BatchOutcome): Promise<void> {
    this.mark(batch, { first: 0, events: batch.events }, 'passed')
    for (const { range } of unsent) this.mark(batch, range, undefined)
    for (const failed of unconfirmed) {
      this.mark(batch, failed.range, { ...reasonFields(failed), unconfirmed: true })
    }
    for (const failed of rejected) {
      // When the service does not report which events failed, all events are kept.
      const isOpen = failed.events < failed.range.events
      this.mark(batch, failed.range, {
        ...reasonFields(failed),
        ...(isOpen && { unconfirmed: true }),
      })
    }
  }

  /** Sets the result of events of a batch; `undefined` for events that stay as they are in the file. */
  private mark(
    { source }: Batch,
    { first, events }: EventRange,
    result: RetryResult | undefined,
  ): void {
    for (let index = first; index < first + events; index++) {
      const line = source?.(index)?.line
      if (line === undefined) continue
      if (result === undefined) this.results.delete(line)
      else this.results.set(line, result)
    }
  }

  async unsendable({ start, reason }: UnsendableEvent): Promise<void> {
    const line = this.lineAt(start.offset)
    if (line !== undefined) this.results.set(line, { reason })
  }

  async close(): Promise<void> {
    const output = await openOutputFile(this.path)
    try {
      await pipeline(this.remainder(), output.stream, { end: false })
      await output.finish()
    } finally {
      await output.discard()
    }
  }

  private async *remainder(): AsyncGenerator<Buffer | string> {
    for await (const { line, number } of linesOf(this.path)) {
      const left = this.remainderOf(line, number)
      if (left !== undefined) yield left
    }
  }

  /** Returns the line to keep; `undefined` when its event was stored. */
  private remainderOf(line: Buffer, number: number): Buffer | string | undefined {
    const { results } = this
    const first = this.contents.repeats.get(number)
    if (first !== undefined) return results.has(first) ? undefined : line
    const result = results.get(number)
    if (result === 'passed') return undefined
    const reject = result === undefined ? undefined : parseReject(line)
    if (reject === undefined) return line
    const { reason: _, field: __, requestId: ___, unconfirmed: ____, ...same } = reject
    return encodeReject({ ...same, ...(result as Exclude<RetryResult, string>) })
  }
}

/** The contents of a rejects file before it is sent. */
interface Contents {
  readonly headings: readonly Heading[]
  /** The line numbers of duplicate records, with the line of the first one. */
  readonly repeats: ReadonlyMap<number, number>
  /** The line numbers of truncated records. */
  readonly cutOff: readonly number[]
  readonly fingerprint: string
}

async function contentsOf(path: string): Promise<Contents> {
  const hash = createHash('sha256')
  const headings: Heading[] = []
  const lineOf = new Map<string, number>()
  const repeats = new Map<number, number>()
  const cutOff: number[] = []
  const found = await stat(path)
  // It is read twice and then replaced.
  if (!found.isFile() && !found.isDirectory()) {
    throw new CommandError(`\`${path}\` is a device or a pipe. \`--retry\` takes a rejects file.`)
  }
  const { mtimeMs } = found
  hash.update(`${mtimeMs}\n`)
  for await (const { line, number } of linesOf(path)) {
    hash.update(line)
    const reject = parseReject(line)
    if (reject === undefined) {
      if (isCutOff(line)) cutOff.push(number)
      else if (line.toString('utf8').trim() !== '') {
        throw new CommandError(`\`${path}\` is not a rejects file: line ${number} is not a record.`)
      }
      continue
    }
    if (bytesOf(reject) === undefined) continue
    const identity = identityOf(reject)
    const first = identity === undefined ? undefined : lineOf.get(identity)
    if (first !== undefined) repeats.set(number, first)
    else if (identity !== undefined) lineOf.set(identity, number)
    if (!headings.some((heading) => isSameHeading(heading, reject))) headings.push(reject)
  }
  return { headings, repeats, cutOff, fingerprint: hash.digest('hex').slice(0, 32) }
}

/** Returns a key that is equal for records of the same event; `undefined` for standard input, whose positions are not unique. */
function identityOf(reject: Reject): string | undefined {
  const { file, line, offset, header, delimiter, timestampField } = reject
  if (file === STANDARD_INPUT) return undefined
  const heading = [header, delimiter, timestampField]
  const parts = [file, line, offset, ...heading, reject.event, reject.eventBase64]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64')
}

function* warningsFor(path: string, { repeats, cutOff }: Contents): Generator<string> {
  const [line] = cutOff
  if (line !== undefined) {
    const what = counted(cutOff.length, 'record')
    yield `\`${path}\` has ${what} truncated by a full disk or a kill, first in line ${line}. They are not sent and stay in the file.`
  }
  if (repeats.size > 0) {
    yield `\`${path}\` has ${counted(repeats.size, 'duplicate record')}; each event is sent once.`
  }
}

const HEADING = ['header', 'delimiter', 'timestampField'] as const

/** True when events with either heading can be read together. */
function isSameHeading(one: Heading, other: Heading): boolean {
  const isSame = (name: keyof Heading) => one[name] === other[name]
  return HEADING.every(isSame)
}

/** Returns the bytes of an event to send again, on one line unless it is a CSV row; `undefined` for a record without an event. */
function bytesOf({ event, eventBase64, header }: Reject): Buffer | undefined {
  const bytes =
    eventBase64 === undefined ? Buffer.from(event ?? '') : Buffer.from(eventBase64, 'base64')
  if (bytes.toString('latin1').trim() === '') return undefined
  const end = Buffer.of(LINE_FEED)
  if (header !== undefined || !bytes.includes(LINE_FEED)) return Buffer.concat([bytes, end])
  if (!isJson(bytes)) return undefined
  // In JSON, line breaks are white space.
  return Buffer.concat([Buffer.from(bytes.toString('utf8').replace(/[\r\n]/g, ' ')), end])
}

/** The beginning of every record. */
const RECORD_START = '{"file":'

/** True when a line is a truncated record, after a full disk or a kill. */
function isCutOff(line: Buffer): boolean {
  const text = line.toString('utf8').trim()
  return (
    text !== '' && (text.includes(RECORD_START) || RECORD_START.startsWith(text)) && !isJson(line)
  )
}

function isJson(line: Buffer): boolean {
  return parseJson(line.toString('utf8')) !== undefined
}

interface Line {
  readonly line: Buffer
  readonly number: number
}

/** Yields the lines of a rejects file with their line breaks. */
async function* linesOf(path: string): AsyncGenerator<Line> {
  let rest: Buffer[] = []
  let number = 1
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let at = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, at)) {
      yield { line: Buffer.concat([...rest, chunk.subarray(at, end + 1)]), number }
      rest = []
      number += 1
      at = end + 1
    }
    if (at < chunk.length) rest.push(chunk.subarray(at))
  }
  if (rest.length > 0) yield { line: Buffer.concat(rest), number }
}
