import { releasedWhenIdle } from '../../../connection/released-when-idle.js'
import type { Context } from '../../../context.js'
import type { ExitCode } from '../../../exit-code.js'
import { openTarget } from '../execute-query.js'
import type { QueryOptions } from '../options.js'
import { runPrompt } from './prompt.js'
import { PromptQueries } from './queries.js'

/** Opens the prompt: `evq query` without a query, on a terminal. */
export async function openPrompt(options: QueryOptions, context: Context): Promise<ExitCode> {
  const target = await openTarget(context)
  const connection = target.isLocal ? releasedWhenIdle(target.connection) : target.connection
  try {
    return await runPrompt(new PromptQueries({ ...target, connection }, options, context))
  } finally {
    await connection.close()
  }
}
