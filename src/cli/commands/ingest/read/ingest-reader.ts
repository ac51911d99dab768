import type { Batch, InputEnd, UnsendableEvent } from '../../../../input/batch.js'
import { type BatchOptions, batches } from '../../../../input/batches.js'
import { InputError, inputLabel, STANDARD_INPUT } from '../../../../input/error.js'
import type { DetectedFormat, Format } from '../../../../input/format.js'
import { detectInput, type Input, type ReadOptions } from '../../../../input/input.js'
import type { OpenInput } from '../../../../input/open.js'
import { ResumedInput } from '../../../../input/resume.js'
import { UsageError } from '../../../error/usage-error.js'
import { counted } from '../../../option/quantity.js'
import type { Checkpoint } from '../checkpoint/checkpoint.js'
import type { IngestCheckpoints } from '../checkpoint/checkpoints.js'
import type { Meter } from '../report/meter.js'
import type { EarlierProgress } from '../report/reporter.js'
import { countEvents } from '../send/outcome.js'
import { guessNotice } from './format-name.js'

/** What comes out of an input: events to send, one that can't be sent, or the end. */
export type Item = Batch | UnsendableEvent | InputEnd

interface ReaderOptions {
  readonly checkpoints: IngestCheckpoints
  readonly meter: Meter
  readonly read: ReadOptions
  readonly limits: BatchOptions
  /** Whether the inputs are read while they are written. */
  readonly follows: boolean
  readonly open: (file: string) => OpenInput | Promise<OpenInput>
  /** Is told what the user may not expect. */
  note(text: string): void
  /** Is told what earlier runs have settled of an input. */
  restored(restored: EarlierProgress): Promise<void>
}

/** How to get at one of the files that follow each other under a name. */
interface FileSource {
  /** Undefined when there will be none. */
  readonly open: () => Promise<OpenInput | undefined>
  /** Whether it is not the one that the checkpoint is about. */
  readonly isAnother?: boolean
}

/** Reads inputs, each from where earlier runs have left it. */
export class IngestReader {
  /** Inputs that held nothing which was not sent before. */
  readonly unchanged: UnchangedInput[] = []
  private readonly options: ReaderOptions

  constructor(options: ReaderOptions) {
    this.options = options
  }

  /** What there is to send of an input. */
  items(file: string): AsyncGenerator<Item> {
    return this.itemsOf(file, { open: async () => this.options.open(file) })
  }

  /** What there is to send of one of the files that follow each other under a name. */
  async *itemsOf(file: string, { open, isAnother = false }: FileSource): AsyncGenerator<Item> {
    const { checkpoints, read } = this.options
    for (let isReplaced = isAnother; ; isReplaced = true) {
      const opened = await open()
      if (opened === undefined) return
      try {
        const checkpoint = await checkpoints.open(opened, file)
        if (checkpoint !== undefined) yield* this.rest(checkpoint, { isReplaced, isAnother })
        else yield* batches(await this.begin(opened, read), this.options.limits)
        return
      } catch (error) {
        if (!(error instanceof ReplacedInputError) || isReplaced) throw error
      } finally {
        checkpoints.finishReading(opened)
        await opened.bytes.close()
      }
    }
  }

  /** All that is in an input, which is closed then, whatever was sent before. */
  async *all(opened: OpenInput, read = this.options.read): AsyncGenerator<Item> {
    try {
      yield* batches(await this.begin(opened, read), this.options.limits)
    } finally {
      await opened.bytes.close()
    }
  }

  private async *rest(
    checkpoint: Checkpoint,
    { isReplaced, isAnother }: { readonly isReplaced: boolean; readonly isAnother: boolean },
  ): AsyncGenerator<Item> {
    const { opened } = checkpoint
    if (checkpoint.hasBegun && (isReplaced || !(await checkpoint.isSame()))) {
      // Where another file is what is expected there is nothing to tell.
      if (!isAnother) this.tellReplaced(checkpoint)
      checkpoint.reset()
    }
    const input = await this.begin(opened, {
      ...this.options.read,
      format: this.format(checkpoint),
    })
    checkpoint.begin(input.format)
    if (!checkpoint.hasBegun) {
      yield* batches(input, this.options.limits)
      return
    }
    let isNew = false
    for await (const item of this.resumed(input, checkpoint)) {
      if (item.kind !== 'end') isNew = true
      else if (!isNew && item.isWhole && !this.options.follows) {
        this.unchanged.push({ input: opened.name, events: item.position.event })
      }
      yield item
    }
  }

  private async begin(opened: OpenInput, read: ReadOptions): Promise<Input> {
    const { meter } = this.options
    const input = meter.countDecompressed(await detectInput(meter.countCompressed(opened), read))
    if (this.options.follows) checkFollowable(input)
    const guess = guessNotice(input)
    if (guess !== undefined) this.options.note(guess)
    return input
  }

  private async *resumed(input: Input, checkpoint: Checkpoint): AsyncGenerator<Item> {
    const { limits, checkpoints, note, restored } = this.options
    const { name } = input
    const resumed = new ResumedInput(input)
    const pending = checkpoint.pending()
    const inDoubt = countEvents(checkpoint.inDoubt())
    if (inDoubt > 0 && !checkpoints.isLocal) {
      note(
        `${name}: ${counted(inDoubt, 'event')} had no answer when the last run ended, and are sent again under the same batch ids. A service that knows none may store them twice.`,
      )
    }
    for (const sending of pending) {
      const batch = await resumed.batch(sending)
      if (batch === undefined) throw truncatedInput(name)
      checkpoints.reuseId(batch, sending.id)
      yield batch
    }
    const rest = await resumed.rest(checkpoint.resumePoint)
    if (rest === undefined) throw truncatedInput(name)
    const { start } = rest.input
    if (rest.lastLine === 'extended') {
      note(
        `${name}:${start.line}: this line was sent before it was whole; the rest of it follows as an event of its own`,
      )
    }
    checkpoint.resumeAt(start)
    await restored({ input: name, ...checkpoint.progress })
    yield* batches(rest.input, limits)
  }

  private tellReplaced(checkpoint: Checkpoint): void {
    const { note } = this.options
    const { opened } = checkpoint
    const underWay = countEvents(checkpoint.inDoubt())
    note(`${inputLabel(opened.name)} is not what was sent before: it is sent from its beginning.`)
    if (underWay > 0) {
      note(
        `Of what was there before, ${counted(underWay, 'event')} may be stored or not: they were under way when evq ended.`,
      )
    }
  }

  private format({ knownFormat, opened }: Checkpoint): Format | 'auto' {
    const { format = 'auto' } = this.options.read
    if (knownFormat === undefined) return format
    const known = formatOption(knownFormat)
    if (format === 'auto' || format === known) return known
    throw new UsageError(
      `${inputLabel(opened.name)} was sent before as \`${known}\`, and now with \`-i ${format}\`. With \`--no-checkpoint\` it is sent again from its beginning.`,
    )
  }
}

/** An input that held nothing new. */
export interface UnchangedInput {
  readonly input: string
  /** How many events it has. */
  readonly events: number
}

/** Who follows a file wants to see its lines as they come. */
function checkFollowable({ name, format, isCompressed: isPacked }: Input): void {
  if (!isPacked && format !== 'json array' && format !== 'json sequence') return
  const json = format === 'json array' ? 'a JSON array' : 'JSON over several lines'
  const what = isPacked ? 'packed' : json
  throw new InputError(
    `${inputLabel(name)} is ${what}: \`--follow\` reads events that have a line each.`,
  )
}

/** A file has become shorter than what was sent of it: there is another one in its place. */
class ReplacedInputError extends Error {}

function truncatedInput(name: string): Error {
  if (name !== STANDARD_INPUT) return new ReplacedInputError()
  return new InputError(`${inputLabel(name)} ends before the place that was reached the last time.`)
}

function formatOption(found: DetectedFormat): Format {
  return found === 'json array' || found === 'json sequence' ? 'json' : found
}
