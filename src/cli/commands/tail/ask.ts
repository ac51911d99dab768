import type { KeptColumns } from '../../../apl/language.js'
import type { Connection } from '../../../client/connection.js'
import { ApiError } from '../../../client/error.js'
import { RETRY_DELAYS } from '../../../client/limits.js'
import { query } from '../../../client/query.js'
import type { RetryPolicy } from '../../../client/retry.js'
import type { TabularResult } from '../../../wire/http/tabular-result.js'
import { formatTimestamp } from '../../../wire/time/timestamp.js'
import { missingTimes } from '../../around/event-position.js'
import type { Context } from '../../context.js'
import type { Params } from '../../option/param.js'
import { throwForUserQuery } from '../../query/check.js'

export interface RunOptions {
  readonly limit?: number
  /** The start of the range, in nanoseconds since 1970. */
  readonly startTime?: bigint | undefined
  /** True to retry until the deployment is reachable. */
  readonly retries?: boolean
}

export type RunQuery = (text: string, options: RunOptions) => Promise<TabularResult>

interface QueryTarget {
  readonly connection: Connection
  /** The query from the command line, which every query extends. */
  readonly apl: string
  readonly kept?: (KeptColumns & { readonly written: string }) | undefined
  readonly params?: Params | undefined
  readonly signal: AbortSignal
}

/** Returns a function that runs queries, and reports when the connection is lost and restored. */
export function queryRunner(
  { connection, apl, kept, params, signal }: QueryTarget,
  context: Pick<Context, 'io' | 'warn' | 'info'>,
): RunQuery {
  const { warn, info } = context
  let isLost = false
  const patient: RetryPolicy = {
    ...RETRY_DELAYS,
    attempts: Number.POSITIVE_INFINITY,
    maxWaitMs: Number.POSITIVE_INFINITY,
    onRetry({ reason }) {
      if (!isLost) warn(`No response (${reason}). Retrying until the service responds.`)
      isLost = true
    },
  }
  return async (text, { limit, startTime, retries: isPatient }) => {
    const request = {
      apl: text,
      ...(startTime !== undefined && { startTime: formatTimestamp(startTime) }),
      defaultLimit: limit,
      variables: params,
    }
    try {
      const retry = isPatient ? patient : undefined
      const result = await query(connection, request, { signal, retry })
      if (isLost) info('Connected again.')
      isLost = false
      return result
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const written = { ...request, apl: kept?.written ?? apl }
      return await throwForUserQuery(
        error,
        { request: written, restore: kept?.restore, missingColumns: missingTimes, signal },
        context,
      )
    }
  }
}

export interface FollowOptions extends QueryTarget {
  /** Start with the events since this time, in nanoseconds since 1970. */
  readonly since: bigint | undefined
  /** Start with this number of the newest events. */
  readonly last: number | undefined
  /** The columns in which an event has other values each time it is returned. */
  readonly changing: readonly string[]
  readonly intervalMs: number
  /** The maximum time between an event and its arrival, in nanoseconds; `undefined` for no maximum. */
  readonly allowedLateness: bigint | undefined
  now(): bigint
}
