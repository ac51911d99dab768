// `evq query --check` and `--explain`: analyzes a query without running it.
import type { Connection } from '../../client/connection.js'
import { ApiError } from '../../client/error.js'
import type { Problem } from '../../text/problem.js'
import type { AplCheck } from '../../wire/http/check.js'
import type { AplRequest } from '../../wire/http/query.js'
import { type Context, clock } from '../context.js'
import { ProblemsError } from '../error/problems-error.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import type { Printer } from '../output/printer.js'
import { type ListColumn, listTable } from '../terminal/listing.js'
import { QueryError, queryError } from './error.js'

export interface CheckFlags {
  readonly check?: boolean
  readonly explain?: boolean
}

/** A query to check: on the local service if there is a connection to it, otherwise only its syntax. */
interface CheckRequest {
  readonly request: AplRequest
  readonly local?: Connection
  readonly signal: AbortSignal
}

/** Parses and checks a query. Throws a `ProblemsError` or `QueryError` for problems that can be found without a remote deployment. */
export async function checkRequest(
  { request, local, signal }: CheckRequest,
  { io }: Pick<Context, 'io'>,
): Promise<AplCheck | Pick<AplCheck, 'apl'>> {
  const { apl, variables } = request
  if (local !== undefined) {
    const client = await import('../../client/query.js')
    return await client.checkQuery(local, request, { signal }).catch((error) => {
      throw queryError(apl, error)
    })
  }
  const { checkApl } = await import('../../apl/language.js')
  const read = checkApl(apl, { now: clock(io)(), variables })
  if ('problems' in read) throw new ProblemsError(apl, read.problems)
  return read
}

/** Prints the columns of the result, or the parsed query with `--explain`. Throws when the query has problems. */
export async function checkQuery(
  check: CheckRequest,
  { explain, printer }: CheckFlags & { readonly printer: Printer },
  context: Context,
): Promise<ExitCode> {
  const found = await checkRequest(check, context)
  const isWhole = 'sql' in found
  if (explain) context.io.stdout.write(`${found.apl}\n${isWhole ? `\n${found.sql}\n` : ''}`)
  else if (isWhole)
    await printer.printTables([listTable({ rows: found.columns, columns: COLUMNS })])
  if (!isWhole) {
    // The datasets and fields of a remote deployment are unknown.
    context.info('syntax OK; datasets and fields can only be checked by the deployment')
  }
  return EXIT.done
}

const COLUMNS: readonly ListColumn<AplCheck['columns'][number]>[] = [
  { name: 'name', of: ({ name }) => name },
  { name: 'type', of: ({ type }) => type },
]

/** A query that was run with operators that `evq page` or `evq tail` appended. */
interface ExtendedQuery {
  /** The query as written. */
  readonly request: AplRequest
  /** Converts a problem of the query that was run to a problem of the query as written. */
  readonly restore?: ((problem: Problem) => Problem) | undefined
  /** Returns the error when the query lacks columns that the appended operators need. */
  readonly missingColumns: () => Error
  readonly signal: AbortSignal
}

/** Converts the error of an extended query to an error about the query as written, and throws it. */
export async function throwForUserQuery(
  error: ApiError,
  { request, restore = (problem) => problem, missingColumns, signal }: ExtendedQuery,
  context: Pick<Context, 'io'>,
): Promise<never> {
  const { apl } = request
  const problems = (error.problems ?? []).map(restore)
  if (problems.length === 0) throw new QueryError(apl, error)
  const ofUser = problems.filter(({ span }) => span.end <= apl.length)
  if (ofUser.length > 0) {
    const refusal = new ApiError({ ...error, message: error.message, problems: ofUser })
    throw new QueryError(apl, refusal)
  }
  // The problem of an incomplete query may only show in the appended operators.
  const isBroken = problems.some(({ code }) => code !== 'unknown-field')
  if (isBroken) await checkRequest({ request, signal }, context)
  throw missingColumns()
}
