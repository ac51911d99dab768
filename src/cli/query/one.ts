import type { Connection } from '../../client/connection.js'
import { type AnswerForm, queryAnswer } from '../../client/query.js'
import { orAborted } from '../../text/abort.js'
import type { Pieces } from '../../wire/pieces.js'
import type { AplRequest } from '../../wire/query.js'
import { clock } from '../clock.js'
import { connect } from '../connect.js'
import type { Context } from '../context.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import { type Interrupt, interruptible } from '../interrupt.js'
import { openPrinter, type Printer } from '../output/printer.js'
import { concludeResult } from '../result.js'
import { settings } from '../settings.js'
import { describeRange, isBounded, timeRange } from '../time-range.js'
import { concludeAssertion, judge } from './assertion.js'
import { checkQuery } from './check.js'
import { queryError } from './error.js'
import { askLegacy, type LegacyQuestion, legacyQuestion } from './legacy.js'
import { printLegacy } from './legacy-answer.js'
import type { QueryOptions } from './options.js'
import { requestOf } from './request-options.js'
import { queryText } from './text.js'

/** Without a start, someone who looks at a terminal means what has just happened. */
const RECENT = '1h'

/** Where a query goes. */
interface Target {
  readonly connection: Connection
  readonly isLocal: boolean
}

/** The way to where the command line's queries go. */
export async function openTarget(context: Context): Promise<Target> {
  const configured = await settings(context.flags(), context.io.env)
  return { connection: connect(configured, context), isLocal: configured.url === undefined }
}

/** Asks one query over a connection that it closes, and prints the result or what is wrong with it. */
export async function runOne(
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
  const { assert: predicate, wider = '--since 7d' } = options
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
  const printed = await orAborted(printing, signal, () => undefined)
  if (printed === undefined) return exitCode() ?? EXIT.interrupted
  const demanded = concludeAssertion({ ...printed, verdict }, options, context)
  const ended = concludeResult(
    printed,
    { ...options, wider: isRecent ? wider : undefined },
    context,
  )
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
): Promise<Pieces> {
  try {
    return await queryAnswer(connection, request, { ...(form && { form }), signal })
  } catch (error) {
    throw queryError(request.apl, error)
  }
}
