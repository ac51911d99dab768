import type { Batch, InputEnd, Position, UnsendableEvent } from '../../../input/batch.js'
import type { ByteSource } from '../../../input/byte-source.js'
import { FingerprintedBytes } from '../../../input/fingerprint.js'
import type { Input } from '../../../input/input.js'
import { sourcesOf } from '../../../input/locate.js'
import type { FileIdentity, OpenInput } from '../../../input/open.js'
import type { ResumePoint } from '../../../input/resume.js'
import type { EarlierProgress } from '../report/reporter.js'
import { type BatchOutcome, countEvents } from '../send/outcome.js'
import { BatchIds } from './batch-ids.js'
import type { Beginning, Entry, Head, Sending } from './entry.js'
import { CheckpointJournal } from './journal.js'
import { checkDestination, checkOptions, differingOption, otherInput } from './mismatch.js'
import { CheckpointState } from './state.js'

interface CheckpointOptions {
  readonly path: string
  readonly head: Omit<Head, 'kind' | 'version'>
  readonly opened: OpenInput
  /** True when a rejects file keeps events that could not be sent, so that a later run does not send them again. */
  readonly keepsRejects: boolean
  /** True when the input is to replace the events that earlier runs stored. */
  readonly replaces: boolean
}

/** The position up to which an input was sent, stored on disk so that a later run resumes there. */
export class Checkpoint {
  readonly opened: OpenInput
  private readonly bytes: FingerprintedBytes
  private readonly journal: CheckpointJournal
  private readonly head: Head
  private readonly keepsRejects: boolean
  private readonly replaces: boolean
  /** True when the options differ from the options of earlier runs. */
  private readonly hasOtherOptions: boolean
  private state: CheckpointState
  private input: Pick<Input, 'format' | 'layout' | 'mapping'> | undefined
  private end: InputEnd | undefined
  private isComplete = true
  /** The position of the last event that could not be sent. */
  private lastUnsendable: Position | undefined
  private isRead = false
  private readonly inFlight = new Set<string>()
  /** Batches that an earlier run sent without getting a response. */
  private readonly inDoubtBefore = new Set<string>()

  private constructor(
    { head, opened, keepsRejects, replaces }: CheckpointOptions,
    {
      journal,
      state,
      known,
    }: { journal: CheckpointJournal; state: CheckpointState; known: Head | undefined },
  ) {
    this.head = { kind: 'checkpoint', version: 1, ...head }
    this.bytes = new FingerprintedBytes(opened.bytes)
    this.opened = { ...opened, bytes: this.bytes }
    this.journal = journal
    this.keepsRejects = keepsRejects
    this.replaces = replaces
    this.hasOtherOptions =
      known !== undefined && differingOption(known.options, head.options) !== undefined
    this.state = state
  }

  static async open(options: CheckpointOptions): Promise<Checkpoint> {
    const { path, head } = options
    const journal = await CheckpointJournal.open(path)
    try {
      const [first, ...entries] = await journal.read()
      const known = first?.kind === 'checkpoint' ? first : undefined
      const state = new CheckpointState()
      for (const entry of entries) state.add(entry)
      if (known !== undefined) checkDestination(known, head, path)
      const checkpoint = new Checkpoint(options, { journal, state, known })
      if (known !== undefined && !(await checkpoint.isOf(known.input))) {
        throw otherInput(known, head, path)
      }
      if (known !== undefined && !options.replaces) checkOptions(known, head)
      return checkpoint
    } catch (error) {
      journal.close()
      throw error
    }
  }

  /** True when some of the input was sent before. */
  get hasBegun(): boolean {
    return this.state.next !== undefined
  }

  /** The events that earlier runs sent. */
  get progress(): Omit<EarlierProgress, 'input'> {
    const { accepted, skipped, bytes } = this.state
    return { accepted, rejected: skipped, bytes }
  }

  /** The format, the layout and the mapping with which the input was read before; `undefined` when nothing was sent. */
  get known(): Beginning | undefined {
    return this.hasBegun ? this.state.beginning : undefined
  }

  /** True when this input is `input`, possibly under another name, or when no event of `input` was sent. */
  private async isOf(input: string): Promise<boolean> {
    if (input === this.head.input) return true
    return this.state.replacement === undefined && (await this.isSame())
  }

  /** True when the input begins like the input that was sent before. */
  async isSame(): Promise<boolean> {
    const { beginning } = this.state
    return beginning === undefined || (await this.bytes.hasPrefix(beginning))
  }

  /** True when a file begins like the input that was sent before. */
  async isBeginningOf(bytes: ByteSource): Promise<boolean> {
    const { beginning } = this.state
    return beginning !== undefined && (await new FingerprintedBytes(bytes).hasPrefix(beginning))
  }

  /** The identity of the file that was read before, even if no event of it was sent. */
  get knownFile(): FileIdentity | undefined {
    return this.state.beginning?.file
  }

  /** The offset after the last event that was sent. */
  get reach(): number {
    return this.state.next?.offset ?? 0
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
    if (!this.replaces || !hasEarlier) return false
    return replacement === undefined || this.hasOtherOptions || hasOtherInput
  }

  /** Starts to replace the events that earlier runs stored: nothing is sent until `removed` is called. */
  startReplacement(): void {
    const { sent, replacement } = this.state
    const toRemove = new BatchIds([...sent.encode(), ...(replacement?.toRemove.encode() ?? [])])
    this.state = new CheckpointState()
    this.state.replacement = { toRemove, removed: replacement?.removed ?? 0 }
    this.journal.write(this.head, this.state.entries())
  }

  /** The batches that must be removed before anything is sent. */
  get toRemove(): BatchIds | undefined {
    const { toRemove } = this.state.replacement ?? {}
    return toRemove?.isEmpty ? undefined : toRemove
  }

  /** The number of events that were removed because the input replaces them. */
  get replaced(): number {
    return this.state.replacement?.removed ?? 0
  }

  /** Records that the batches in `toRemove`, with this number of events, were removed. */
  removed(events: number): void {
    this.state.add({ kind: 'removed', events })
    this.journal.write(this.head, this.state.entries())
  }

  /** Returns the batches without an outcome, which are sent first, with the same ids. */
  pending(): readonly Sending[] {
    return this.state.pending()
  }

  /** Returns pending batches that may be stored. */
  inDoubt(): readonly Sending[] {
    return this.pending().filter(({ id }) => this.state.isInDoubt(id))
  }

  /** The position where reading resumes after the pending batches. */
  get resumePoint(): ResumePoint {
    const { resumePoint } = this.state
    if (resumePoint === undefined) throw new Error('nothing was sent before')
    return resumePoint
  }

  /** Starts the checkpoint of an input. Nothing is written before this call. */
  begin(input: Pick<Input, 'format' | 'layout' | 'mapping'>): void {
    this.input = input
    if (!this.hasBegun) this.state.add(this.beginning(input))
    this.journal.write(this.head, this.state.entries())
  }

  /** Records that reading resumes at a position. */
  resumeAt(position: Position): void {
    this.state.resumeAt(position)
    this.journal.write(this.head, this.state.entries())
  }

  sending(batch: Batch, id: string): void {
    this.inFlight.add(id)
    if (this.state.isInDoubt(id)) {
      this.inDoubtBefore.add(id)
      return
    }
    this.add(...this.sendingEntries(batch, id))
  }

  sendingPart(id: string): void {
    this.add({ kind: 'part', id })
  }

  settled({ batch, batchId, accepted, rejected, ...others }: BatchOutcome): void {
    this.inFlight.delete(batchId)
    const unsent = countEvents(others.unsent)
    const open = unsent + countEvents(others.unconfirmed)
    if (open > 0 && !this.keepsRejects) {
      // A batch that an earlier run sent may be stored, whatever the outcome of this attempt.
      const isUnsent = unsent === batch.events && !this.inDoubtBefore.has(batchId)
      if (isUnsent && this.state.isPending(batchId)) this.add({ kind: 'unsent', id: batchId })
      // Later events may be sent, but the input is not complete.
      this.isComplete = false
      return
    }
    const sending = this.state.isPending(batchId) ? [] : this.sendingEntries(batch, batchId)
    const isLast = rejected.some(
      ({ range }) => range.events === 1 && range.first === batch.events - 1,
    )
    const settled = {
      kind: 'settled',
      id: batchId,
      accepted,
      rejected: countEvents(rejected) + open,
      ...(isLast && { rejectedLast: lastEventOf(batch) }),
    } as const
    this.add(...sending, settled)
  }

  unsendable({ start }: UnsendableEvent): void {
    this.lastUnsendable = start
    this.add({ kind: 'unsendable', offset: start.offset })
  }

  ended(end: InputEnd): void {
    this.end = end
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
    if (this.end?.isWhole && this.isComplete) {
      const { position } = this.end
      const unsendable =
        this.lastUnsendable?.offset === position.offset ? this.lastUnsendable : undefined
      this.journal.add({ ...position, kind: 'end', unsendable })
    }
    this.journal.close()
  }

  private add(...entries: readonly Entry[]): void {
    for (const entry of entries) this.state.add(entry)
    this.journal.add(...entries)
  }

  private sendingEntries(batch: Batch, id: string): readonly Entry[] {
    const { start, bytes, lines, events, lastTime } = batch
    const beginning = this.grownBeginning()
    const { line, event, offset, time } = start
    const place = { line, event, offset, time, bytes, lines, events, lastTime }
    const sending = { kind: 'sending', id, ...place } as const
    return beginning === undefined ? [sending] : [beginning, sending]
  }

  /** Returns the fingerprint of the beginning, if it has grown since the last entry. */
  private grownBeginning(): Beginning | undefined {
    const isCurrent = this.state.beginning?.length === this.bytes.fingerprintLength
    return isCurrent || this.input === undefined ? undefined : this.beginning(this.input)
  }

  private beginning({
    format,
    layout,
    mapping,
  }: Pick<Input, 'format' | 'layout' | 'mapping'>): Beginning {
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
