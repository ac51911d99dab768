// `evq query --check` and `--explain`: analyzes a query without running it.
import type { Connection } from '../../client/connection.js'
import type { AplCheck } from '../../wire/http/check.js'
import type { AplRequest } from '../../wire/http/query.js'
import type { Table } from '../../wire/http/tabular-result.js'
import { type Context, clock } from '../context.js'
import { ProblemsError } from '../error/problems-error.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import type { Printer } from '../output/printer.js'
import { type ListColumn, listTable } from '../terminal/listing.js'
import { queryError } from './error.js'

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

/** Throws a `ProblemsError` or `QueryError` when a query has problems that can be found without a remote deployment. */
export async function checkRequest(
  { request, local, signal }: CheckRequest,
  context: Pick<Context, 'io'>,
): Promise<void> {
  if (local === undefined) await readText(request, context)
  else await ask(local, request, signal)
}

/** Prints the columns of the result, or the parsed query with `--explain`. Throws when the query has problems. */
export async function checkQuery(
  { request, local, signal }: CheckRequest,
  flags: CheckFlags & { readonly printer: Printer },
  context: Context,
): Promise<ExitCode> {
  if (local === undefined) return await checkText(request, flags, context)
  const found = await ask(local, request, signal)
  if (flags.explain) context.io.stdout.write(`${found.apl}\n\n${found.sql}\n`)
  else await flags.printer.printTables([tableOf(found)])
  return EXIT.done
}

/** Checks only the syntax, because the datasets and fields of a remote deployment are unknown. */
async function checkText(
  request: AplRequest,
  flags: CheckFlags,
  context: Context,
): Promise<ExitCode> {
  const read = await readText(request, context)
  if (flags.explain) context.io.stdout.write(`${read.apl}\n`)
  context.info('syntax OK; datasets and fields can only be checked by the deployment')
  return EXIT.done
}

async function readText(
  { apl, variables }: AplRequest,
  { io }: Pick<Context, 'io'>,
): Promise<{ readonly apl: string }> {
  const { checkApl } = await import('../../apl/language.js')
  const read = checkApl(apl, { now: clock(io)(), variables })
  if ('problems' in read) throw new ProblemsError(apl, read.problems)
  return read
}

async function ask(
  connection: Connection,
  request: AplRequest,
  signal: AbortSignal,
): Promise<AplCheck> {
  const client = await import('../../client/query.js')
  return await client.checkQuery(connection, request, { signal }).catch((error) => {
    throw queryError(request.apl, error)
  })
}

function tableOf({ columns: rows }: AplCheck): Table {
  const columns: readonly ListColumn<(typeof rows)[number]>[] = [
    { name: 'name', of: ({ name }) => name },
    { name: 'type', of: ({ type }) => type },
  ]
  return listTable({ rows, columns })
}
