import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Batch, Unsendable } from '../../input/batch.js'
import { type ByteSource, streamBytes } from '../../input/byte-source.js'
import { sourcesOf } from '../../input/locate.js'
import { inputError } from '../../input/open.js'
import { CommandError } from '../command-error.js'
import { openOutputFile } from '../output/file.js'
import type { Account, Outcome, Shortfall } from './account.js'
import { encodeReject, parseReject, type Reject } from './reject.js'

const NEWLINE = 0x0a

/** What this run has made of a line of the file. */
type Verdict = 'passed' | Pick<Reject, 'reason' | 'field' | 'requestId' | 'unconfirmed'>

/** Lines whose events can go out one after the other: those without a header, or under the same one. */
interface Group {
  readonly header: string | undefined
  /** The lines in the order that their events go out, and where each begins there. */
  readonly lines: number[]
  readonly offsets: number[]
}

/**
 * The account of events that are sent again: the ones that pass leave their file, which is replaced
 * as a whole when the run ends. Until then it stays as it was, so nothing is lost on the way.
 */
export class RetryFile implements Account {
  readonly path: string
  /** The CSV headers that occur, and nothing for events that need none. */
  readonly headers: readonly (string | undefined)[]
  /** The same file has the same one until a run has ended. */
  private readonly fingerprint: string
  private readonly verdicts = new Map<number, Verdict>()
  private group: Group = { header: undefined, lines: [], offsets: [] }

  private constructor(path: string, found: Pick<RetryFile, 'headers'> & { fingerprint: string }) {
    this.path = path
    this.headers = found.headers
    this.fingerprint = found.fingerprint
  }

  static async open(path: string): Promise<RetryFile> {
    const hash = createHash('sha256')
    const headers = new Set<string | undefined>()
    try {
      const { mtimeMs } = await stat(path)
      hash.update(`${mtimeMs}\n`)
      let number = 0
      for await (const line of linesOf(path)) {
        hash.update(line)
        number += 1
        const reject = parseReject(line)
        if (reject === undefined && line.toString('utf8').trim() !== '') {
          throw new CommandError(
            `\`${path}\` is no rejects file: line ${number} is no record of one.`,
          )
        }
        if (reject !== undefined && bytesOf(reject) !== undefined) headers.add(reject.header)
      }
    } catch (error) {
      throw error instanceof CommandError
        ? error
        : new CommandError(inputError(path, error).message)
    }
    return new RetryFile(path, {
      headers: [...headers],
      fingerprint: hash.digest('hex').slice(0, 32),
    })
  }

  /** The events under one of the headers, as a file of theirs alone would hold them; ends those before. */
  begin(header: string | undefined, signal: AbortSignal): ByteSource {
    this.group = { header, lines: [], offsets: [] }
    return streamBytes(Readable.from(this.events(this.group), { objectMode: false }), signal)
  }

  /** A batch of those events, each on its line of the file. */
  located(batch: Batch): Batch {
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

  /** A run that was killed left the file as it was, and a service with batch ids stores what it sent once. */
  batchId({ start, bytes }: Batch): string {
    const group = this.headers.indexOf(this.group.header)
    return `${this.fingerprint}-${group}-${start.offset}+${bytes}`
  }

  async settled({ batch, rejected, unsent, unconfirmed }: Outcome): Promise<void> {
    const { source } = batch
    if (source === undefined) return
    const mark = ({ among }: Shortfall, verdict: Verdict | undefined) => {
      for (let index = among.first; index < among.first + among.events; index++) {
        const { line } = source(index)
        if (line === undefined) continue
        if (verdict === undefined) this.verdicts.delete(line)
        else this.verdicts.set(line, verdict)
      }
    }
    const whole = { among: { first: 0, events: batch.events }, events: batch.events, reason: '' }
    mark(whole, 'passed')
    for (const shortfall of unsent) mark(shortfall, undefined)
    for (const shortfall of unconfirmed) mark(shortfall, { ...why(shortfall), unconfirmed: true })
    for (const shortfall of rejected) {
      // Where the service does not tell which of them it means, none can be let go.
      const isOpen = shortfall.events < shortfall.among.events
      mark(shortfall, { ...why(shortfall), ...(isOpen && { unconfirmed: true }) })
    }
  }

  async unsendable({ start, reason }: Unsendable): Promise<void> {
    const line = lineAt(this.group, start.offset)
    if (line !== undefined) this.verdicts.set(line, { reason })
  }

  async close(): Promise<void> {
    const output = await openOutputFile(this.path)
    try {
      let number = 0
      for await (const line of linesOf(this.path)) {
        number += 1
        const left = this.leftOf(line, number)
        if (left === undefined || output.stream.write(left)) continue
        await new Promise((resolve) => output.stream.once('drain', () => resolve(undefined)))
      }
      await output.finish()
    } finally {
      await output.discard()
    }
  }

  /** What stays of a line. */
  private leftOf(line: Buffer, number: number): Buffer | string | undefined {
    const verdict = this.verdicts.get(number)
    if (verdict === 'passed') return undefined
    const reject = verdict === undefined ? undefined : parseReject(line)
    if (reject === undefined) return line
    const { reason: _, field: __, requestId: ___, unconfirmed: ____, ...same } = reject
    return encodeReject({ ...same, ...(verdict as Exclude<Verdict, string>) })
  }

  private async *events(group: Group): AsyncGenerator<Buffer> {
    let offset = 0
    if (group.header !== undefined) {
      const header = Buffer.from(`${group.header}\n`)
      offset += header.length
      yield header
    }
    let number = 0
    for await (const line of linesOf(this.path)) {
      number += 1
      const reject = parseReject(line)
      if (reject === undefined || reject.header !== group.header) continue
      const bytes = bytesOf(reject)
      if (bytes === undefined) continue
      group.lines.push(number)
      group.offsets.push(offset)
      offset += bytes.length
      yield bytes
    }
  }
}

/** An event as it can go out again, on a line of its own where it is no CSV row; some can't. */
function bytesOf({ event, eventBase64, header }: Reject): Buffer | undefined {
  const bytes =
    eventBase64 === undefined ? Buffer.from(event ?? '') : Buffer.from(eventBase64, 'base64')
  if (bytes.toString('latin1').trim() === '') return undefined
  const end = Buffer.of(NEWLINE)
  if (header !== undefined || !bytes.includes(NEWLINE)) return Buffer.concat([bytes, end])
  try {
    // In what is JSON, line ends are nothing but white space.
    JSON.parse(bytes.toString('utf8'))
    return Buffer.concat([Buffer.from(bytes.toString('utf8').replace(/[\r\n]/g, ' ')), end])
  } catch {
    return undefined
  }
}

function why({ reason, field, requestId }: Shortfall): Exclude<Verdict, string> {
  return {
    reason,
    ...(field !== undefined && { field }),
    ...(requestId !== undefined && { requestId }),
  }
}

/** The line whose event holds a byte of what goes out. */
function lineAt({ lines, offsets }: Group, offset: number): number | undefined {
  let from = 0
  let to = offsets.length
  while (from < to) {
    const middle = (from + to) >>> 1
    if (offsets[middle]! <= offset) from = middle + 1
    else to = middle
  }
  return lines[from - 1]
}

/** The lines of a file with their ends. */
async function* linesOf(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let at = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, at)) {
      yield Buffer.concat([...rest, chunk.subarray(at, end + 1)])
      rest = []
      at = end + 1
    }
    if (at < chunk.length) rest.push(chunk.subarray(at))
  }
  if (rest.length > 0) yield Buffer.concat(rest)
}
