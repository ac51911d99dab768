import type { Position } from '../../../input/batch.js'
import type { ResumePoint } from '../../../input/resume.js'
import type { EarlierProgress } from '../report/reporter.js'
import { BatchIds } from './batch-ids.js'
import type { Beginning, Entry, InputEndEntry, Sending, Settled } from './entry.js'

/** The state of an input: the result of applying the entries of a checkpoint. */
export class CheckpointState {
  beginning: Beginning | undefined
  /** The position after the last batch that was sent; `undefined` before the first. */
  next: Position | undefined
  bytes = 0
  accepted = 0
  rejected = 0
  end: InputEndEntry | undefined
  /** The position of the last event, if it was rejected. */
  rejectedLast: Position | undefined
  /** All batches that were sent, whether or not they are settled. */
  readonly sent = new BatchIds()
  /** Set while the input replaces its stored events, until it was sent completely. */
  replacement: { readonly toRemove: BatchIds; readonly removed: number } | undefined
  private readonly inFlight = new Map<string, Sending>()
  /** The ids of pending batches of which no event was stored. */
  private readonly unsent = new Set<string>()
  /** The offsets of events that can't be sent. */
  private readonly unsendable = new Set<number>()

  constructor(entries: readonly Entry[] = []) {
    for (const entry of entries) this.add(entry)
  }

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
        this.replacement = undefined
        break
      case 'part':
        this.sent.add(entry.id)
        break
      case 'sent':
        this.sent.addAll(entry.ids)
        break
      case 'replace':
        this.replacement = { toRemove: new BatchIds(entry.ids), removed: entry.removed }
        break
      case 'removed': {
        const { removed = 0 } = this.replacement ?? {}
        this.replacement = { toRemove: new BatchIds(), removed: removed + entry.events }
        break
      }
      case 'before':
        this.next = entry.next
        this.bytes = entry.bytes
        this.accepted = entry.accepted
        this.rejected = entry.rejected
        this.rejectedLast = entry.rejectedLast
        break
      default:
        // A kind that only later versions write.
        entry satisfies never
    }
  }

  /** True when some of the input was sent before. */
  get hasBegun(): boolean {
    return this.next !== undefined
  }

  /** The format, the layout and the mapping with which the input was read before; `undefined` when nothing was sent. */
  get known(): Beginning | undefined {
    return this.hasBegun ? this.beginning : undefined
  }

  /** The batches that must be removed before anything is sent. */
  get toRemove(): BatchIds | undefined {
    const { toRemove } = this.replacement ?? {}
    return toRemove?.isEmpty ? undefined : toRemove
  }

  /** The position where reading resumes after the pending batches. */
  get resumePoint(): ResumePoint {
    const { next, end, rejectedLast } = this
    const from = end ?? next
    if (from === undefined) throw new Error('nothing was sent before')
    const { line, event, offset } = from
    const previous = end?.unsendable ?? (offset === next?.offset ? rejectedLast : undefined)
    return { next: { line, event, offset, time: next?.time }, previous }
  }

  /** Returns the batches without an outcome, which are sent first, with the same ids, in input order. */
  pending(): readonly Sending[] {
    return [...this.inFlight.values()].sort((one, other) => one.offset - other.offset)
  }

  isPending(id: string): boolean {
    return this.inFlight.has(id)
  }

  /** True when a batch may be stored: it was sent and has no known outcome. */
  isInDoubt(id: string): boolean {
    return this.inFlight.has(id) && !this.unsent.has(id)
  }

  /** Returns pending batches that may be stored. */
  inDoubt(): readonly Sending[] {
    return this.pending().filter(({ id }) => this.isInDoubt(id))
  }

  /** The events that were sent, rejected or can't be sent, and are not read again. */
  get progress(): Omit<EarlierProgress, 'input'> {
    const rejected = this.rejected + this.unsendable.size
    return { accepted: this.accepted, rejected, bytes: this.bytes }
  }

  /** Moves back to `position`: events after it are read and reported again. */
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

  /** Yields the shortest list of entries that results in this state. */
  *entries(): Generator<Entry> {
    const { beginning, next, bytes, accepted, end, rejectedLast, sent, replacement } = this
    const offsets = [...this.unsendable]
    const open = offsets.filter((offset) => next === undefined || offset >= next.offset)
    const rejected = this.rejected + offsets.length - open.length
    if (replacement !== undefined) {
      const { toRemove, removed } = replacement
      yield { kind: 'replace', ids: toRemove.encode(), removed }
    }
    if (beginning !== undefined) yield beginning
    if (!sent.isEmpty) yield { kind: 'sent', ids: sent.encode() }
    if (next !== undefined) yield { kind: 'before', next, bytes, accepted, rejected, rejectedLast }
    for (const offset of open) yield { kind: 'unsendable', offset }
    yield* this.pending()
    for (const id of this.unsent) yield { kind: 'unsent', id }
    if (end !== undefined) yield end
  }

  private send(sending: Sending): void {
    this.sent.add(sending.id)
    this.inFlight.set(sending.id, sending)
    this.unsent.delete(sending.id)
    const next = endOf(sending)
    if (next.offset < (this.next?.offset ?? 0)) return
    // `entries` writes pending batches after `before`. The last batch then ends at the position of `before`.
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
    if (endOf(sending).offset === this.next?.offset) this.rejectedLast = rejectedLast
  }
}

/** Returns the position after the last event of a batch. */
function endOf({ offset, bytes, line, lines, event, events, lastTime }: Sending): Position {
  return { offset: offset + bytes, line: line + lines, event: event + events, time: lastTime }
}
