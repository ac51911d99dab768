import type { Command } from 'commander'
import type { Connection } from '../../../client/connection.js'
import type { StarredQueries } from '../../../client/starred.js'
import { addAroundOptions } from '../../around/options.js'
import type { Context } from '../../context.js'
import { countOption } from '../../option/option.js'
import { paramOption } from '../../option/param.js'
import { addRare } from '../../option/rare.js'
import { addTimeOptions, isBounded } from '../../option/time-range.js'
import { addPrintOptions } from '../../output/flags.js'
import { addAssertionOptions } from '../../query/assertion.js'
import { addRequestOptions, addRowOptions } from '../../query/request-options.js'
import type { QueryOptions } from '../query/options.js'
import { addResultOptions } from '../query/summary.js'
import { runQuery } from '../query.js'
import { findStarred } from './find.js'

/** The flags of `evq starred run`: the flags of `evq query` except flags that give the query. */
export type RunFlags = Omit<QueryOptions, 'apl' | 'file' | 'saved'>

export function addRunOptions(command: Command): Command {
  addTimeOptions(command.optionsGroup('Overrides:'))
  command.addOption(countOption('-n, --limit <rows>', 'maximum number of rows'))
  command.addOption(paramOption())
  addRare(command, (one) => addRequestOptions(addRowOptions(one)))
  addResultOptions(addPrintOptions(addAroundOptions(command)))
  return addAssertionOptions(command.optionsGroup('Assertions:'))
}

/** `evq starred run <id or name>`: runs a saved query like `evq query`. Flags override the saved values. */
export async function runStarred(
  idOrName: string,
  flags: RunFlags,
  { queries, context }: StarredContext,
): Promise<void> {
  const { query, name } = await findStarred(queries, idOrName)
  context.debug(`Running ${name}.`)
  const { apl, startTime, endTime, cursor: _, ...saved } = query
  const range = isBounded(flags)
    ? {}
    : { since: startTime || undefined, until: endTime || undefined }
  context.finish(await runQuery({ ...range, ...flags, apl, saved }, context))
}

export interface StarredContext {
  readonly context: Context
  readonly connection: Connection
  /** True for the local service, which can check names of fields before a query is saved. */
  readonly isLocal: boolean
  readonly queries: StarredQueries
  readonly signal: AbortSignal
}
