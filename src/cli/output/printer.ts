import { factsOf, isCopied, renderPieces } from '../../render/format.js'
import {
  readResponse,
  type ScannedResponse,
  writtenResponse,
} from '../../render/transpose/scan-response.js'
import { writeText } from '../../render/write.js'
import { LINE_FEED } from '../../text/bytes.js'
import type { ChunkedBuffer } from '../../wire/bytes/chunked-buffer.js'
import { decodeLegacyResult, type LegacyResult } from '../../wire/http/legacy-result.js'
import { MalformedResponseError } from '../../wire/http/response-json.js'
import {
  decodeTabularResult,
  type Table,
  type TabularResult,
} from '../../wire/http/tabular-result.js'
import type { Context } from '../context.js'
import { UsageError } from '../error/usage-error.js'
import { eachOnce } from '../terminal/messages.js'
import { shownTables } from './columns.js'
import { formatOf, type OutputFormat, type PrintFlags, type RowOutputFormat } from './flags.js'
import { lookOf } from './look.js'
import { openRowTarget } from './row-target.js'
import type { Target } from './target.js'

/** Prints results in the format and to the place that the flags select. */
export interface Printer {
  /** Prints the response to a query; returns its status and number of rows. After `signal` is aborted, no pager starts. */
  printResponse(body: ChunkedBuffer, signal?: AbortSignal): Promise<PrintSummary>
  printTables(tables: readonly Table[], signal?: AbortSignal): Promise<void>
  /** Closes the output. A file that is not complete is discarded. */
  close(): Promise<void>
}

/** The status of a printed result, and its number of rows. */
export interface PrintSummary {
  readonly status: TabularResult['status']
  readonly rows: number
}

/** Opens the output. Throws a `CommandError` when its file can't be written, before anything is requested. */
export async function openPrinter(flags: PrintFlags, context: Context): Promise<Printer> {
  const format = formatOf(flags) ?? (context.io.stdout.isTTY ? 'table' : 'ndjson')
  const target = await openRowTarget(flags.out, format, context.io)
  const options = { ...flags, format, target }
  return {
    async printResponse(body, signal) {
      const printed =
        format === 'raw'
          ? await printRaw(target, body)
          : await printResult(body, { ...options, signal }, context)
      await target.finish(signal)
      return printed
    },
    async printTables(tables, signal) {
      await printTables(tables, { ...options, signal }, context)
      await target.finish(signal)
    },
    close: target.close,
  }
}

interface PrinterOptions extends PrintFlags {
  readonly format: OutputFormat
  readonly target: Target
  readonly signal: AbortSignal | undefined
}

/** Prints the tables of a response. Rows are copied from the bytes of the response if the format allows it. */
async function printResult(
  body: ChunkedBuffer,
  options: PrinterOptions,
  context: Context,
): Promise<PrintSummary> {
  const { format } = options
  if (format === 'parquet' || isCopied(format)) {
    const response = readResponse(body)
    const rows = await printRows(response, { ...options, format }, context)
    return { status: response.result.status, rows }
  }
  const { status, tables } = decodeTabularResult(body.toString())
  await printTables(tables, options, context)
  return { status, rows: countRows(tables) }
}

/** Prints rows from the bytes of a response, and returns their number. Throws a `UsageError` for Parquet with several tables. */
async function printRows(
  response: ScannedResponse,
  options: PrinterOptions & { readonly format: RowOutputFormat },
  context: Context,
): Promise<number> {
  const { length } = response.tables
  if (options.format === 'parquet' && length !== 1) {
    throw new UsageError(
      `A Parquet file has one table, and the result has ${length}. Use another format.`,
    )
  }
  const { RowSink } = await import('./rows.js')
  const { ResponsePage } = await import('./response-page.js')
  const rows = new RowSink(options, context)
  for (const page of ResponsePage.eachOf(response)) await rows.write(page)
  await rows.end()
  return rows.written.rows
}

/** Prints a response unchanged, followed by a line feed if it lacks one. Throws afterwards when it is not a result. */
async function printRaw(target: Target, body: ChunkedBuffer): Promise<PrintSummary> {
  const last = body.chunks.findLast(({ length }) => length > 0)?.at(-1)
  for (const chunk of body.chunks) await target.write(chunk)
  if (last !== undefined && last !== LINE_FEED) await target.write('\n')
  return summaryOf(body)
}

/** Returns the status and the number of rows of a response. Throws a `MalformedResponseError` when it is not a result. */
function summaryOf(body: ChunkedBuffer): PrintSummary {
  try {
    const { result, tables } = readResponse(body)
    return { status: result.status, rows: tables.reduce((sum, { rows }) => sum + rows, 0) }
  } catch (error) {
    // With `--format legacy`, the result has the legacy form.
    if (!(error instanceof MalformedResponseError)) throw error
    const { status, matches } = legacyResult(body, error)
    return { status, rows: matches.length }
  }
}

function legacyResult(body: ChunkedBuffer, otherwise: MalformedResponseError): LegacyResult {
  try {
    return decodeLegacyResult(body.toString())
  } catch {
    throw otherwise
  }
}

async function printTables(
  tables: readonly Table[],
  options: PrinterOptions,
  context: Context,
): Promise<void> {
  const { format, columns, header = true, timezone, pager, target, signal } = options
  const { out } = target
  // There is no response to print unchanged, and JSON is the closest format.
  const chosen = format === 'raw' ? 'json' : format
  if (chosen === 'parquet' || isCopied(chosen)) {
    await printRows(writtenResponse({ tables }), { ...options, format: chosen }, context)
    return
  }
  const { isTerminal, ...look } = lookOf(out, context)
  const { isForReading } = factsOf(chosen)
  if (isForReading && countRows(tables) === 0) return
  const arrivalLast = isTerminal && isForReading && options.arrivalLast === true
  const shown = shownTables(tables, { columns, timezone, arrivalLast })
  const rendered = { ...look, format: chosen, header, note: eachOnce(context.info) }
  const pieces = () => renderPieces(shown, rendered)
  if (!isTerminal || !isForReading || pager === false) return await writeText(out, await pieces())
  const { writePaged } = await import('./pager.js')
  await writePaged({ io: context.io, pieces, signal })
}

export function countRows(tables: readonly Table[]): number {
  return tables.reduce((sum, { columns }) => sum + (columns[0]?.length ?? 0), 0)
}
