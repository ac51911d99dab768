import type { Connection } from '../../../../client/connection.js'
import { ApiError, NetworkError } from '../../../../client/error.js'
import { TIMEOUTS } from '../../../../client/limits.js'
import { Countdown } from '../../../../text/countdown.js'
import type { AplRequest } from '../../../../wire/http/query.js'
import { MalformedResponseError } from '../../../../wire/http/response-json.js'
import type { Context } from '../../../context.js'
import { shortDuration } from '../../../option/quantity.js'
import { askingIn } from '../../../query/ask-rows.js'
import { describeExplanation, explanationJson } from './describe.js'
import { type Explanation, explain } from './explain.js'

/** The time limit of an automatic explanation. */
const UNASKED_LIMIT_MS = 10_000

interface ExplainedQuery {
  readonly connection: Connection
  readonly request: AplRequest
  /** The dataset of a query that starts with an operator. */
  readonly input?: string | undefined
  /** True for `--why`; otherwise the explanation is automatic. */
  readonly isAskedFor: boolean
  readonly signal: AbortSignal
}

/** Explains a result without rows on stderr. Returns the explanation; undefined when the result can't be explained. */
export async function reportWhy(
  { connection, request, input, isAskedFor, signal }: ExplainedQuery,
  context: Context,
): Promise<Explanation | undefined> {
  const { planOf } = await import('../../../../apl/language.js')
  const plan = planOf(request.apl, input)
  const say = isAskedFor ? context.warn : context.info
  const fail = (why: string): undefined => {
    if (isAskedFor) context.warn(`The empty result can't be explained: ${why}`)
    else context.debug(`The empty result is not explained: ${why}`)
  }
  if (plan === undefined) return fail('this version does not know the syntax of the query.')
  const limitMs = context.flags().timeout ?? TIMEOUTS.responseMs
  const within = isAskedFor ? limitMs : Math.min(limitMs, UNASKED_LIMIT_MS)
  const late = new AbortController()
  const countdown = new Countdown(within, () => late.abort())
  const ask = { connection, request, signal: AbortSignal.any([signal, late.signal]) }
  const { startTime, endTime } = request
  try {
    const explanation = await explain(plan, {
      range: { startTime, endTime },
      askingIn: (range) => askingIn(range, ask),
    })
    if (!context.attach({ why: explanationJson(explanation) })) {
      for (const line of describeExplanation(explanation)) say(line)
    }
    return explanation
  } catch (error) {
    if (late.signal.aborted) return fail(`it takes more than ${shortDuration(within)}.`)
    const isFailure =
      error instanceof ApiError ||
      error instanceof NetworkError ||
      error instanceof MalformedResponseError
    if (signal.aborted || isFailure)
      return fail(error instanceof Error ? error.message : 'interrupted')
    throw error
  } finally {
    countdown.stop()
  }
}
