// Messages about a result that all commands share.

import { describeStats, summarize } from '../commands/query/summary.js'
import type { Context } from '../context.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import type { PrintSummary } from './printer.js'

/** The flags for messages about a result and for its exit code. */
export interface ResultFlags {
  readonly stats?: boolean
  readonly strict?: boolean
}

/** Prints the messages about a result and returns the exit code. */
export function reportResult(
  { status, rows }: PrintSummary,
  { wider, stats, strict }: ResultFlags & { readonly wider?: string | undefined },
  context: Context,
): ExitCode {
  const messages = status.messages ?? []
  for (const { msg } of messages) if (msg !== '') context.warn(msg)
  if (status.isPartial)
    context.warn('The result is partial: the service could not examine all of it.')
  if (stats) for (const line of describeStats(status)) context.warn(line)
  context.info(summarize(status, { rows, wider }))
  const isCut = strict === true && messages.some(({ code }) => code.includes('limit'))
  return status.isPartial || isCut ? EXIT.incomplete : EXIT.done
}
