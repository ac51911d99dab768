import type { Connection } from '../../../client/connection.js'
import { ApiError } from '../../../client/error.js'
import { query } from '../../../client/query.js'
import { DEFAULT_RETRY, type RetryPolicy } from '../../../client/retry.js'
import type { TabularResult } from '../../../wire/http/query.js'
import { formatTimestamp } from '../../../wire/time/timestamp.js'
import type { Context } from '../../context.js'
import type { Params } from '../../option/param.js'
import { throwForUserQuery } from '../query/extended-query.js'
import { missingTimes } from './poll.js'

export interface RunOptions {
  /** How many rows at the most. */
  readonly limit?: number
  /** From when on; nanoseconds since 1970. */
  readonly startTime?: bigint | undefined
  /** Goes on trying while the deployment can't be reached. */
  readonly retries?: boolean
}

/** Asks a query of the deployment that is followed. */
export type RunQuery = (text: string, options: RunOptions) => Promise<TabularResult>

interface QueryTarget {
  readonly connection: Connection
  /** What was written on the command line, of which each text that is asked is a continuation. */
  readonly apl: string
  readonly params?: Params | undefined
  readonly signal: AbortSignal
}

/** How the queries are asked; tells when the deployment is lost for a while, and when it is back. */
export function queryRunner(
  { connection, apl, params, signal }: QueryTarget,
  context: Pick<Context, 'io' | 'warn' | 'info'>,
): RunQuery {
  const { warn, info } = context
  let isLost = false
  const patient: RetryPolicy = {
    ...DEFAULT_RETRY,
    attempts: Number.POSITIVE_INFINITY,
    maxWaitMs: Number.POSITIVE_INFINITY,
    onRetry({ reason }) {
      if (!isLost) warn(`No response (${reason}). Retrying until there is one.`)
      isLost = true
    },
  }
  return async (text, { limit, startTime, retries: isPatient }) => {
    const request = {
      apl: text,
      ...(startTime !== undefined && { startTime: formatTimestamp(startTime) }),
      ...(limit && { defaultLimit: limit }),
      ...(params && { variables: params }),
    }
    try {
      const answer = await query(connection, request, {
        signal,
        ...(isPatient && { retry: patient }),
      })
      if (isLost) info('Connected again.')
      isLost = false
      return answer
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const written = { ...request, apl }
      return await throwForUserQuery(
        error,
        { request: written, missingColumns: missingTimes, signal },
        context,
      )
    }
  }
}

/** What is followed, and from where on. */
export interface FollowOptions {
  readonly connection: Connection
  readonly apl: string
  readonly params?: Params | undefined
  /** Begin with the events since then; nanoseconds since 1970. */
  readonly since: bigint | undefined
  /** Begin with so many of the newest events. */
  readonly last: number | undefined
  readonly intervalMs: number
  /** How long before its arrival an event may have been, nanoseconds; nothing for any time. */
  readonly allowedLateness: bigint | undefined
  now(): bigint
  readonly signal: AbortSignal
}
