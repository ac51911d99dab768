import { releasedWhenIdle } from '../../../connection/released-when-idle.js'
import type { Context } from '../../../context.js'
import type { ExitCode } from '../../../exit-code.js'
import { clock } from '../../../io.js'
import { timeRange } from '../../../option/time-range.js'
import { executeQuery, openTarget } from '../execute-query.js'
import type { QueryOptions } from '../options.js'
import { cachedNames } from './completion.js'
import { runPrompt } from './prompt.js'

/** Opens the prompt: `evq query` without a query, on a terminal. */
export async function openPrompt(options: QueryOptions, context: Context): Promise<ExitCode> {
  const target = await openTarget(context)
  const connection = target.isLocal ? releasedWhenIdle(target.connection) : target.connection
  // One connection for all queries.
  const shared = { ...target, connection: { ...connection, close: async () => {} } }
  try {
    const optionsSince = (since: string | undefined): QueryOptions => {
      const { since: _, from: _from, startTime: _start, ...others } = options
      return since === undefined ? options : { ...others, since }
    }
    const ask = (apl: string, since: string | undefined) => {
      const options = { ...optionsSince(since), apl, sinceWord: '\\since' }
      return executeQuery(options, context, async () => shared)
    }
    const checkSince = (since: string) => {
      timeRange(optionsSince(since), clock(context.io)())
    }
    return await runPrompt({ ask, checkSince, names: cachedNames(connection) }, context)
  } finally {
    await connection.close()
  }
}
