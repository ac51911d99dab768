import { stat } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Batch, InputEnd, UnsendableEvent } from '../../../input/batch.js'
import { type BatchOptions, batches } from '../../../input/batches.js'
import { InputError, inputLabel, STANDARD_INPUT } from '../../../input/error.js'
import { type Format, formatOption } from '../../../input/format.js'
import { detectInput, type Input } from '../../../input/input.js'
import type { TextLayout } from '../../../input/log/text-layout.js'
import type { OpenInput } from '../../../input/open.js'
import type { ReadOptions } from '../../../input/read-options.js'
import { ResumedInput } from '../../../input/resume.js'
import { counted } from '../../../text/integer.js'
import { CommandError } from '../../error/command-error.js'
import { UsageError } from '../../error/usage-error.js'
import type { Checkpoint } from '../checkpoint/checkpoint.js'
import type { IngestCheckpoints } from '../checkpoint/checkpoints.js'
import { sendAgainHelp } from '../checkpoint/mismatch.js'
import type { BatchRemoval } from '../checkpoint/removal.js'
import { isRotated, rotatedFileOf } from '../checkpoint/rotation.js'
import type { Meter } from '../report/meter.js'
import type { EarlierProgress } from '../report/reporter.js'
import { countEvents } from '../send/outcome.js'
import { inputNotices } from './format-name.js'

/** A batch, an event that can't be sent, or the end of an input. */
export type Item = Batch | UnsendableEvent | InputEnd

interface ReaderOptions {
  readonly checkpoints: IngestCheckpoints
  readonly meter: Meter
  readonly read: ReadOptions
  readonly limits: BatchOptions
  readonly follows: boolean
  readonly open: (file: string) => OpenInput | Promise<OpenInput>
  readonly removal: BatchRemoval
  /** Aborted when reading stops. */
  readonly signal: AbortSignal
  note(text: string): void
  /** Called with the progress of earlier runs. */
  restored(restored: EarlierProgress): Promise<void>
  /** Called with the number of events that an input replaces, after they were removed. */
  replaced(events: number): void
}

/** One of the successive files with the same name, because of log rotation. */
interface FileSource {
  /** Opens the file; resolves to `undefined` when there is no further file. */
  readonly open: () => Promise<OpenInput | undefined>
  /** True when the file is not the file of the checkpoint. */
  readonly isAnother?: boolean
}

/** Reads inputs, each from the position where an earlier run stopped. */
export type IngestReader = ReturnType<typeof ingestReader>

export function ingestReader(options: ReaderOptions) {
  const { checkpoints, meter, read, limits, follows, removal, signal, note } = options
  const unchanged: UnchangedInput[] = []
  const noticeInput = inputNotices(read, { flag: '-i', tell: note })

  /** Yields the items of one of the successive files with a name, except for items that were sent before. */
  async function* itemsOf(
    file: string,
    { open, isAnother = false }: FileSource,
  ): AsyncGenerator<Item> {
    for (let isTruncated = false; ; isTruncated = true) {
      const opened = await open()
      if (opened === undefined) return
      try {
        const checkpoint = await checkpoints.open(opened, file)
        if (checkpoint !== undefined) yield* rest(checkpoint, { file, isTruncated, isAnother })
        else yield* batches(await begin(opened, read), limits)
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
  async function* all(opened: OpenInput, reading: ReadOptions): AsyncGenerator<Item> {
    try {
      yield* batches(await begin(opened, reading), limits)
    } finally {
      await opened.bytes.close()
    }
  }

  async function* rest(
    checkpoint: Checkpoint,
    { file, isTruncated, isAnother }: { file: string; isTruncated: boolean; isAnother: boolean },
  ): AsyncGenerator<Item> {
    const { opened } = checkpoint
    const isKnown = !isTruncated && (await isSent(checkpoint, { file, isAnother }))
    const hasChanged = checkpoint.state.hasBegun && !isKnown
    const hasOtherInput = hasChanged || hasOtherFormat(checkpoint)
    const startsReplacement = checkpoint.startsReplacement({ hasOtherInput })
    if (hasChanged && startsReplacement) await refuseRotated(file, checkpoint)
    else if (hasChanged) {
      const isKept = await checkpoints.keepCopy(checkpoint)
      // Another file is expected after rotation.
      if (!isAnother) await tellReplaced(file, { checkpoint, isKept })
      else if (isDeepStrictEqual(opened.file, checkpoint.state.beginning?.file)) {
        note(`${inputLabel(opened.name)} was truncated. Sending it from the beginning.`)
      }
      checkpoint.reset()
    }
    const input = await begin(opened, {
      ...read,
      ...(startsReplacement ? {} : knownReading(checkpoint)),
    })
    if (!(await removeEarlier(checkpoint, { startsReplacement }))) {
      yield { kind: 'end', input: input.name, position: input.start, isWhole: false }
      return
    }
    checkpoint.begin(input)
    if (!checkpoint.state.hasBegun) {
      yield* batches(input, { ...limits, isResumable: true })
      return
    }
    let isNew = false
    for await (const item of resumed(input, checkpoint)) {
      if (item.kind !== 'end') isNew = true
      else if (!isNew && item.isWhole && !follows) {
        unchanged.push({ input: opened.name, events: item.position.event })
      }
      yield item
    }
  }

  /**
   * Removes the events that earlier runs stored, if the input replaces them. Nothing is changed when the input or the deployment
   * turns out to be unsuitable. Resolves with false when reading was stopped in the meantime.
   */
  async function removeEarlier(
    checkpoint: Checkpoint,
    { startsReplacement }: { readonly startsReplacement: boolean },
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
    options.replaced(checkpoint.state.replacement?.removed ?? 0)
    return true
  }

  /** True when the checkpoint belongs to the input, or to the same file under another name. */
  async function isSent(
    checkpoint: Checkpoint,
    { file, isAnother }: { file: string; isAnother: boolean },
  ): Promise<boolean> {
    const { opened, state } = checkpoint
    const isSame = state.hasBegun && !isAnother && (await checkpoint.isSame())
    // Several files may have the same beginning.
    if (isSame && isDeepStrictEqual(opened.file, state.beginning?.file)) return true
    if (await checkpoints.continueRenamed(checkpoint)) return true
    return isSame && !(await isRotated(checkpoint, file))
  }

  async function begin(opened: OpenInput, read: ReadOptions): Promise<Input> {
    const input = meter.countDecompressed(await detectInput(meter.countCompressed(opened), read))
    if (follows) checkFollowable(input)
    noticeInput(input)
    return input
  }

  async function* resumed(input: Input, checkpoint: Checkpoint): AsyncGenerator<Item> {
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
    await options.restored({ input: name, ...checkpoint.state.progress })
    yield* batches(rest.input, { ...limits, isResumable: true })
  }

  async function tellReplaced(
    file: string,
    { checkpoint, isKept }: { checkpoint: Checkpoint; isKept: boolean },
  ): Promise<void> {
    const { opened, state } = checkpoint
    const inFlight = countEvents(state.inDoubt())
    note(`${inputLabel(opened.name)} has changed since it was sent. Sending it from the beginning.`)
    const rotated = await rotatedFileOf(checkpoint, file)
    const { offset } = state.resumePoint.next
    if (rotated !== undefined && (await hasGrown(rotated.path, offset))) {
      const isRenamed = isKept && isDeepStrictEqual(rotated.file, state.beginning?.file)
      const advice = isRenamed
        ? 'where lines were added. When this file is named too, only these lines are sent.'
        : `where lines were added that are not sent: \`tail -c +${offset + 1} ${rotated.path}\` prints them.`
      note(
        `Its previous content is now in \`${rotated.path}\`, ${advice} \`--follow\` also sends such lines.`,
      )
    }
    if (inFlight > 0) {
      note(
        `${counted(inFlight, 'event')} of its previous content may not be stored: they were in flight when evq ended.`,
      )
    }
  }

  /** Returns the options with which earlier runs read the input, so that the rest is read in the same way. */
  function knownReading(checkpoint: Checkpoint): Partial<ReadOptions> {
    const { known } = checkpoint.state
    const mapping = known && (known.mapping ?? {})
    return { format: format(checkpoint), layout: known?.layout, mapping }
  }

  function format(checkpoint: Checkpoint): Format | 'auto' {
    const { format = 'auto', lineFormat } = read
    const { opened } = checkpoint
    const { known } = checkpoint.state
    if (known === undefined) return format
    if (!hasOtherFormat(checkpoint)) return formatOption(known.format)
    const earlier = customOf(known.layout?.format)?.name ?? formatOption(known.format)
    throw new UsageError(
      `${inputLabel(opened.name)} was sent as \`${earlier}\` before, not as \`-i ${lineFormat?.name ?? format}\`. ${sendAgainHelp(opened.name)}`,
    )
  }

  /** True when `-i` names a different format than the format in which the input was read before. */
  function hasOtherFormat({ state: { known } }: Checkpoint): boolean {
    const { format = 'auto', lineFormat } = read
    if (known === undefined || format === 'auto') return false
    const isInContainer = lineFormat?.isCustom && ['cri', 'docker'].includes(known.format)
    if (format !== formatOption(known.format) && !isInContainer) return true
    const [before, named] = [known.layout?.format, lineFormat].map(customOf)
    return known.layout !== undefined && !isDeepStrictEqual(before?.patterns, named?.patterns)
  }

  return {
    unchanged,
    itemsOf,
    all,
    /** Yields the items of an input, except for items that were sent before. */
    items: (file: string): AsyncGenerator<Item> =>
      itemsOf(file, { open: async () => options.open(file) }),
  }
}

/** Returns a format if the user defined it. */
function customOf(format: TextLayout['format']): TextLayout['format'] {
  return format?.isCustom ? format : undefined
}

/** An input without new events. */
export interface UnchangedInput {
  readonly input: string
  readonly events: number
}

/** Throws an `InputError` unless the input has one event per line. */
function checkFollowable({ name, format, storedAs }: Input): void {
  if (storedAs === undefined && formatOption(format) !== 'json') return
  const json = format !== 'json sequence' ? 'a JSON array' : 'JSON over several lines'
  const content = storedAs ?? json
  throw new InputError(`${inputLabel(name)} is ${content}. \`--follow\` reads one event per line.`)
}

/** Throws a `CommandError` when the events that were sent are now in a rotated file, and not in the file itself. */
async function refuseRotated(file: string, checkpoint: Checkpoint): Promise<void> {
  const found = await rotatedFileOf(checkpoint, file)
  if (found === undefined) return
  throw new CommandError(
    `\`${file}\` was rotated: the events that were sent are in \`${found.path}\` now, so \`--replace\` would remove events that \`${file}\` does not contain. Nothing was changed. Without \`--replace\`, its new content is sent.`,
  )
}

async function hasGrown(path: string, from: number): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined)
  return stats !== undefined && stats.size > from
}

/** The file is shorter than the part that was sent, so it was replaced or truncated. */
class ReplacedInputError extends Error {}

function truncatedInput(name: string): Error {
  if (name !== STANDARD_INPUT) return new ReplacedInputError()
  return new InputError(`${inputLabel(name)} ends before the position that the last run reached.`)
}
