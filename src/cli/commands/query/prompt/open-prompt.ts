import type { Connection } from '../../../../client/connection.js'
import { releasedWhenIdle } from '../../../connection/released-when-idle.js'
import { type Context, clock } from '../../../context.js'
import type { ExitCode } from '../../../exit-code.js'
import { timeRange } from '../../../option/time-range.js'
import type { PrintFlags } from '../../../output/flags.js'
import { openPrinter, type Printer } from '../../../output/printer.js'
import { cachedNames } from '../../../query/completion.js'
import { executeQuery, openTarget } from '../execute-query.js'
import type { QueryOptions } from '../options.js'
import type { PromptSettings } from './commands.js'
import { withOutput } from './last-result.js'
import { runPrompt } from './prompt.js'

/** Opens the prompt: `evq query` without a query, on a terminal. */
export async function openPrompt(options: QueryOptions, context: Context): Promise<ExitCode> {
  const target = await openTarget(context)
  const connection = target.isLocal ? releasedWhenIdle(target.connection) : target.connection
  try {
    return await promptOn({ ...target, connection }, options, context)
  } finally {
    await connection.close()
  }
}

interface PromptTarget {
  readonly connection: Connection
  readonly isLocal: boolean
  /** The files that queries read when they begin with an operator, and their dataset. */
  readonly input?: { readonly dataset: string; readonly files: readonly string[] }
}

/** Runs the prompt on a connection, which stays open. */
export async function promptOn(
  { connection, isLocal, input }: PromptTarget,
  options: QueryOptions,
  context: Context,
): Promise<ExitCode> {
  // All queries share one connection.
  const shared = { connection: { ...connection, close: async () => {} }, isLocal }
  const settings: PromptSettings = {}
  const optionsSince = (since: string | undefined): QueryOptions => {
    return since === undefined ? options : { ...options, since }
  }
  const ask = (apl: string) =>
    executeQuery(
      {
        ...optionsSince(settings.since),
        output: settings.format ?? options.output,
        ...(input !== undefined && { hasInputs: true, mainInput: input.dataset }),
        apl,
        sinceWord: '\\since',
        openPrinter: (flags, context) => promptPrinter(apl, { settings, flags }, context),
      },
      context,
      async () => shared,
    )
  return await runPrompt(
    {
      settings,
      ask,
      printFlags: () => printFlags(options, settings),
      startOf: (since) => timeRange(optionsSince(since), clock(context.io)()).startTime,
      names: { ...cachedNames(connection), input: input?.dataset },
      connection,
      inputs: input?.files ?? [],
    },
    context,
  )
}

function printFlags(flags: PrintFlags, { format }: PromptSettings): PrintFlags {
  return format === undefined ? flags : { ...flags, output: format }
}

/** Opens a printer that keeps the result for `\\last`, and appends it to the file of `\\o` if there is one. */
async function promptPrinter(
  apl: string,
  { settings, flags }: { readonly settings: PromptSettings; readonly flags: PrintFlags },
  context: Context,
): Promise<Printer> {
  const { file } = settings
  const { out, ...others } = printFlags(flags, settings)
  const open = (header: Pick<PrintFlags, 'header'>) =>
    file === undefined
      ? openPrinter({ ...others, out, ...header }, context)
      : openPrinter({ ...others, ...header }, withOutput(context, file.stream))
  const printer = await open({})
  return {
    ...printer,
    async printResponse(body, signal) {
      settings.last = { apl, body }
      const isContinued = file?.needsHeader(body) === false
      const chosen = isContinued ? await open({ header: false }) : printer
      return await chosen.printResponse(body, signal)
    },
  }
}
