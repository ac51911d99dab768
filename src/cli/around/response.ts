// `evq query -C`: prints the rows of a response with the events around them.

import type { Connection } from '../../client/connection.js'
import { ApiError } from '../../client/error.js'
import type { ChunkedBuffer } from '../../wire/bytes/chunked-buffer.js'
import type { AplRequest } from '../../wire/http/query.js'
import { decodeTabularResult } from '../../wire/http/tabular-result.js'
import type { Context } from '../context.js'
import { UsageError } from '../error/usage-error.js'
import type { PrintFlags } from '../output/flags.js'
import { countRows, type Printer, type PrintSummary } from '../output/printer.js'
import { queryError } from '../query/error.js'
import { findAround } from './find.js'
import { type Around, type AroundFlags, aroundOf } from './options.js'
import { aroundOutput, passageFormat } from './output.js'
import { type AroundQuery, aroundQuery } from './source.js'

/** A query whose rows are printed with the events around them. */
export interface AroundRun {
  readonly around: Around
  readonly query: AroundQuery
  /** Converts an error about the prepared query to an error about the query as written. */
  errorOf(error: unknown): unknown
}

/** Prepares a query for `-A`, `-B` and `-C`; undefined without these flags. Throws a `UsageError` when they do not apply to it. */
export async function prepareAround(
  apl: string,
  flags: AroundFlags & PrintFlags & { readonly legacy?: string; readonly format?: string },
): Promise<AroundRun | undefined> {
  const around = aroundOf(flags)
  if (around === undefined) return undefined
  if (flags.legacy !== undefined || flags.format === 'legacy') {
    throw new UsageError(
      "`-A`, `-B` and `-C` apply to APL queries and can't be used with the legacy formats.",
    )
  }
  passageFormat(flags)
  const query = await aroundQuery(apl, ['_time', '_sysTime', ...around.by])
  return { around, query, errorOf: (error) => queryError(apl, restored(error, query)) }
}

interface AroundResponse {
  readonly request: AplRequest
  readonly response: ChunkedBuffer
  readonly flags: PrintFlags
  readonly connection: Connection
  readonly printer: Printer
  readonly signal: AbortSignal
}

/** Prints the rows of a response with the events around them; returns the status and number of the rows. */
export async function printAround(
  { around, query }: AroundRun,
  { request, response, flags, connection, printer, signal }: AroundResponse,
  context: Context,
): Promise<PrintSummary> {
  const { status, tables } = decodeTabularResult(response.toString())
  const [table] = tables
  const { added: hidden } = query.matches
  const { fields = [] } = table ?? {}
  const isPaged = context.io.stdout.isTTY === true && flags.pager !== false
  const output = aroundOutput(
    { flags, hidden, isLive: !isPaged, openPrinter: async () => printer, signal },
    context,
  )
  if (table !== undefined) {
    const search = { around, query, connection, request, signal, warn: context.warn }
    for await (const marks of findAround(table, search)) {
      if (signal.aborted) break
      if (marks.length > 0) await output.add(fields, marks)
    }
  }
  await output.finish()
  return { status, rows: countRows(tables) }
}

/** Returns the error with the positions of its problems in the query as written. */
function restored(error: unknown, { matches }: AroundQuery): unknown {
  if (!(error instanceof ApiError)) return error
  const problems = error.problems?.map(matches.restore)
  return new ApiError({ ...error, message: error.message, problems })
}
