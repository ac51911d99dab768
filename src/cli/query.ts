import { Command } from 'commander'
import type { Connection } from '../client/connection.js'
import { type AnswerForm, queryAnswer } from '../client/query.js'
import type { AplRequest } from '../wire/query.js'
import type { TimeZone } from '../wire/time-zone.js'
import { aborted } from './aborted.js'
import { clock } from './clock.js'
import { connect } from './connect.js'
import type { Context } from './context.js'
import { EXIT, type ExitCode } from './exit-code.js'
import { examples } from './help.js'
import { type Interrupt, interruptible } from './interrupt.js'
import { countOption } from './option.js'
import { addPrintOptions, type PrintFlags } from './output/flags.js'
import { openPrinter, type Printer } from './output/printer.js'
import { paramOption } from './param.js'
import {
  type AssertionFlags,
  addAssertionOptions,
  concludeAssertion,
  judge,
} from './query/assertion.js'
import { type CheckFlags, checkQuery } from './query/check.js'
import { queryError } from './query/error.js'
import {
  addLegacyOptions,
  askLegacy,
  type LegacyFlags,
  type LegacyQuestion,
  legacyQuestion,
} from './query/legacy.js'
import { printLegacy } from './query/legacy-answer.js'
import {
  addRequestOptions,
  addRowOptions,
  type RequestFlags,
  type RowFlags,
  requestOf,
} from './query/request-options.js'
import { queryText } from './query/text.js'
import { concludeResult, type ResultFlags } from './result.js'
import { settings } from './settings.js'
import {
  addTimeOptions,
  describeRange,
  isBounded,
  type TimeRangeFlags,
  timeRange,
} from './time-range.js'

/** What `evq query` is asked for, as its flags say it. */
export interface QueryOptions
  extends TimeRangeFlags,
    RequestFlags,
    RowFlags,
    CheckFlags,
    AssertionFlags,
    LegacyFlags,
    PrintFlags,
    ResultFlags {
  readonly timezone?: TimeZone
  readonly apl?: string | undefined
  readonly file?: string
  /** What a saved query asks for, where no flag says else. */
  readonly saved?: Omit<AplRequest, 'apl'>
}

/** `evq query [apl]` */
export function queryCommand(context: Context, run = runQuery): Command {
  const command = new Command('query')
    .summary('run a query and print its result')
    .description(
      'Runs an APL query and prints its result: a table on a terminal, NDJSON in a pipe.',
    )
    .argument('[apl]', 'the query; `-` reads it from standard input, none opens a prompt')
    .optionsGroup('What to ask:')
    .option('-f, --file <file>', 'read the query from a file; `-` is standard input')
  addTimeOptions(command)
    .addOption(countOption('-n, --limit <rows>', 'how many rows at most'))
    .addOption(paramOption())
    .optionsGroup('To run nothing:')
    .option('--check', 'say what is wrong with it, or what its columns will be')
    .option('--explain', 'print it as it is understood, and what it compiles to')
  addPrintOptions(command)
    .option('--stats', 'also say what was examined')
    .option('--strict', 'end with 3 when a default limit cut the result')
  addAssertionOptions(command.optionsGroup('To demand something of it:'))
  addLegacyOptions(addRowOptions(addRequestOptions(command)))
    .addHelpText('after', () => examples(QUERY_EXAMPLES))
    .action(async (apl: string | undefined, flags: Omit<QueryOptions, 'apl'>) =>
      context.finish(await run({ apl, ...flags }, context)),
    )
  return command
}

const QUERY_EXAMPLES = [
  `evq query "['logs'] | where status >= 500 | summarize count() by service"`,
  `evq query "['logs'] | count" --since 7d`,
  `evq query --legacy logs --filter 'status >= 500' --order _time:asc -n 10`,
  `evq query -f slow.apl --since 2026-01-31 --until +1d -o csv > slow.csv`,
]

/** Without a start, someone who looks at a terminal means what has just happened. */
const RECENT = '1h'

/** Where a query goes. */
interface Target {
  readonly connection: Connection
  readonly isLocal: boolean
}

async function openTarget(context: Context): Promise<Target> {
  const configured = await settings(context.flags(), context.io.env)
  return { connection: connect(configured, context), isLocal: configured.url === undefined }
}

/** Asks one query and prints its result, or opens the prompt where none is given on a terminal. */
export async function runQuery(options: QueryOptions, context: Context): Promise<ExitCode> {
  const { stdin, stdout } = context.io
  const isGiven = [options.apl, options.file, options.legacy].some((one) => one !== undefined)
  const isTyped = !isGiven && stdin.isTTY === true
  if (!isTyped || stdout.isTTY !== true) return await runOne(options, context, openTarget)
  const { runPrompt } = await import('./query/prompt.js')
  const { namesOver } = await import('./query/prompt-names.js')
  const { connection, isLocal } = await openTarget(context)
  // One connection for all queries: the local service starts once.
  const shared = { isLocal, connection: { ...connection, close: async () => {} } }
  try {
    const ask = (apl: string, since: string | undefined) => {
      const { since: _, from: _from, startTime: _start, ...others } = options
      const asked = since === undefined ? options : { ...others, since }
      return runOne({ ...asked, apl }, context, async () => shared)
    }
    return await runPrompt({ ask, names: namesOver(connection) }, context)
  } finally {
    await connection.close()
  }
}

async function runOne(
  options: QueryOptions,
  context: Context,
  open: typeof openTarget,
): Promise<ExitCode> {
  const { io } = context
  const isRecent = io.stdout.isTTY === true && options.out === undefined && !isBounded(options)
  const range = timeRange(isRecent ? { since: RECENT } : options, clock(io)())
  const legacy = await legacyQuestion({ ...options }, { range, isRecent, io })
  const apl = legacy === undefined ? await queryText(options, io) : ''
  const { connection, isLocal } = await open(context)
  const printer = await openPrinter(options, context)
  try {
    context.detail(`Asks ${connection.name}${describeRange(range)}.`)
    const request = onTopOf(options.saved, requestOf(apl, range, options))
    const question: Question = { request, legacy, isRecent: legacy?.isRecent ?? isRecent }
    return await interruptible((interrupt) => {
      if (!options.check && !options.explain) {
        return answerQuestion(question, options, { context, connection, printer, interrupt })
      }
      const asked = { request, ...(isLocal && { local: connection }), signal: interrupt.signal }
      return checkQuery(asked, { ...options, printer }, context)
    })
  } finally {
    await printer.close()
    await connection.close()
  }
}

/** What is asked: the request, or the question of the legacy query in its place. */
interface Question {
  readonly request: AplRequest
  readonly legacy: LegacyQuestion | undefined
  /** Whether the range is what a terminal means by none. */
  readonly isRecent: boolean
}

interface Surroundings {
  readonly context: Context
  readonly connection: Connection
  readonly printer: Printer
  readonly interrupt: Interrupt
}

async function answerQuestion(
  { request, legacy, isRecent }: Question,
  options: QueryOptions,
  { context, connection, printer, interrupt }: Surroundings,
): Promise<ExitCode> {
  const { signal, release: onPaged, exitCode } = interrupt
  const { assert: predicate } = options
  const verdict =
    predicate === undefined ? undefined : await judge(connection, request, { predicate, signal })
  const answer =
    legacy === undefined
      ? await ask(connection, request, { form: options.format, signal })
      : await askLegacy(connection, legacy, signal)
  const isLegacy = legacy !== undefined || options.format === 'legacy'
  const { isStepwise = true } = legacy ?? {}
  // A reader that takes its time must not keep Ctrl-C from ending the command.
  const printing = isLegacy
    ? printLegacy(answer, { printer, flags: options, isStepwise, onPaged })
    : printer.printAnswer(answer, onPaged)
  const printed = await Promise.race([printing, aborted(signal)])
  if (printed === undefined) return exitCode() ?? EXIT.interrupted
  const demanded = concludeAssertion({ ...printed, verdict }, options, context)
  const ended = concludeResult(printed, { ...options, isRecent }, context)
  return exitCode() ?? (demanded === EXIT.done ? ended : demanded)
}

/** A request with what a saved one adds to it. */
function onTopOf(saved: QueryOptions['saved'], request: AplRequest): AplRequest {
  if (saved === undefined) return request
  const variables = { ...saved.variables, ...request.variables }
  const queryOptions = { ...saved.queryOptions, ...request.queryOptions }
  return { ...saved, ...request, variables, queryOptions }
}

async function ask(
  connection: Connection,
  request: AplRequest,
  { form, signal }: { readonly form: AnswerForm | undefined; readonly signal: AbortSignal },
): Promise<Buffer> {
  try {
    return await queryAnswer(connection, request, { ...(form && { form }), signal })
  } catch (error) {
    throw queryError(request.apl, error)
  }
}
