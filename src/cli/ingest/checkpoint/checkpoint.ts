import { statSync } from 'node:fs'
import type { Batch, InputEnd, Position, UnsendableEvent } from '../../../input/batch.js'
import type { ByteSource } from '../../../input/byte-source.js'
import { FingerprintedBytes } from '../../../input/fingerprint.js'
import type { Input } from '../../../input/input.js'
import { sourcesOf } from '../../../input/locate.js'
import type { OpenInput } from '../../../input/open.js'
import { deferred } from '../../../text/deferred.js'
import { type BatchOutcome, countEvents } from '../send/outcome.js'
import { BatchIds } from './batch-ids.js'
import type { Beginning, Entry, Head } from './entry.js'
import { type Journal, openJournal } from './journal.js'
import { checkDestination, checkOptions, differingOption, otherInput } from './mismatch.js'
import { CheckpointState } from './state.js'

interface CheckpointOptions {
  readonly path: string
  readonly head: Head
  readonly opened: OpenInput
  /** True when a rejects file keeps events that could not be sent, so that a later run does not send them again. */
  readonly keepsRejects: boolean
  /** True when the input is to replace the events that earlier runs stored. */
  readonly replaces: boolean
}

type KnownInput = Pick<Input, 'format' | 'layout' | 'mapping'>

/** Opens and locks a checkpoint. Throws a `UsageError` when it belongs to another input, destination or options. */
export async function openCheckpoint(options: CheckpointOptions): Promise<Checkpoint> {
  const { path, head } = options
  const journal = await openJournal(path)
  try {
    const writtenAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
    const [known, ...entries] = journal.read()
    const state = new CheckpointState(entries)
    const checkpoint = new Checkpoint(options, { journal, writtenAt, state })
    if (known?.kind !== 'checkpoint') return checkpoint
    checkDestination(known, head, path)
    // Under another name, it may be the same input. Without any event that was sent, it may be any input.
    const isOther = known.input !== head.input
    if (isOther && (state.replacement !== undefined || !(await checkpoint.isSame()))) {
      throw otherInput(known, head, path)
    }
    checkpoint.compareOptions(known)
    return checkpoint
  } catch (error) {
    journal.close()
    throw error
  }
}

/** The position up to which an input was sent, stored on disk so that a later run resumes there. */
export class Checkpoint {
  readonly path: string
  readonly head: Head
  readonly opened: OpenInput
  /** The time at which an earlier run last wrote to the checkpoint, in milliseconds since 1970. */
  readonly writtenAt: number
  /** Resolved by `close`. */
  readonly closed = deferred()
  /** The events that earlier runs sent, and the events of this run. */
  state: CheckpointState
  private readonly options: CheckpointOptions
  private readonly journal: Journal
  private readonly bytes: FingerprintedBytes
  /** True when the options differ from the options of earlier runs. */
  private hasOtherOptions = false
  private input: KnownInput | undefined
  private end: InputEnd | undefined
  private isComplete = true
  /** The position of the last event that could not be sent. */
  private lastUnsendable: Position | undefined
  private isRead = false
  /** True when the entries on disk are of this input. */
  private isWritten = false
  private readonly inFlight = new Set<string>()
  /** Batches that an earlier run sent without getting a response. */
  private readonly inDoubtBefore = new Set<string>()

  constructor(
    options: CheckpointOptions,
    { journal, writtenAt, state }: Pick<Checkpoint, 'writtenAt' | 'state'> & { journal: Journal },
  ) {
    this.options = options
    this.path = options.path
    this.head = options.head
    this.journal = journal
    this.writtenAt = writtenAt
    this.state = state
    this.bytes = new FingerprintedBytes(options.opened.bytes)
    this.opened = { ...options.opened, bytes: this.bytes }
  }

  /** Throws a `UsageError` when earlier runs had other options, unless the input replaces their events. */
  compareOptions(known: Head): void {
    if (!this.options.replaces) checkOptions(known, this.head)
    this.hasOtherOptions = differingOption(known.options, this.head.options) !== undefined
  }

  /** True when the input begins like the input that was sent before. */
  async isSame(): Promise<boolean> {
    const { beginning } = this.state
    return beginning === undefined || (await this.bytes.hasPrefix(beginning))
  }

  /** True when the input begins like another input that was sent before. A followed file may be shorter. */
  beginsLike(beginning: Beginning): Promise<boolean> {
    return this.bytes.hasPrefix(beginning, { waits: this.opened.isCompressed === true })
  }

  /** True when a file begins like the input that was sent before. */
  async isBeginningOf(other: ByteSource): Promise<boolean> {
    const { beginning } = this.state
    return beginning !== undefined && (await new FingerprintedBytes(other).hasPrefix(beginning))
  }

  /** Continues the checkpoint of the same input under another name. */
  continueFrom(known: { readonly head: Head; readonly state: CheckpointState }): void {
    this.compareOptions(known.head)
    this.state = known.state
    this.rewrite()
  }

  /** Discards the position, which belongs to another input of the same name. */
  reset(): void {
    this.state = new CheckpointState()
  }

  /**
   * True when the stored events of the input must be removed before it is sent. A replacement that an earlier run began is resumed,
   * unless the input or its options have changed.
   */
  startsReplacement({ hasOtherInput }: { readonly hasOtherInput: boolean }): boolean {
    const { sent, replacement } = this.state
    const hasEarlier = !sent.isEmpty || replacement !== undefined
    if (!this.options.replaces || !hasEarlier) return false
    return replacement === undefined || this.hasOtherOptions || hasOtherInput
  }

  /** Starts to replace the events that earlier runs stored: nothing is sent until `removed` is called. */
  startReplacement(): void {
    const { sent, replacement } = this.state
    const toRemove = new BatchIds([...sent.encode(), ...(replacement?.toRemove.encode() ?? [])])
    this.state = new CheckpointState()
    this.state.replacement = { toRemove, removed: replacement?.removed ?? 0 }
    this.rewrite()
  }

  /** Records that the batches in `toRemove`, with this number of events, were removed. */
  removed(events: number): void {
    this.state.add({ kind: 'removed', events })
    this.rewrite()
  }

  /**
   * Starts the checkpoint of an input; nothing is written before. For the next file of a log, nothing is written until its first
   * batch is sent: the entries of the previous file lead to it even when it is compressed meanwhile and its inode is lost.
   */
  begin(found: KnownInput, { isNext }: { readonly isNext: boolean }): void {
    this.input = found
    const { beginning, hasBegun } = this.state
    if (beginning === undefined || !hasBegun) this.state.add(this.beginningOf(found))
    // Another file with the same content took the name.
    else this.state.add({ ...beginning, file: this.opened.file })
    if (hasBegun || !isNext) this.rewrite()
  }

  /** Records that reading resumes at a position. */
  resumeAt(position: Position): void {
    this.state.resumeAt(position)
    this.rewrite()
  }

  sending(batch: Batch, id: string): void {
    this.inFlight.add(id)
    if (this.state.isInDoubt(id)) this.inDoubtBefore.add(id)
    else this.add(...this.sendingEntries(batch, id))
  }

  sendingPart(id: string): void {
    this.add({ kind: 'part', id })
  }

  settled(outcome: BatchOutcome): void {
    const { batch, batchId: id, accepted, rejected, unsent, unconfirmed } = outcome
    this.inFlight.delete(id)
    const open = countEvents(unsent) + countEvents(unconfirmed)
    if (open > 0 && !this.options.keepsRejects) {
      // A batch that an earlier run sent may be stored, whatever the outcome of this attempt.
      const isUnsent = countEvents(unsent) === batch.events && !this.inDoubtBefore.has(id)
      if (isUnsent && this.state.isPending(id)) this.add({ kind: 'unsent', id })
      // Later events may be sent, but the input is not complete.
      this.isComplete = false
      return
    }
    const last = batch.events - 1
    const isLast = rejected.some(({ range }) => range.events === 1 && range.first === last)
    const counts = { accepted, rejected: countEvents(rejected) + open }
    const rejectedLast = isLast ? { rejectedLast: lastEventOf(batch) } : {}
    const sending = this.state.isPending(id) ? [] : this.sendingEntries(batch, id)
    this.add(...sending, { kind: 'settled', id, ...counts, ...rejectedLast })
  }

  /** Records that the outcome of a batch is not known, so that a later run sends the batch again. */
  unrecorded(id: string): void {
    this.inFlight.delete(id)
    this.isComplete = false
  }

  unsendable({ start }: UnsendableEvent): void {
    this.lastUnsendable = start
    this.add({ kind: 'unsendable', offset: start.offset })
  }

  ended(found: InputEnd): void {
    this.end = found
  }

  /** Records that no more of the input is read. */
  finishReading(): void {
    this.isRead = true
  }

  /** True when the input was read and no batch is in flight. */
  get isDone(): boolean {
    return this.isRead && this.inFlight.size === 0
  }

  /** Records the end of the input if all of it was sent, and releases the checkpoint. */
  close(): void {
    try {
      if (this.end?.isWhole && this.isComplete) {
        const { position } = this.end
        const isLast = this.lastUnsendable?.offset === position.offset
        const unsendable = isLast ? this.lastUnsendable : undefined
        this.journal.add({ ...position, kind: 'end', unsendable })
      }
      this.journal.close()
    } finally {
      this.closed.resolve()
    }
  }

  private add(...entries: readonly Entry[]): void {
    for (const entry of entries) this.state.add(entry)
    if (this.isWritten) this.journal.add(...entries)
    else if (this.state.hasBegun) this.rewrite()
  }

  /** Writes the current state in place of all entries so far. */
  private rewrite(): void {
    this.journal.write(this.head, this.state.entries())
    this.isWritten = true
  }

  private sendingEntries(batch: Batch, id: string): readonly Entry[] {
    const { start, bytes, lines, events, lastTime } = batch
    const { line, event, offset, time } = start
    const place = { line, event, offset, time, bytes, lines, events, lastTime }
    const sending = { kind: 'sending', id, ...place } as const
    // The fingerprint of the beginning grows as more of the input is read.
    const isCurrent = this.state.beginning?.length === this.bytes.fingerprintLength
    const { input } = this
    return isCurrent || input === undefined ? [sending] : [this.beginningOf(input), sending]
  }

  private beginningOf({ format, layout, mapping }: KnownInput): Beginning {
    const { file } = this.opened
    const known = { layout, ...(Object.keys(mapping).length > 0 && { mapping }), file }
    return { kind: 'beginning', format, ...this.bytes.fingerprint(), ...known }
  }
}

function lastEventOf(batch: Batch): Position {
  const { start, events } = batch
  const { offset, line = start.line } = sourcesOf(batch)(events - 1) ?? start
  return { offset, line, event: start.event + events - 1 }
}
