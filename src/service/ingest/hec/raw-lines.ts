import { type Members, withFreeNames } from './envelope.js'
import { HecError } from './status.js'

/** Events of a body, and the number of its bytes that they were read from. */
interface RawPiece {
  readonly lines: Buffer
  readonly bodyBytes: number
}

/** The most bytes of a line: it is read as a whole, while no other request is handled. */
const MAX_LINE_BYTES = 2 * 1024 * 1024

/** The most bytes of a JSON object on several lines. */
const MAX_OBJECT_BYTES = 1024 * 1024

const LINE_FEED = 0x0a

/**
 * Converts lines of text to events with a field `_raw`. Blank lines are dropped, and bytes that are not UTF-8 are replaced. With
 * `isJson`, a JSON object on a line is an event with its members, and so is one that is the whole body; `metadata` are fields that
 * the caller adds to each event. Throws a `HecError` when a line is too long.
 */
export async function* rawLines(
  body: AsyncIterable<Buffer>,
  { isJson, metadata }: { readonly isJson: boolean; readonly metadata: Members },
): AsyncGenerator<RawPiece, void> {
  const jsonEvent = (line: string): string => objectEvent(line, metadata) ?? textEvent(line)
  const lines = new RawLines(isJson ? jsonEvent : textEvent)
  /** The beginning of a body that may be one object. */
  let begun: Buffer[] = []
  let room = isJson ? MAX_OBJECT_BYTES : 0
  for await (const bytes of body) {
    begun.push(bytes)
    room -= bytes.length
    if (room >= 0) continue
    for (const piece of begun) yield lines.push(piece)
    begun = []
    room = -1
  }
  const whole = room >= 0 ? Buffer.concat(begun) : Buffer.alloc(0)
  const event = objectEvent(whole.toString(), metadata)
  if (event !== undefined) {
    yield { lines: Buffer.from(event), bodyBytes: whole.length }
    return
  }
  yield lines.push(whole)
  yield lines.end()
}

/** Converts the lines of a text that arrives in pieces. */
class RawLines {
  private readonly eventOf: (line: string) => string
  /** The beginning of a line that continues in the next piece. */
  private begun: Buffer[] = []
  private begunBytes = 0

  constructor(eventOf: (line: string) => string) {
    this.eventOf = eventOf
  }

  push(bytes: Buffer): RawPiece {
    let events = ''
    let start = 0
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
      this.begin(bytes.subarray(start, end))
      events += this.event()
      start = end + 1
    }
    this.begin(bytes.subarray(start))
    return { lines: Buffer.from(events), bodyBytes: bytes.length }
  }

  end(): RawPiece {
    return { lines: Buffer.from(this.event()), bodyBytes: 0 }
  }

  private begin(bytes: Buffer): void {
    this.begun.push(bytes)
    this.begunBytes += bytes.length
    if (this.begunBytes <= MAX_LINE_BYTES) return
    throw new HecError(6, {
      message: 'A line has more than 2 MiB. None of the events were stored.',
    })
  }

  private event(): string {
    const line = Buffer.concat(this.begun).toString()
    this.begun = []
    this.begunBytes = 0
    return this.eventOf(line.replace(/\r$/, ''))
  }
}

function textEvent(line: string): string {
  return /\S/.test(line) ? `{"_raw":${JSON.stringify(line)}}\n` : ''
}

/** Returns a JSON object as a line; undefined for other text. */
function objectEvent(text: string, metadata: Members): string | undefined {
  if (!/^\s*\{/.test(text)) return undefined
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  const line = text.replace(/[\r\n]/g, ' ')
  try {
    return `${withFreeNames(line, metadata)}\n`
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    // The store rejects an event of too many keys.
    return `${line}\n`
  }
}
