import { isDenied } from '../../../client/error.js'
import type { UnsendableEvent } from '../../../input/batch.js'
import { InputError, inputLabel, STANDARD_INPUT } from '../../../input/error.js'
import { locate, locateUnsendable, sourcesOf } from '../../../input/locate.js'
import { counted, formatInteger } from '../../../text/integer.js'
import type { Context } from '../../context.js'
import { CommandError } from '../../error/command-error.js'
import { EXIT, type ExitCode } from '../../exit-code.js'
import { shortBytes, shortDuration } from '../../option/quantity.js'
import type { UnchangedInput } from '../read/ingest-reader.js'
import { type BatchOutcome, countEvents } from '../send/outcome.js'
import { InputNotes } from './input-notes.js'
import { rejectionAdvice } from './rejection-advice.js'

/** The maximum number of rejected events that are listed; the rest is counted. */
const MAX_SHOWN = 10

/** Reports a run to the user: the first rejected events, and the summary at the end. */
export class IngestSummary {
  /** The numbers of events; rejected events include events that can't be sent. */
  readonly counts = { stored: 0, rejected: 0, unsent: 0, unconfirmed: 0 }
  readonly inputNotes = new InputNotes()
  private readonly dataset: string
  private readonly note: (text: string) => void
  private readonly startedAt = performance.now()
  private bytes = 0
  /** The number of events that were removed because an input replaces them. */
  private replacedEvents = 0
  private shownLines = 0
  /** The number of rejected events in the lines shown so far. */
  private shownEvents = 0
  private advice: string | undefined

  constructor(dataset: string, note: (text: string) => void) {
    this.dataset = dataset
    this.note = note
  }

  async settled(outcome: BatchOutcome): Promise<void> {
    const { counts, inputNotes } = this
    const { batch, accepted, rejected, unsent, unconfirmed } = outcome
    counts.stored += accepted
    if (accepted > 0) {
      this.bytes += batch.bytes
      inputNotes.add(batch)
    }
    inputNotes.addUntimed(outcome)
    const source = rejected.length > 0 ? sourcesOf(batch) : undefined
    for (const { range, events, reason } of rejected) {
      const several = range.events > 1 ? ` (${counted(events, 'event')})` : ''
      this.show(() => `${locate(batch, range, source)}: ${reason}${several}`, events)
    }
    this.advice ??= rejectionAdvice(rejected.map(({ reason }) => reason))
    counts.rejected += countEvents(rejected)
    counts.unsent += countEvents(unsent)
    const [first] = unconfirmed
    if (first !== undefined && counts.unconfirmed === 0) {
      this.note(`${locate(batch, first.range)}: ${first.reason}`)
    }
    counts.unconfirmed += countEvents(unconfirmed)
  }

  async unsendable(event: UnsendableEvent): Promise<void> {
    this.show(() => `${locateUnsendable(event)}: ${event.reason}`, 1)
    this.counts.rejected += 1
  }

  private show(text: () => string, events: number): void {
    if (this.shownLines === MAX_SHOWN) return
    this.shownLines += 1
    this.shownEvents += events
    this.note(text())
  }

  addReplaced(events: number): void {
    this.replacedEvents += events
  }

  /** Returns the last line of a run: the outcome of the events, and the rate. */
  line({ hasUnchanged }: { readonly hasUnchanged: boolean }): string {
    const { dataset, replacedEvents } = this
    const { stored, rejected, unsent, unconfirmed } = this.counts
    const replaced =
      replacedEvents > 0 ? [`replaced ${counted(replacedEvents, 'event')} stored before`] : []
    if (stored + rejected + unsent + unconfirmed === 0) {
      const none = hasUnchanged ? 'none are new' : 'none were found'
      return [`${dataset}: 0 events stored`, none, ...replaced].join(', ')
    }
    const ms = performance.now() - this.startedAt
    const rate = Math.round(stored / (ms / 1000))
    const others = Object.entries({ rejected, 'not sent': unsent, 'not confirmed': unconfirmed })
    return [
      `${dataset}: ${counted(stored, 'event')} stored`,
      ...others.flatMap(([outcome, count]) =>
        count > 0 ? [`${formatInteger(count)} ${outcome}`] : [],
      ),
      ...replaced,
      `${shortBytes(this.bytes)} in ${shortDuration(ms)}`,
    ]
      .join(', ')
      .concat(rate > 0 ? ` (${formatInteger(rate)}/s)` : '')
  }

  /** Reports how many rejected events were not listed, and what may help. */
  showRest(): void {
    const rest = this.counts.rejected - this.shownEvents
    if (rest > 0) this.note(`… and ${counted(rest, 'more rejected event')}`)
    if (this.advice !== undefined) this.note(this.advice)
  }
}

export interface UnreadInput {
  readonly input: string
  /** The number of events read; 0 when reading has not started. */
  readonly events: number
  /** True when the same command resumes with the rest. */
  readonly isResumable?: boolean
}

interface RunResult {
  readonly summary: IngestSummary
  readonly unread: readonly UnreadInput[]
  readonly unreadable: readonly InputError[]
  /** The errors among `unreadable` that were reported before. */
  readonly noted?: ReadonlySet<InputError>
  /** A report file that could not be written. */
  readonly unwritable: CommandError | undefined
  readonly failure: Error | undefined
  /** The exit code of the signal that interrupted the run. */
  readonly interrupted: ExitCode | undefined
  /** True when the same command sends the rest. */
  readonly isResumable: boolean
  readonly unchanged: readonly UnchangedInput[]
}

/** Reports the result of a run and returns its exit code. When an error is the only result, throws it. */
export function reportResult(result: RunResult, context: Context): ExitCode {
  const { summary, unread, unreadable, unwritable, failure, interrupted, unchanged } = result
  const hasNothingElse = summary.counts.stored + summary.counts.rejected === 0
  const onlyError = failure ?? (unreadable.length === 1 ? unreadable[0] : undefined)
  // When no event was stored or rejected, the error is the whole result.
  if (hasNothingElse && interrupted === undefined && onlyError !== undefined) {
    throw onlyError instanceof InputError ? new CommandError(onlyError.message) : onlyError
  }
  summary.showRest()
  for (const line of summary.inputNotes.unmatchedLines()) context.warn(line)
  for (const line of summary.inputNotes.untimedLines()) context.warn(line)
  for (const line of summary.inputNotes.readingLines()) context.info(line)
  reportUnchanged(unchanged, context)
  for (const error of unreadable) if (!result.noted?.has(error)) context.warn(error.message)
  if (unwritable !== undefined) context.warn(unwritable.message)
  if (failure !== undefined) {
    context.warn(`Stopped early: ${failure.message}`)
    for (const input of unread) context.warn(unreadText(input))
  }
  if (interrupted !== undefined && result.isResumable) {
    context.info('The same command sends the rest.')
  }
  context.info(summary.line({ hasUnchanged: unchanged.length > 0 }))
  return interrupted ?? exitCode(result)
}

/** Returns the message about an input that was not read to its end. No report or rejects file contains the rest of its events. */
function unreadText({ input, events, isResumable }: UnreadInput): string {
  if (events === 0) return `${inputLabel(input)} and later inputs were not read.`
  const rest = isResumable
    ? 'the same command resumes with the rest.'
    : 'the rest is neither stored nor counted.'
  return `${inputLabel(input)} was read up to event ${formatInteger(events)}: ${rest}`
}

/** Reports inputs without new events, which the summary does not count. */
function reportUnchanged([first, ...others]: readonly UnchangedInput[], context: Context): void {
  if (first === undefined) return
  const what =
    others.length === 0
      ? `${inputLabel(first.input)} has no new events: its ${counted(first.events, 'event')} ${first.events === 1 ? 'was' : 'were'} sent before.`
      : `${counted(others.length + 1, 'file')} have no new events since they were sent.`
  const help =
    first.input === STANDARD_INPUT
      ? '`--no-checkpoint` sends them again.'
      : '`--replace` removes these events and sends them again.'
  context.info(`${what} ${help}`)
}

function exitCode({ summary, unreadable, unwritable, failure }: RunResult): ExitCode {
  const { stored, rejected, unsent, unconfirmed } = summary.counts
  if (isDenied(failure)) return EXIT.denied
  if (failure instanceof CommandError) {
    return failure.exitCode === EXIT.usage && stored > 0 ? EXIT.incomplete : failure.exitCode
  }
  if (unreadable.length > 0 || unwritable !== undefined) return EXIT.failed
  const isShort = unsent + unconfirmed > 0 || failure !== undefined
  if (stored === 0 && isShort) return EXIT.failed
  return isShort || rejected > 0 ? EXIT.incomplete : EXIT.done
}
