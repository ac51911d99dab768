import type { Command } from 'commander'
import type { Connection } from '../../../client/connection.js'
import type { StarredQueries } from '../../../client/starred.js'
import type { Context } from '../../context.js'
import type { ExitCode } from '../../exit-code.js'
import { countOption } from '../../option/option.js'
import { paramOption } from '../../option/param.js'
import { addTimeOptions, isBounded } from '../../option/time-range.js'
import { addPrintOptions } from '../../output/flags.js'
import type { QueryOptions } from '../query/options.js'
import { addRequestOptions, addRowOptions } from '../query/request-options.js'
import { runQuery } from '../query.js'

/** The flags of a query that a saved one may be run with. */
export type RunFlags = Omit<QueryOptions, 'apl' | 'file' | 'saved'>

/** Gives a command the flags of a query, but for its text. */
export function addRunOptions(command: Command): Command {
  addTimeOptions(command.optionsGroup('What to ask, where it is not as saved:'))
  command.addOption(countOption('-n, --limit <rows>', 'how many rows at most'))
  addRowOptions(command.addOption(paramOption()))
  addRequestOptions(command)
  return addPrintOptions(command)
    .option('--stats', 'also say what was examined')
    .option('--strict', 'end with 3 when a default limit cut the result')
}

/** `evq starred run <id>`: as `evq query` would, with what is saved where no flag says else. */
export async function runStarred(
  id: string,
  flags: RunFlags,
  { queries, context }: StarredContext,
): Promise<ExitCode> {
  const { query, name } = await queries.get(id)
  context.debug(`Runs ${name}.`)
  const { apl, startTime, endTime, cursor: _, ...saved } = query
  const range = isBounded(flags)
    ? {}
    : { ...(startTime && { since: startTime }), ...(endTime && { until: endTime }) }
  return await runQuery({ ...range, ...flags, apl, saved }, context)
}

/** What every command on saved queries works with. */
export interface StarredContext {
  readonly context: Context
  readonly connection: Connection
  /** Whether the deployment is the local service, which knows its datasets' fields. */
  readonly isLocal: boolean
  readonly queries: StarredQueries
  readonly signal: AbortSignal
}
