import type { Position } from '../../../../input/batch.js'
import type { Fingerprint } from '../../../../input/fingerprint.js'
import type { DetectedFormat } from '../../../../input/format.js'
import type { FileIdentity } from '../../../../input/open.js'
import type { ResumePoint } from '../../../../input/resume.js'

/** A line of a checkpoint: something that has happened, and stays so. */
export type Entry =
  | Head
  | Beginning
  | Sending
  | Unsent
  | Settled
  | Unsendable
  | InputEndEntry
  | Totals

/** What a checkpoint is about, and what would store other events from the same bytes. */
export interface Head {
  readonly kind: 'checkpoint'
  readonly version: 1
  readonly deployment: string
  readonly dataset: string
  readonly input: string
  /** The options that decide what becomes of the bytes, as they stood on the command line. */
  readonly options: Readonly<Record<string, unknown>>
}

/** How the input begins, as far as it was read. */
export interface Beginning extends Fingerprint {
  readonly kind: 'beginning'
  readonly format: DetectedFormat
  /** A file that was renamed is found by it. */
  readonly file?: FileIdentity
}

/** A batch is about to be sent, and may arrive from now on. */
export interface Sending extends Position {
  readonly kind: 'sending'
  readonly id: string
  readonly bytes: number
  readonly lines: number
  readonly events: number
}

/** A batch has come back: surely nothing of it is stored. */
export interface Unsent {
  readonly kind: 'unsent'
  readonly id: string
}

/** A batch needs not be sent again. */
export interface Settled {
  readonly kind: 'settled'
  readonly id: string
  readonly accepted: number
  readonly rejected: number
  /** Where its last event begins, when that one was rejected: perhaps it was not written to its end. */
  readonly rejectedLast?: Position
}

/** An event that can't be sent was passed over, and told of. */
export interface Unsendable {
  readonly kind: 'unsendable'
  readonly offset: number
}

/** The input was read to its end. */
export interface InputEndEntry extends Position {
  readonly kind: 'end'
  /** Where the last record begins, when it was no event: perhaps it was not written to its end. */
  readonly misfit?: Position
}

/** Everything before that is settled, in sum. */
export interface Totals {
  readonly kind: 'before'
  readonly next: Position
  /** Of the batches that are settled, */
  readonly bytes: number
  /** and what became of their events. */
  readonly accepted: number
  readonly rejected: number
  readonly batches: number
  readonly rejectedLast?: Position | undefined
}

const KINDS: Readonly<Record<Entry['kind'], true>> = {
  checkpoint: true,
  beginning: true,
  sending: true,
  unsent: true,
  settled: true,
  unsendable: true,
  end: true,
  before: true,
}

/**
 * The entries of a checkpoint; undefined when it is none of evq's. A line that was cut off tells of nothing
 * that has happened: a batch goes out, or counts as settled, only when its line is whole.
 */
export function parseEntries(text: string): readonly Entry[] | undefined {
  const lines = text.split('\n').slice(0, -1)
  const entries = lines.flatMap((line) => parseEntry(line) ?? [])
  const [first] = entries
  if (lines.length === 0) return text === '' ? [] : undefined
  return first?.kind === 'checkpoint' && first.version === 1 ? entries : undefined
}

function parseEntry(line: string): Entry | undefined {
  try {
    const value = JSON.parse(line) as Entry | null
    return value !== null && Object.hasOwn(KINDS, value.kind) ? value : undefined
  } catch {
    return undefined
  }
}

/** Where an input stands: the sum of a checkpoint's entries. */
export class CheckpointState {
  beginning: Beginning | undefined
  /** Just past the last batch that was sent; undefined before the first. */
  next: Position | undefined
  /** Of the batches that are settled. */
  bytes = 0
  accepted = 0
  rejected = 0
  /** Batches that were settled. */
  batches = 0
  end: InputEndEntry | undefined
  /** Where the last event begins, when it was rejected. */
  rejectedLast: Position | undefined
  private readonly inFlight = new Map<string, Sending>()
  /** Those of them of which surely nothing is stored. */
  private readonly unsent = new Set<string>()
  /** Where events were passed over that can't be sent. */
  private readonly unsendable = new Set<number>()

  /** Takes in what has happened. */
  add(entry: Entry): void {
    switch (entry.kind) {
      case 'checkpoint':
        break
      case 'beginning':
        this.beginning = entry
        break
      case 'sending':
        this.send(entry)
        break
      case 'unsent':
        this.unsent.add(entry.id)
        break
      case 'settled':
        this.settle(entry)
        break
      case 'unsendable':
        this.unsendable.add(entry.offset)
        break
      case 'end':
        this.end = entry
        break
      case 'before':
        this.next = entry.next
        this.bytes = entry.bytes
        this.accepted = entry.accepted
        this.rejected = entry.rejected
        this.batches = entry.batches
        this.rejectedLast = entry.rejectedLast
        break
      default:
        entry satisfies never
    }
  }

  /** Where reading goes on; undefined before the first batch. */
  get resumePoint(): ResumePoint | undefined {
    const { next, end, rejectedLast } = this
    const from = end ?? next
    if (from === undefined) return undefined
    const { line, event, offset } = from
    const previous = end?.misfit ?? (offset === next?.offset ? rejectedLast : undefined)
    return { next: { line, event, offset }, previous }
  }

  /** Batches that are not settled, in the order of the input. */
  pending(): readonly Sending[] {
    return [...this.inFlight.values()].sort((one, other) => one.offset - other.offset)
  }

  isPending(id: string): boolean {
    return this.inFlight.has(id)
  }

  /** Whether it may be stored, for all that anybody knows. */
  isInDoubt(id: string): boolean {
    return this.inFlight.has(id) && !this.unsent.has(id)
  }

  /** Events that were told of as rejected, and whose place will not be read again. */
  get skipped(): number {
    return this.rejected + this.unsendable.size
  }

  /** Goes back to `position`: what was told of behind it will be found, and told of, again. */
  resumeAt(position: Position): void {
    if (this.rejectedLast !== undefined && position.offset <= this.rejectedLast.offset) {
      this.rejected -= 1
    }
    this.rejectedLast = undefined
    for (const offset of this.unsendable) {
      if (offset >= position.offset) this.unsendable.delete(offset)
    }
    this.next = position
    this.end = undefined
  }

  /** The fewest entries that say the same. */
  entries(): readonly Entry[] {
    const { beginning, next, bytes, accepted, batches, end, rejectedLast } = this
    const offsets = [...this.unsendable]
    const open = offsets.filter((offset) => next === undefined || offset >= next.offset)
    const rejected = this.rejected + offsets.length - open.length
    return [
      ...(beginning === undefined ? [] : [beginning]),
      ...(next === undefined
        ? []
        : [{ kind: 'before', next, bytes, accepted, rejected, batches, rejectedLast } as const]),
      ...open.map((offset) => ({ kind: 'unsendable', offset }) as const),
      ...this.pending(),
      ...[...this.unsent].map((id) => ({ kind: 'unsent', id }) as const),
      ...(end === undefined ? [] : [end]),
    ]
  }

  private send(sending: Sending): void {
    this.inFlight.set(sending.id, sending)
    this.unsent.delete(sending.id)
    const next = endOf(sending)
    if (next.offset < (this.next?.offset ?? 0)) return
    // After `before` the batches under way are told again; the last of them ends where all of them do.
    this.next = next
    this.end = undefined
    this.rejectedLast = undefined
  }

  private settle({ id, accepted, rejected, rejectedLast }: Settled): void {
    const sending = this.inFlight.get(id)
    if (sending === undefined) return
    this.inFlight.delete(id)
    this.unsent.delete(id)
    this.bytes += sending.bytes
    this.accepted += accepted
    this.rejected += rejected
    this.batches += 1
    if (endOf(sending).offset === this.next?.offset) this.rejectedLast = rejectedLast
  }
}

/** Just past the last event of a batch. */
function endOf({ offset, bytes, line, lines, event, events }: Sending): Position {
  return { offset: offset + bytes, line: line + lines, event: event + events }
}
