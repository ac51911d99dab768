import { factsOf, isRowFormat, renderPieces } from '../../render/format.js'
import { type ScannedResponse, scanResponse } from '../../render/transpose/scan-response.js'
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
import { formatOf, type OutputFormat, type PrintFlags } from './flags.js'
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
  const { format, timezone } = options
  // With a time zone, times must be converted.
  const isParquet = format === 'parquet'
  const isCopied =
    isParquet || (isRowFormat(format) && factsOf(format).lines && timezone === undefined)
  const response = isCopied ? scanResponse(body) : undefined
  if (!isCopied || response === undefined) {
    const { status, tables } = decodeTabularResult(body.toString())
    await printTables(tables, options, context)
    return { status, rows: countRows(tables) }
  }
  if (isParquet) requireOneTable(response.tables)
  const { RowSink } = await import('./rows.js')
  const { ResponsePage } = await import('./response-page.js')
  const rows = new RowSink({ ...options, format }, context)
  for (const page of ResponsePage.eachOf(response)) await rows.write(page)
  await rows.end()
  return { status: response.result.status, rows: rows.written.rows }
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
    const scanned = scanResponse(body)
    if (scanned !== undefined) return { status: scanned.result.status, rows: scannedRows(scanned) }
    const { status, tables } = decodeTabularResult(body.toString())
    return { status, rows: countRows(tables) }
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

function scannedRows({ tables }: ScannedResponse): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0)
}

async function printTables(
  tables: readonly Table[],
  options: PrinterOptions,
  context: Context,
): Promise<void> {
  const { format, columns, header = true, timezone, pager, target, signal } = options
  const { out } = target
  if (format === 'parquet') return await printParquet(tables, options)
  // There is no response to print unchanged, and JSON is the closest format.
  const chosen = format === 'raw' ? 'json' : format
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

/** Writes a table to a Parquet file. Throws a `UsageError` for several tables. */
async function printParquet(
  tables: readonly Table[],
  { columns, target }: PrinterOptions,
): Promise<void> {
  requireOneTable(tables)
  for (const table of shownTables(tables, { columns })) {
    const { fields } = table
    const rows = countRows([table])
    const linesOf = (names: readonly string[]) => {
      const columns = names.map((name) => fields.findIndex((field) => field.name === name))
      const lines = Array.from({ length: rows }, (_, row) => {
        const cells = columns.map((column) => `\0${table.columns[column]?.[row]}`)
        return `${cells.join('')}}\n`
      })
      return [Buffer.from(lines.join(''))]
    }
    await target.addRows?.({ rows, fields, linesOf })
  }
}

function requireOneTable(tables: readonly unknown[]): void {
  if (tables.length === 1) return
  throw new UsageError(
    `A Parquet file has one table, and the result has ${tables.length}. Use another format.`,
  )
}

export function countRows(tables: readonly Table[]): number {
  return tables.reduce((sum, { columns }) => sum + (columns[0]?.length ?? 0), 0)
}
