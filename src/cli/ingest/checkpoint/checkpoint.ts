import { stat } from 'node:fs/promises'
import type { Batch, InputEnd, Position, UnsendableEvent } from '../../../input/batch.js'
import type { ByteSource } from '../../../input/byte-source.js'
import { FingerprintedBytes } from '../../../input/fingerprint.js'
import type { Input } from '../../../input/input.js'
import { sourcesOf } from '../../../input/locate.js'
import type { OpenInput } from '../../../input/open.js'
import { type BatchOutcome, countEvents } from '../send/outcome.js'
import { BatchIds } from './batch-ids.js'
import type { Beginning, Entry, Head } from './entry.js'
import { openJournal } from './journal.js'
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

/** The position up to which an input was sent, stored on disk so that a later run resumes there. */
export type Checkpoint = Awaited<ReturnType<typeof openCheckpoint>>

type KnownInput = Pick<Input, 'format' | 'layout' | 'mapping'>

/** Opens and locks a checkpoint. Throws a `UsageError` when it belongs to another input, destination or options. */
export async function openCheckpoint(options: CheckpointOptions) {
  const { path, head, keepsRejects, replaces } = options
  const bytes = new FingerprintedBytes(options.opened.bytes)
  const opened: OpenInput = { ...options.opened, bytes }
  let state = new CheckpointState()
  let input: KnownInput | undefined
  let end: InputEnd | undefined
  let isComplete = true
  /** The position of the last event that could not be sent. */
  let lastUnsendable: Position | undefined
  let isRead = false
  const inFlight = new Set<string>()
  /** Batches that an earlier run sent without getting a response. */
  const inDoubtBefore = new Set<string>()

  /** True when the input begins like the input that was sent before. */
  async function isSame(): Promise<boolean> {
    const { beginning } = state
    return beginning === undefined || (await bytes.hasPrefix(beginning))
  }

  function compareOptions(known: Head): void {
    if (!replaces) checkOptions(known, head)
    hasOtherOptions = differingOption(known.options, head.options) !== undefined
  }

  const journal = await openJournal(path)
  const writtenAt = (await stat(path).catch(() => undefined))?.mtimeMs ?? 0
  /** True when the options differ from the options of earlier runs. */
  let hasOtherOptions = false
  try {
    const [known, ...entries] = await journal.read()
    state = new CheckpointState(entries)
    if (known?.kind === 'checkpoint') {
      checkDestination(known, head, path)
      // Under another name, it may be the same input. Without any event that was sent, it may be any input.
      const isOther = known.input !== head.input
      if (isOther && (state.replacement !== undefined || !(await isSame()))) {
        throw otherInput(known, head, path)
      }
      compareOptions(known)
    }
  } catch (error) {
    journal.close()
    throw error
  }

  /** Writes the current state in place of all entries so far. */
  function rewrite(): void {
    journal.write(head, state.entries())
  }

  function add(...entries: readonly Entry[]): void {
    for (const entry of entries) state.add(entry)
    journal.add(...entries)
  }

  function sendingEntries(batch: Batch, id: string): readonly Entry[] {
    const { start, bytes: length, lines, events, lastTime } = batch
    const { line, event, offset, time } = start
    const place = { line, event, offset, time, bytes: length, lines, events, lastTime }
    const sending = { kind: 'sending', id, ...place } as const
    // The fingerprint of the beginning grows as more of the input is read.
    const isCurrent = state.beginning?.length === bytes.fingerprintLength
    return isCurrent || input === undefined ? [sending] : [beginningOf(input), sending]
  }

  function beginningOf({ format, layout, mapping }: KnownInput): Beginning {
    const { file } = opened
    const known = { layout, ...(Object.keys(mapping).length > 0 && { mapping }), file }
    return { kind: 'beginning', format, ...bytes.fingerprint(), ...known }
  }

  return {
    opened,
    /** The time at which an earlier run last wrote to the checkpoint, in milliseconds since 1970. */
    writtenAt,
    /** The events that earlier runs sent, and the events of this run. */
    get state(): Readonly<CheckpointState> {
      return state
    },
    isSame,
    /** True when the input begins like another input that was sent before. A followed file may be shorter. */
    beginsLike: (beginning: Beginning): Promise<boolean> =>
      bytes.hasPrefix(beginning, { waits: false }),
    /** True when a file begins like the input that was sent before. */
    async isBeginningOf(other: ByteSource): Promise<boolean> {
      const { beginning } = state
      return beginning !== undefined && (await new FingerprintedBytes(other).hasPrefix(beginning))
    },
    /** Continues the checkpoint of the same input under another name. */
    continueFrom(known: { readonly head: Head; readonly state: CheckpointState }): void {
      compareOptions(known.head)
      state = known.state
      rewrite()
    },
    /** Discards the position, which belongs to another input of the same name. */
    reset(): void {
      state = new CheckpointState()
    },
    /**
     * True when the stored events of the input must be removed before it is sent. A replacement that an earlier run began is resumed,
     * unless the input or its options have changed.
     */
    startsReplacement({ hasOtherInput }: { readonly hasOtherInput: boolean }): boolean {
      const { sent, replacement } = state
      const hasEarlier = !sent.isEmpty || replacement !== undefined
      if (!replaces || !hasEarlier) return false
      return replacement === undefined || hasOtherOptions || hasOtherInput
    },
    /** Starts to replace the events that earlier runs stored: nothing is sent until `removed` is called. */
    startReplacement(): void {
      const { sent, replacement } = state
      const toRemove = new BatchIds([...sent.encode(), ...(replacement?.toRemove.encode() ?? [])])
      state = new CheckpointState()
      state.replacement = { toRemove, removed: replacement?.removed ?? 0 }
      rewrite()
    },
    /** Records that the batches in `toRemove`, with this number of events, were removed. */
    removed(events: number): void {
      state.add({ kind: 'removed', events })
      rewrite()
    },
    /** Starts the checkpoint of an input. Nothing is written before this call. */
    begin(found: KnownInput): void {
      input = found
      const { beginning } = state
      if (beginning === undefined || !state.hasBegun) state.add(beginningOf(found))
      // Another file with the same content took the name.
      else state.add({ ...beginning, file: opened.file })
      rewrite()
    },
    /** Records that reading resumes at a position. */
    resumeAt(position: Position): void {
      state.resumeAt(position)
      rewrite()
    },
    sending(batch: Batch, id: string): void {
      inFlight.add(id)
      if (state.isInDoubt(id)) inDoubtBefore.add(id)
      else add(...sendingEntries(batch, id))
    },
    sendingPart: (id: string): void => add({ kind: 'part', id }),
    settled({ batch, batchId, accepted, rejected, ...others }: BatchOutcome): void {
      inFlight.delete(batchId)
      const unsent = countEvents(others.unsent)
      const open = unsent + countEvents(others.unconfirmed)
      if (open > 0 && !keepsRejects) {
        // A batch that an earlier run sent may be stored, whatever the outcome of this attempt.
        const isUnsent = unsent === batch.events && !inDoubtBefore.has(batchId)
        if (isUnsent && state.isPending(batchId)) add({ kind: 'unsent', id: batchId })
        // Later events may be sent, but the input is not complete.
        isComplete = false
        return
      }
      const sending = state.isPending(batchId) ? [] : sendingEntries(batch, batchId)
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
      add(...sending, settled)
    },
    unsendable({ start }: UnsendableEvent): void {
      lastUnsendable = start
      add({ kind: 'unsendable', offset: start.offset })
    },
    ended(found: InputEnd): void {
      end = found
    },
    /** Records that no more of the input is read. */
    finishReading(): void {
      isRead = true
    },
    /** True when the input was read and no batch is in flight. */
    isDone: (): boolean => isRead && inFlight.size === 0,
    /** Records the end of the input if all of it was sent, and releases the checkpoint. */
    close(): void {
      if (end?.isWhole && isComplete) {
        const { position } = end
        const unsendable = lastUnsendable?.offset === position.offset ? lastUnsendable : undefined
        journal.add({ ...position, kind: 'end', unsendable })
      }
      journal.close()
    },
  }
}

function lastEventOf(batch: Batch): Position {
  const { start, events } = batch
  const { offset, line = start.line } = sourcesOf(batch)(events - 1) ?? start
  return { offset, line, event: start.event + events - 1 }
}
