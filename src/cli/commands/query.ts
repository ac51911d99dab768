import { Command } from 'commander'
import { addAroundOptions } from '../around/options.js'
import type { Context } from '../context.js'
import { ProblemsError } from '../error/problems-error.js'
import type { ExitCode } from '../exit-code.js'
import { spareInputs } from '../file/spare-inputs.js'
import { examples } from '../help/examples.js'
import { countOption } from '../option/option.js'
import { paramOption } from '../option/param.js'
import { addRare, markRare } from '../option/rare.js'
import { addTimeOptions } from '../option/time-range.js'
import { addPrintOptions } from '../output/flags.js'
import { addAssertionOptions } from '../query/assertion.js'
import { QueryError } from '../query/error.js'
import { addRequestOptions, addRowOptions } from '../query/request-options.js'
import { executeQuery, openTarget } from './query/execute-query.js'
import { addInputOptions, refuseInputFlags } from './query/input/options.js'
import { planQuery } from './query/input/plan.js'
import { addLegacyOptions } from './query/legacy.js'
import type { QueryOptions } from './query/options.js'
import { addResultOptions } from './query/summary.js'

export function queryCommand(context: Context): Command {
  const command = new Command('query')
    .description(
      'Runs an APL query and prints its result: a table on a terminal, NDJSON in a pipe.',
    )
    .argument(
      '[apl]',
      'the query; `-` reads it from standard input; if omitted, a prompt opens (with `-i`, on files)',
    )
    .optionsGroup('Query options:')
    .option('-f, --file <file>', 'read the query from a file; `-` is standard input')
  addTimeOptions(command)
    .addOption(countOption('-n, --limit <rows>', 'the maximum number of rows'))
    .addOption(paramOption())
    .optionsGroup('Check without running:')
    .option('--check', 'report problems in the query, or print the columns of its result')
    .option('--explain', 'print the parsed query and the SQL it compiles to')
  addResultOptions(addPrintOptions(addAroundOptions(command)))
  addAssertionOptions(command.optionsGroup('Assertions:'))
  addInputOptions(command, context.io.env)
  addRare(command, (one) => addLegacyOptions(addRowOptions(addRequestOptions(one))))
  markRare(command, RARE_FLAGS)
    .addHelpText('after', () => examples(QUERY_EXAMPLES))
    .action(async (apl: string | undefined, flags: Omit<QueryOptions, 'apl'>) =>
      context.finish(await runQuery({ apl, ...flags }, context)),
    )
  return command
}

const RARE_FLAGS = '--explain --context-by --no-header --no-pager --stats --strict --why'.split(' ')

const QUERY_EXAMPLES = [
  `cat app.log | evq query "where level == 'error' | summarize count() by logger"`,
  `evq query -i 'logs/*.gz' "where status >= 500 | top 10 by duration_ms"`,
  `evq query "['logs'] | where status >= 500 | summarize count() by service"`,
  `evq query "['logs'] | where level == 'error'" -C 3`,
  `evq query -f slow.apl --since 2026-01-31 --until +1d -o csv > slow.csv`,
]

/** Runs a query and prints its result, or opens the prompt when no query is given on a terminal. Returns the exit code. */
export async function runQuery(options: QueryOptions, context: Context): Promise<ExitCode> {
  await spareInputs({ '-O': options.out }, [options.file], context.io)
  const { stdin, stdout } = context.io
  const isGiven = [options.apl, options.file, options.legacy].some((one) => one !== undefined)
  const isTyped = !isGiven && stdin.isTTY === true && options.input?.includes('-') !== true
  if (!isTyped || stdout.isTTY !== true) return await runGiven(options, context)
  if (options.input !== undefined) {
    const { openInputPrompt } = await import('./query/prompt/open-input-prompt.js')
    return await openInputPrompt(options, context)
  }
  const { openPrompt } = await import('./query/prompt/open-prompt.js')
  return await openPrompt(options, context)
}

async function runGiven(options: QueryOptions, context: Context): Promise<ExitCode> {
  if (options.legacy !== undefined) {
    refuseInputFlags(options)
    return await executeQuery(options, context, openTarget)
  }
  try {
    const { apl, plan } = await planQuery(options, context)
    if (plan !== undefined) {
      const { runInputQuery } = await import('./query/input/run.js')
      return await runInputQuery(plan, options, context)
    }
    const { file: _, ...flags } = options
    return await executeQuery({ ...flags, apl }, context, openTarget)
  } catch (error) {
    const isRejected = error instanceof ProblemsError || error instanceof QueryError
    const isGiven = options.apl !== undefined || options.file !== undefined
    if (isRejected && !isGiven) context.info(HOW_TO_READ_EVENTS)
    throw error
  }
}

/** The hint for events on standard input, which is the query when no query is given. */
const HOW_TO_READ_EVENTS =
  'Standard input is the query if no query is given. To read events there, give a query: `cat app.log | evq query "where level == \'error\'"`.'
