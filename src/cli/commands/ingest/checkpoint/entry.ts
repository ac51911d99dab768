import type { Position } from '../../../../input/batch.js'
import type { Fingerprint } from '../../../../input/fingerprint.js'
import type { DetectedFormat } from '../../../../input/format.js'
import type { TextLayout } from '../../../../input/log/text-layout.js'
import type { EventMapping } from '../../../../input/mapping/event-mapping.js'
import type { FileIdentity } from '../../../../input/open.js'
import type { ResumePoint } from '../../../../input/resume.js'
import { BatchIds, type EncodedIds } from './batch-ids.js'

/** A line of a checkpoint: an event in the history of an input. */
export type Entry =
  | Head
  | Beginning
  | Sending
  | Unsent
  | Settled
  | Unsendable
  | InputEndEntry
  | Totals
  | SentPart
  | SentBatches
  | Replacement
  | Removed

/** The subject of a checkpoint, and the options that determine the events. */
export interface Head {
  readonly kind: 'checkpoint'
  readonly version: 1
  readonly deployment: string
  readonly dataset: string
  readonly input: string
  /** The options that determine the events, by flag. */
  readonly options: Readonly<Record<string, unknown>>
}

/** The format and fingerprint of the input. */
export interface Beginning extends Fingerprint {
  readonly kind: 'beginning'
  readonly format: DetectedFormat
  /** The layout of lines of text. */
  readonly layout?: TextLayout
  /** The meaning of its fields. */
  readonly mapping?: EventMapping
  /** Identifies the file after it was renamed. */
  readonly file?: FileIdentity
}

/** A batch is about to be sent and may be stored from now on. */
export interface Sending extends Position {
  readonly kind: 'sending'
  readonly id: string
  readonly bytes: number
  readonly lines: number
  readonly events: number
}

/** Nothing of a batch was stored. */
export interface Unsent {
  readonly kind: 'unsent'
  readonly id: string
}

/** A batch need not be sent again. */
export interface Settled {
  readonly kind: 'settled'
  readonly id: string
  readonly accepted: number
  readonly rejected: number
  /** The position of its last event, if that was rejected: it may have been incomplete. */
  readonly rejectedLast?: Position
}

/** An event that can't be sent was reported and skipped. */
export interface Unsendable {
  readonly kind: 'unsendable'
  readonly offset: number
}

/** The input was read to the end. */
export interface InputEndEntry extends Position {
  readonly kind: 'end'
  /** The position of the last record, if it was not an event: it may have been incomplete. */
  readonly misfit?: Position
}

/** The totals of all earlier entries. */
export interface Totals {
  readonly kind: 'before'
  readonly next: Position
  /** The bytes of settled batches. */
  readonly bytes: number
  /** The outcomes of their events. */
  readonly accepted: number
  readonly rejected: number
  readonly batches: number
  readonly rejectedLast?: Position | undefined
}

/** A part of a batch is about to be sent again under this id. */
export interface SentPart {
  readonly kind: 'part'
  readonly id: string
}

/** The batches of all earlier entries, which may be stored. */
export interface SentBatches {
  readonly kind: 'sent'
  readonly ids: EncodedIds
}

/** The input replaces what was stored of it. None of it is sent before the batches of the earlier version are removed. */
export interface Replacement {
  readonly kind: 'replace'
  /** The batches to remove. */
  readonly ids: EncodedIds
  /** The number of events that were removed. */
  readonly removed: number
}

/** The batches of the earlier version were removed. */
export interface Removed {
  readonly kind: 'removed'
  readonly events: number
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
  part: true,
  sent: true,
  replace: true,
  removed: true,
}

/**
 * Parses the entries of a checkpoint; returns `undefined` when the text is not a checkpoint of evq. A truncated line is
 * ignored: a batch is sent, or counts as settled, only after its line was written.
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

/** The state of an input: the result of applying the entries of a checkpoint. */
export class CheckpointState {
  beginning: Beginning | undefined
  /** The position after the last batch that was sent; `undefined` before the first. */
  next: Position | undefined
  /** The bytes of settled batches. */
  bytes = 0
  accepted = 0
  rejected = 0
  /** The number of settled batches. */
  batches = 0
  end: InputEndEntry | undefined
  /** The position of the last event, if it was rejected. */
  rejectedLast: Position | undefined
  /** All batches that were sent, whether or not they are settled. */
  readonly sent = new BatchIds()
  /** Set while the input replaces what was stored of it, until it was sent to its end. */
  replacement: { readonly toRemove: BatchIds; readonly removed: number } | undefined
  private readonly inFlight = new Map<string, Sending>()
  /** Ids of batches in flight of which nothing was stored. */
  private readonly unsent = new Set<string>()
  /** The offsets of events that can't be sent. */
  private readonly unsendable = new Set<number>()

  /** Applies an entry. */
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
        this.batches = entry.batches
        this.rejectedLast = entry.rejectedLast
        break
      default:
        entry satisfies never
    }
  }

  /** The position where reading resumes; `undefined` before the first batch. */
  get resumePoint(): ResumePoint | undefined {
    const { next, end, rejectedLast } = this
    const from = end ?? next
    if (from === undefined) return undefined
    const { line, event, offset } = from
    const previous = end?.misfit ?? (offset === next?.offset ? rejectedLast : undefined)
    return { next: { line, event, offset }, previous }
  }

  /** Returns batches that are not settled, in input order. */
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

  /** The number of events that were rejected or can't be sent, and are not read again. */
  get skipped(): number {
    return this.rejected + this.unsendable.size
  }

  /** Goes back to `position`: events after it are read and reported again. */
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

  /** Returns the fewest entries that result in this state. */
  entries(): readonly Entry[] {
    const { beginning, next, bytes, accepted, batches, end, rejectedLast, sent, replacement } = this
    const offsets = [...this.unsendable]
    const open = offsets.filter((offset) => next === undefined || offset >= next.offset)
    const rejected = this.rejected + offsets.length - open.length
    return [
      ...(replacement === undefined
        ? []
        : [
            {
              kind: 'replace',
              ids: replacement.toRemove.encode(),
              removed: replacement.removed,
            } as const,
          ]),
      ...(beginning === undefined ? [] : [beginning]),
      ...(sent.isEmpty ? [] : [{ kind: 'sent', ids: sent.encode() } as const]),
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
    this.sent.add(sending.id)
    this.inFlight.set(sending.id, sending)
    this.unsent.delete(sending.id)
    const next = endOf(sending)
    if (next.offset < (this.next?.offset ?? 0)) return
    // After `before`, the batches in flight are written again; the last one ends at the same position.
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

/** Returns the position after the last event of a batch. */
function endOf({ offset, bytes, line, lines, event, events }: Sending): Position {
  return { offset: offset + bytes, line: line + lines, event: event + events }
}
