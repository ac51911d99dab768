import { ApiError } from '../../../../client/error.js'
import { InputError, inputLabel } from '../../../../input/error.js'
import { formatInteger } from '../../../../text/integer.js'
import type { Context } from '../../../context.js'
import { CommandError } from '../../../error/command-error.js'
import { EXIT, type ExitCode } from '../../../exit-code.js'
import { counted } from '../../../option/quantity.js'
import type { Done } from '../read/ingest-reading.js'
import type { IngestTally } from './tally.js'

/** An input that was not read to its end. */
export interface Unread {
  readonly input: string
  /** How many events were read; none of one that was not begun. */
  readonly events: number
  /** Whether the same command goes on with the rest. */
  readonly goesOn?: boolean
}

/** How a run came to its end. */
interface Ending {
  readonly tally: IngestTally
  readonly unread: readonly Unread[]
  readonly unreadable: readonly InputError[]
  /** An account that could not be written. */
  readonly unwritable: CommandError | undefined
  /** What made it useless to send any more. */
  readonly failure: Error | undefined
  /** The exit code of the signal that ended it. */
  readonly interrupted: ExitCode | undefined
  /** Whether the same command sends what this run has left. */
  readonly isResumable: boolean
  readonly done: readonly Done[]
}

/** Says what became of everything, and what that makes of the run. */
export function conclude(ending: Ending, context: Context): ExitCode {
  const { tally, unread, unreadable, unwritable, failure, interrupted, done } = ending
  const hasNothingElse = tally.stored + tally.rejected === 0
  const onlyError = failure ?? (unreadable.length === 1 ? unreadable[0] : undefined)
  // With nothing else to tell, the failure is the whole story.
  if (hasNothingElse && interrupted === undefined && onlyError !== undefined) {
    throw onlyError instanceof InputError ? new CommandError(onlyError.message) : onlyError
  }
  tally.showRest()
  tellDone(done, context)
  for (const { message } of unreadable) context.warn(message)
  if (unwritable !== undefined) context.warn(unwritable.message)
  if (failure !== undefined) {
    context.warn(`Stopped before the end: ${failure.message}`)
    for (const one of unread) context.warn(unreadText(one))
  }
  if (interrupted !== undefined && ending.isResumable) {
    context.info('The same command sends the rest.')
  }
  context.info(tally.summary({ hasDone: done.length > 0 }))
  return interrupted ?? exitCode(ending)
}

/** What was never read is in no account, and nobody should take the rejects file for all that is left. */
function unreadText({ input, events, goesOn }: Unread): string {
  if (events === 0) return `${inputLabel(input)} was not read, nor what comes after it.`
  const rest = goesOn
    ? 'the same command again goes on with the rest.'
    : 'what comes after it is neither stored nor counted.'
  return `${inputLabel(input)} was read up to event ${formatInteger(events)}: ${rest}`
}

/** What was sent before is not in the summary. */
function tellDone([first, ...others]: readonly Done[], context: Context): void {
  if (first === undefined) return
  const what =
    others.length === 0
      ? `${inputLabel(first.input)} has nothing new: its ${counted(first.events, 'event')} were sent before.`
      : `${counted(others.length + 1, 'file')} have nothing new since they were sent before.`
  context.info(`${what} \`--no-checkpoint\` sends all again.`)
}

function exitCode({ tally, unreadable, unwritable, failure }: Ending): ExitCode {
  const { stored, rejected, unsent, unconfirmed } = tally
  if (failure instanceof ApiError && [401, 403].includes(failure.status)) return EXIT.denied
  if (failure instanceof CommandError) {
    return failure.exitCode === EXIT.usage && stored > 0 ? EXIT.incomplete : failure.exitCode
  }
  if (unreadable.length > 0 || unwritable !== undefined) return EXIT.failed
  const isShort = unsent + unconfirmed > 0 || failure !== undefined
  if (stored === 0 && isShort) return EXIT.failed
  return isShort || rejected > 0 ? EXIT.incomplete : EXIT.done
}
