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
import { eventsIn, type Restored } from '../report/account.js'
import type { Meter } from '../report/meter.js'
import { guessedFormat } from './format-name.js'

/** What comes out of an input: events to send, one that can't be sent, or the end. */
export type Item = Batch | UnsendableEvent | InputEnd

interface ReadingOptions {
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
  restored(restored: Restored): Promise<void>
}

/** How to get at one of the files that follow each other under a name. */
interface OneOf {
  /** Undefined when there will be none. */
  readonly open: () => Promise<OpenInput | undefined>
  /** Whether it is not the one that the checkpoint is about. */
  readonly isAnother?: boolean
}

/** Reads inputs, each from where earlier runs have left it. */
export class IngestReading {
  /** Inputs that held nothing which was not sent before. */
  readonly done: Done[] = []
  private readonly options: ReadingOptions

  constructor(options: ReadingOptions) {
    this.options = options
  }

  /** What there is to send of an input. */
  items(file: string): AsyncGenerator<Item> {
    return this.itemsOf(file, { open: async () => this.options.open(file) })
  }

  /** What there is to send of one of the files that follow each other under a name. */
  async *itemsOf(file: string, { open, isAnother = false }: OneOf): AsyncGenerator<Item> {
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
        if (!(error instanceof ReplacedError) || isReplaced) throw error
      } finally {
        checkpoints.leave(opened)
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
      checkpoint.forget()
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
        this.done.push({ input: opened.name, events: item.position.event })
      }
      yield item
    }
  }

  private async begin(opened: OpenInput, read: ReadOptions): Promise<Input> {
    const { meter } = this.options
    const input = meter.begun(await detectInput(meter.opened(opened), read))
    if (this.options.follows) refuseWhole(input)
    const guess = guessedFormat(input)
    if (guess !== undefined) this.options.note(guess)
    return input
  }

  private async *resumed(input: Input, checkpoint: Checkpoint): AsyncGenerator<Item> {
    const { limits, checkpoints, note, restored } = this.options
    const { name } = input
    const resumed = new ResumedInput(input)
    const pending = checkpoint.pending()
    const inDoubt = eventsIn(checkpoint.inDoubt())
    if (inDoubt > 0 && !checkpoints.areOfLocalService) {
      note(
        `${name}: ${counted(inDoubt, 'event')} had no answer when the last run ended, and are sent again under the same batch ids. A service that knows none may store them twice.`,
      )
    }
    for (const sending of pending) {
      const batch = await resumed.batch(sending)
      if (batch === undefined) throw tooShort(name)
      checkpoints.sendAgain(batch, sending.id)
      yield batch
    }
    const rest = await resumed.rest(checkpoint.resumption)
    if (rest === undefined) throw tooShort(name)
    const { start } = rest.input
    if (rest.lastLine === 'extended') {
      note(
        `${name}:${start.line}: this line was sent before it was whole; the rest of it follows as an event of its own`,
      )
    }
    checkpoint.goOn(start)
    await restored({ input: name, ...checkpoint.before })
    yield* batches(rest.input, limits)
  }

  private tellReplaced(checkpoint: Checkpoint): void {
    const { note } = this.options
    const { opened } = checkpoint
    const underWay = eventsIn(checkpoint.inDoubt())
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
    const known = plain(knownFormat)
    if (format === 'auto' || format === known) return known
    throw new UsageError(
      `${inputLabel(opened.name)} was sent before as \`${known}\`, and now with \`-i ${format}\`. With \`--no-checkpoint\` it is sent again from its beginning.`,
    )
  }
}

/** An input that held nothing new. */
export interface Done {
  readonly input: string
  /** How many events it has. */
  readonly events: number
}

/** Who follows a file wants to see its lines as they come. */
function refuseWhole({ name, format, isCompressed: isPacked }: Input): void {
  if (!isPacked && format !== 'json array' && format !== 'json sequence') return
  const json = format === 'json array' ? 'a JSON array' : 'JSON over several lines'
  const what = isPacked ? 'packed' : json
  throw new InputError(
    `${inputLabel(name)} is ${what}: \`--follow\` reads events that have a line each.`,
  )
}

/** A file has become shorter than what was sent of it: there is another one in its place. */
class ReplacedError extends Error {}

function tooShort(name: string): Error {
  if (name !== STANDARD_INPUT) return new ReplacedError()
  return new InputError(`${inputLabel(name)} ends before the place that was reached the last time.`)
}

function plain(found: DetectedFormat): Format {
  return found === 'json array' || found === 'json sequence' ? 'json' : found
}
