import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { Readable, type Writable } from 'node:stream'
import type { Batch, UnsendableEvent } from '../../../../input/batch.js'
import { type ByteSource, streamBytes } from '../../../../input/byte-source.js'
import { STANDARD_INPUT } from '../../../../input/error.js'
import { sourcesOf } from '../../../../input/locate.js'
import { inputError } from '../../../../input/open.js'
import { CommandError } from '../../../error/command-error.js'
import { counted } from '../../../option/quantity.js'
import { openOutputFile } from '../../../output/file.js'
import type { Reporter } from '../report/reporter.js'
import type { BatchOutcome, FailedEvents } from '../send/outcome.js'
import { encodeReject, type Heading, parseReject, type Reject, reasonFields } from './reject.js'
import {
  bytesOf,
  eventsOf,
  type HeadingGroup,
  isCutOff,
  isSameHeading,
  lineAt,
  linesOf,
} from './retry-events.js'

/** What this run has made of a line of the file. */
type RetryResult = 'passed' | Pick<Reject, 'reason' | 'field' | 'requestId' | 'unconfirmed'>

/**
 * The account of events that are sent again: the ones that pass leave their file, which is replaced
 * as a whole when the run ends. Until then it stays as it was, so nothing is lost on the way.
 */
export class RetryFile implements Reporter {
  readonly path: string
  /** Those that occur; what is under each of them is an input of its own. */
  readonly headings: readonly Heading[]
  /** The same file has the same one until a run has ended. */
  private readonly fingerprint: string
  /** Lines that repeat an earlier one, and which: a run that is killed may have its records written once more. */
  private readonly repeats: ReadonlyMap<number, number>
  private readonly results = new Map<number, RetryResult>()
  private group: HeadingGroup = { heading: {}, lines: [], offsets: [] }

  private constructor(path: string, { headings, repeats, fingerprint }: Contents) {
    this.path = path
    this.headings = headings
    this.repeats = repeats
    this.fingerprint = fingerprint
  }

  /** Reads the file once. `note` is called with what will not be sent. */
  static async open(path: string, note: (text: string) => void): Promise<RetryFile> {
    try {
      const contents = await contentsOf(path)
      for (const text of warningsFor(path, contents)) note(text)
      return new RetryFile(path, contents)
    } catch (error) {
      throw error instanceof CommandError
        ? error
        : new CommandError(inputError(path, error).message)
    }
  }

  /** The events under one of the headings, as a file of theirs alone would hold them; ends those before. */
  open(heading: Heading, signal: AbortSignal): ByteSource {
    this.group = { heading, lines: [], offsets: [] }
    return streamBytes(
      Readable.from(
        eventsOf(this.path, this.group, (line) => this.repeats.has(line)),
        { objectMode: false },
      ),
      signal,
    )
  }

  /** A batch of those events, each on its line of the file. */
  withLines(batch: Batch): Batch {
    const { group } = this
    const source = sourcesOf(batch)
    return {
      ...batch,
      source: (index) => {
        const found = source(index)
        const line = found && lineAt(group, found.offset)
        // What can't be found again keeps its place in the file.
        return { text: Buffer.alloc(0), offset: 0, ...found, ...(line !== undefined && { line }) }
      },
    }
  }

  /** Such an event on its line of the file. */
  withLine(event: UnsendableEvent): UnsendableEvent {
    const { start } = event
    const line = lineAt(this.group, start.offset)
    return line === undefined ? event : { ...event, start: { ...start, line } }
  }

  /** A run that was killed left the file as it was, and a service with batch ids stores what it sent once. */
  batchId({ start, bytes }: Batch): string {
    const group = this.headings.indexOf(this.group.heading)
    return `${this.fingerprint}-${group}-${start.offset}+${bytes}`
  }

  async settled({ batch, rejected, unsent, unconfirmed }: BatchOutcome): Promise<void> {
    const { source } = batch
    if (source === undefined) return
    const mark = ({ range: among }: FailedEvents, verdict: RetryResult | undefined) => {
      for (let index = among.first; index < among.first + among.events; index++) {
        const { line } = source(index)
        if (line === undefined) continue
        if (verdict === undefined) this.results.delete(line)
        else this.results.set(line, verdict)
      }
    }
    const whole = { range: { first: 0, events: batch.events }, events: batch.events, reason: '' }
    mark(whole, 'passed')
    for (const shortfall of unsent) mark(shortfall, undefined)
    for (const shortfall of unconfirmed)
      mark(shortfall, { ...reasonFields(shortfall), unconfirmed: true })
    for (const shortfall of rejected) {
      // Where the service does not tell which of them it means, none can be let go.
      const isOpen = shortfall.events < shortfall.range.events
      mark(shortfall, { ...reasonFields(shortfall), ...(isOpen && { unconfirmed: true }) })
    }
  }

  async unsendable({ start, reason }: UnsendableEvent): Promise<void> {
    const line = lineAt(this.group, start.offset)
    if (line !== undefined) this.results.set(line, { reason })
  }

  async close(): Promise<void> {
    const output = await openOutputFile(this.path)
    try {
      let number = 0
      for await (const line of linesOf(this.path)) {
        number += 1
        const left = this.remainderOf(line, number)
        if (left !== undefined) await write(output.stream, left)
      }
      await output.finish()
    } finally {
      await output.discard()
    }
  }

  /** What stays of a line. */
  private remainderOf(line: Buffer, number: number): Buffer | string | undefined {
    const first = this.repeats.get(number)
    if (first !== undefined) return this.results.has(first) ? undefined : line
    const verdict = this.results.get(number)
    if (verdict === 'passed') return undefined
    const reject = verdict === undefined ? undefined : parseReject(line)
    if (reject === undefined) return line
    const { reason: _, field: __, requestId: ___, unconfirmed: ____, ...same } = reject
    return encodeReject({ ...same, ...(verdict as Exclude<RetryResult, string>) })
  }
}

/** What is found in a rejects file before any of it is sent. */
interface Contents {
  readonly headings: readonly Heading[]
  readonly repeats: ReadonlyMap<number, number>
  /** Lines that a full disk or a kill has cut off. */
  readonly cutOff: readonly number[]
  readonly fingerprint: string
}

async function contentsOf(path: string): Promise<Contents> {
  const hash = createHash('sha256')
  const headings: Heading[] = []
  const lineOf = new Map<string, number>()
  const repeats = new Map<number, number>()
  const cutOff: number[] = []
  const { mtimeMs } = await stat(path)
  hash.update(`${mtimeMs}\n`)
  let number = 0
  for await (const line of linesOf(path)) {
    hash.update(line)
    number += 1
    const reject = parseReject(line)
    if (reject === undefined) {
      if (isCutOff(line)) cutOff.push(number)
      else if (line.toString('utf8').trim() !== '') {
        throw new CommandError(
          `\`${path}\` is no rejects file: line ${number} is no record of one.`,
        )
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

/** The same for records of one event. Standard input is another one each time, so that its places tell nothing. */
function identityOf(reject: Reject): string | undefined {
  const { file, line, offset, header, delimiter, format, event, eventBase64 } = reject
  if (file === STANDARD_INPUT) return undefined
  const parts = [file, line, offset, header, delimiter, format, event, eventBase64]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64')
}

function* warningsFor(path: string, { repeats, cutOff }: Contents): Generator<string> {
  const [line] = cutOff
  if (line !== undefined) {
    const what = counted(cutOff.length, 'record')
    yield `\`${path}\` has ${what} cut off by a full disk or a kill, first in line ${line}. Nothing of them is sent; they stay in the file.`
  }
  if (repeats.size > 0) {
    yield `\`${path}\` has ${counted(repeats.size, 'record')} more than once; each event is sent once.`
  }
}

/** Resolves when there is room for more. */
function write(stream: Writable, bytes: Buffer | string): Promise<void> {
  return new Promise((resolve, reject) => {
    const hasRoom = stream.write(bytes, (error) => (error ? reject(error) : resolve()))
    if (hasRoom) resolve()
  })
}
