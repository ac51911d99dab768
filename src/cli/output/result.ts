// What every command says about a result.

import { describeStats, summarize } from '../commands/query/summary.js'
import type { Context } from '../context.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import type { PrintSummary } from './printer.js'

/** The flags that say what is told beside a result, and what makes it less than was asked for. */
export interface ResultFlags {
  readonly stats?: boolean
  readonly strict?: boolean
}

/** Says what is to be said about a result besides its rows; returns what the command ends with. */
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
