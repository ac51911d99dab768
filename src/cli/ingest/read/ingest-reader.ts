import { stat } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import type { InputItem } from '../../../input/batch.js'
import { type BatchOptions, batches } from '../../../input/batches.js'
import { InputError, inputLabel, STANDARD_INPUT } from '../../../input/error.js'
import { formatOption } from '../../../input/format.js'
import { detectInput, type Input } from '../../../input/input.js'
import type { OpenInput } from '../../../input/open.js'
import type { ReadOptions } from '../../../input/read-options.js'
import { ResumedInput } from '../../../input/resume.js'
import { counted } from '../../../text/integer.js'
import { CommandError } from '../../error/command-error.js'
import type { Checkpoint } from '../checkpoint/checkpoint.js'
import type { IngestCheckpoints } from '../checkpoint/checkpoints.js'
import type { BatchRemoval } from '../checkpoint/removal.js'
import { isRotated, rotatedFileOf } from '../checkpoint/rotation.js'
import type { Meter } from '../report/meter.js'
import type { EarlierProgress } from '../report/reporter.js'
import { countEvents } from '../send/outcome.js'
import { earlierReading, hasOtherFormat } from './earlier-format.js'

/** The settings for reading inputs, and the receivers of messages about them. */
export interface IngestReader {
  readonly checkpoints: IngestCheckpoints
  readonly meter: Meter
  readonly read: ReadOptions
  readonly limits: BatchOptions
  readonly follows: boolean
  readonly removal: BatchRemoval
  /** Aborted when reading stops. */
  readonly signal: AbortSignal
  note(text: string): void
  /** Called with each input whose format is known. */
  noticeInput(input: Input): void
  /** Called with the progress of earlier runs. */
  restored(restored: EarlierProgress): Promise<void>
  /** Called with the number of events that an input replaces, after they were removed. */
  replaced(events: number): void
  /** Called with an input without new events. */
  unchanged(input: UnchangedInput): void
}

/** An input without new events. */
export interface UnchangedInput {
  readonly input: string
  readonly events: number
}

/** One of the successive files with the same name, because of log rotation. */
interface FileSource {
  readonly file: string
  /** Opens the file; resolves to `undefined` when there is no further file. */
  readonly open: () => OpenInput | Promise<OpenInput | undefined>
  /** True when the file is not the file of the checkpoint. */
  readonly isAnother?: boolean
  /** Called with the checkpoint of the file, if it has one. */
  opened?(checkpoint: Checkpoint | undefined): void
}

/** Yields the items of a file, except for items that were sent before. */
export async function* itemsOf(
  source: FileSource,
  reader: IngestReader,
): AsyncGenerator<InputItem> {
  const { checkpoints, read, limits } = reader
  for (let isTruncated = false; ; isTruncated = true) {
    const opened = await source.open()
    if (opened === undefined) return
    try {
      const checkpoint = await checkpoints.open(opened, source.file)
      // The batches of the file before were not all stored when the run was stopped: its checkpoint must stay.
      if (source.isAnother && reader.signal.aborted) return
      source.opened?.(checkpoint)
      if (checkpoint !== undefined) yield* unsentItems(checkpoint, { source, isTruncated }, reader)
      else yield* batches(await begin(opened, read, reader), limits)
      return
    } catch (error) {
      if (!(error instanceof ReplacedInputError) || isTruncated) throw error
    } finally {
      checkpoints.finishReading(opened)
      await opened.bytes.close()
    }
  }
}

/** Yields all items of an input, whether sent before or not, and closes it. */
export async function* allItems(
  opened: OpenInput,
  reading: ReadOptions,
  reader: IngestReader,
): AsyncGenerator<InputItem> {
  try {
    yield* batches(await begin(opened, reading, reader), reader.limits)
  } finally {
    await opened.bytes.close()
  }
}

async function begin(
  opened: OpenInput,
  reading: ReadOptions,
  { meter, follows, noticeInput }: IngestReader,
): Promise<Input> {
  const input = meter.countDecompressed(await detectInput(meter.countCompressed(opened), reading))
  if (follows) checkFollowable(input)
  noticeInput(input)
  return input
}

/** Throws an `InputError` unless the input has one event per line. */
function checkFollowable({ name, format, storedAs }: Input): void {
  if (storedAs === undefined && formatOption(format) !== 'json') return
  const json = format !== 'json sequence' ? 'a JSON array' : 'JSON over several lines'
  const content = storedAs ?? json
  throw new InputError(`${inputLabel(name)} is ${content}. \`--follow\` reads one event per line.`)
}

/** Yields the items of an input that its checkpoint does not record as sent. */
async function* unsentItems(
  checkpoint: Checkpoint,
  { source, isTruncated }: { readonly source: FileSource; readonly isTruncated: boolean },
  reader: IngestReader,
): AsyncGenerator<InputItem> {
  const { read, limits } = reader
  const isKnown = !isTruncated && (await isSent(checkpoint, source, reader))
  const hasChanged = checkpoint.state.hasBegun && !isKnown
  const hasOtherInput = hasChanged || hasOtherFormat(checkpoint.state.known, read)
  const startsReplacement = checkpoint.startsReplacement({ hasOtherInput })
  if (hasChanged && startsReplacement) await refuseRotated(source.file, checkpoint)
  else if (hasChanged) await startOver(checkpoint, source, reader)
  const earlier = startsReplacement ? {} : earlierReading(checkpoint, read)
  const input = await begin(checkpoint.opened, { ...read, ...earlier }, reader)
  if (!(await removeEarlier(checkpoint, { startsReplacement }, reader))) {
    yield { kind: 'end', input: input.name, position: input.start, isWhole: false }
    return
  }
  checkpoint.begin(input, { isNext: source.isAnother === true })
  if (checkpoint.state.hasBegun) yield* resumedItems(input, checkpoint, reader)
  else yield* batches(input, { ...limits, isResumable: true })
}

/** True when the checkpoint belongs to the input, or to the same file under another name. */
async function isSent(
  checkpoint: Checkpoint,
  { file, isAnother }: FileSource,
  { checkpoints }: IngestReader,
): Promise<boolean> {
  const { opened, state } = checkpoint
  const isSame = state.hasBegun && !isAnother && (await checkpoint.isSame())
  // Several files may have the same beginning.
  if (isSame && isDeepStrictEqual(opened.file, state.beginning?.file)) return true
  if (await checkpoints.continueRenamed(checkpoint)) return true
  return isSame && !(await isRotated(checkpoint, file))
}

/** Throws a `CommandError` when the events that were sent are now in a rotated file, and not in the file itself. */
async function refuseRotated(file: string, checkpoint: Checkpoint): Promise<void> {
  const found = await rotatedFileOf(checkpoint, file)
  if (found === undefined) return
  throw new CommandError(
    `\`${file}\` was rotated: the events that were sent are in \`${found.path}\` now, so \`--replace\` would remove events that \`${file}\` does not contain. Nothing was changed. Without \`--replace\`, its new content is sent.`,
  )
}

/** Discards the position in an input that has changed since it was sent. Another file is expected after rotation. */
async function startOver(
  checkpoint: Checkpoint,
  { file, isAnother }: FileSource,
  { checkpoints, note }: IngestReader,
): Promise<void> {
  const { opened, state } = checkpoint
  const isKept = await checkpoints.keepCopy(checkpoint)
  if (!isAnother) {
    for await (const text of changeNotes(file, { checkpoint, isKept })) note(text)
  } else if (isDeepStrictEqual(opened.file, state.beginning?.file)) {
    note(`${inputLabel(opened.name)} was truncated. Sending it from the beginning.`)
  }
  checkpoint.reset()
}

/** Yields the messages about an input that has changed since it was sent. */
async function* changeNotes(
  file: string,
  { checkpoint, isKept }: { readonly checkpoint: Checkpoint; readonly isKept: boolean },
): AsyncGenerator<string> {
  const { opened, state } = checkpoint
  const inFlight = countEvents(state.inDoubt())
  yield `${inputLabel(opened.name)} has changed since it was sent. Sending it from the beginning.`
  const rotated = await rotatedFileOf(checkpoint, file)
  const { offset } = state.resumePoint.next
  if (rotated !== undefined && (await hasGrown(rotated.path, offset))) {
    const isResumable = isKept && isDeepStrictEqual(rotated.file, state.beginning?.file)
    const advice = isResumable
      ? 'where lines were added. When this file is named too, only these lines are sent.'
      : `where lines were added that are not sent: \`tail -c +${offset + 1} ${rotated.path}\` prints them.`
    yield `Its previous content is now in \`${rotated.path}\`, ${advice} \`--follow\` also sends such lines.`
  }
  if (inFlight > 0) {
    yield `${counted(inFlight, 'event')} of its previous content may not be stored: they were in flight when evq ended.`
  }
}

async function hasGrown(path: string, from: number): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined)
  return stats !== undefined && stats.size > from
}

/**
 * Removes the events that earlier runs stored, if the input replaces them. Nothing is changed when the input or the deployment
 * turns out to be unsuitable. Resolves with false when reading was stopped in the meantime.
 */
async function removeEarlier(
  checkpoint: Checkpoint,
  { startsReplacement }: { readonly startsReplacement: boolean },
  { removal, signal, replaced }: IngestReader,
): Promise<boolean> {
  try {
    if (startsReplacement) {
      await removal.check()
      checkpoint.startReplacement()
    }
    const { toRemove } = checkpoint.state
    if (toRemove !== undefined) checkpoint.removed(await removal.remove(toRemove))
  } catch (error) {
    if (signal.aborted) return false
    throw error
  }
  replaced(checkpoint.state.replacement?.removed ?? 0)
  return true
}

/** Yields the batches without an outcome, and then the rest of an input that was sent in part. */
async function* resumedItems(
  input: Input,
  checkpoint: Checkpoint,
  reader: IngestReader,
): AsyncGenerator<InputItem> {
  const { checkpoints, limits, note } = reader
  const { name } = input
  const resumed = new ResumedInput(input)
  const pending = checkpoint.state.pending()
  const inDoubt = countEvents(checkpoint.state.inDoubt())
  if (inDoubt > 0 && !checkpoints.isLocal) {
    note(
      `${name}: ${counted(inDoubt, 'event')} had no response when the last run ended and are sent again with the same batch ids. A service without batch ids may store them twice.`,
    )
  }
  for (const sending of pending) {
    const batch = await resumed.batch(sending)
    if (batch === undefined) throw truncatedInput(name)
    checkpoints.reuseId(batch, sending.id)
    yield batch
  }
  const rest = await resumed.rest(checkpoint.state.resumePoint)
  if (rest === undefined) throw truncatedInput(name)
  const { start } = rest.input
  if (rest.lastLine === 'extended') {
    note(
      `${name}:${start.line}: this line was sent while it was incomplete; its rest is sent as a separate event`,
    )
  }
  checkpoint.resumeAt(start)
  await reader.restored({ input: name, ...checkpoint.state.progress })
  let isNew = pending.length > 0
  for await (const item of batches(rest.input, { ...limits, isResumable: true })) {
    const isUnchanged = item.kind === 'end' && item.isWhole && !isNew && !reader.follows
    if (isUnchanged) reader.unchanged({ input: name, events: item.position.event })
    isNew = true
    yield item
  }
}

/** The file is shorter than the part that was sent, so it was replaced or truncated. */
class ReplacedInputError extends Error {}

function truncatedInput(name: string): Error {
  if (name !== STANDARD_INPUT) return new ReplacedInputError()
  return new InputError(`${inputLabel(name)} ends before the position that the last run reached.`)
}
