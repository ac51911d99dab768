import { type Format, factsOf } from '../../render/format.js'
import { render, renderPieces } from '../../render/render.js'
import { type ScannedResponse, scanResponse } from '../../render/transpose/scan-response.js'
import { writeBytes } from '../../render/write.js'
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
import type { Output } from '../io.js'
import { eachOnce } from '../terminal/messages.js'
import { checkColumns, columnNames, shownTable } from './columns.js'
import { openOutputFile } from './file.js'
import { formatOf, type OutputFormat, type PrintFlags } from './flags.js'
import { lookOf } from './look.js'

/** Prints results in the format and to the place that the flags select. */
export interface Printer {
  /**
   * Prints the response to a query; returns its status and number of rows. After `signal` is aborted, no pager
   * starts.
   */
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
  const requested = formatOf(flags)
  if (flags.out === undefined || flags.out === '-') {
    const { stdout } = context.io
    const format = requested ?? (stdout.isTTY ? 'table' : 'ndjson')
    return { ...printer(stdout, { ...flags, format }, context), close: async () => {} }
  }
  const file = await openOutputFile(flags.out)
  const { printResponse, printTables } = printer(
    file.stream,
    { ...flags, format: requested! },
    context,
  )
  return {
    async printResponse(body) {
      const printed = await printResponse(body)
      await file.finish()
      return printed
    },
    async printTables(tables) {
      await printTables(tables)
      await file.finish()
    },
    close: file.discard,
  }
}

function printer(
  out: Output,
  flags: PrintFlags & { readonly format: OutputFormat },
  context: Context,
): Omit<Printer, 'close'> {
  const { format } = flags
  return {
    async printResponse(body, signal) {
      if (format === 'raw') return await printRaw(out, body)
      if (format === 'parquet') {
        const { status, tables } = decodeTabularResult(body.toString())
        await printParquet(out, tables, { ...flags, signal })
        return { status, rows: countRows(tables) }
      }
      // A time zone needs times converted.
      const { lines, isArray = false } = factsOf(format)
      if (lines !== undefined && flags.timezone === undefined) {
        const response = scanResponse(body)
        if (response !== undefined) {
          const { writeDirectly } = await import('./direct.js')
          await writeDirectly(out, response, { ...flags, lines: await lines(), isArray })
          return { status: response.result.status, rows: scannedRows(response) }
        }
      }
      const { status, tables } = decodeTabularResult(body.toString())
      await printTables(out, tables, { ...flags, format, signal }, context)
      return { status, rows: countRows(tables) }
    },
    async printTables(tables, signal) {
      if (format === 'parquet') return await printParquet(out, tables, { ...flags, signal })
      // Without a response, JSON is the closest to `raw`.
      await printTables(
        out,
        tables,
        { ...flags, format: format === 'raw' ? 'json' : format, signal },
        context,
      )
    },
  }
}

/** Prints a response unchanged, followed by a line feed if it lacks one. Throws afterwards when it is not a result. */
async function printRaw(out: Output, body: ChunkedBuffer): Promise<PrintSummary> {
  const last = body.chunks.findLast(({ length }) => length > 0)?.at(-1)
  const end = last === undefined || last === LINE_FEED ? '' : '\n'
  await writeBytes(out, [...body.chunks, Buffer.from(end)])
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
    // `--format legacy` asks for the older form.
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

/** Prints a table as a Parquet file. Throws a `UsageError` on a terminal, and for several tables. */
async function printParquet(
  out: Output,
  tables: readonly Table[],
  { columns, signal }: PrintFlags & { readonly signal?: AbortSignal | undefined },
): Promise<void> {
  if (out.isTTY) {
    throw new UsageError('Parquet is not text: write it to a file with `-O rows.parquet`.')
  }
  if (columns !== undefined) checkColumns(tables, columnNames(columns))
  const [table] = tables
  if (table === undefined || tables.length > 1) {
    throw new UsageError(
      `A Parquet file has one table, and the result has ${tables.length}. Use another format.`,
    )
  }
  const { parquetOf } = await import('../../local/parquet.js')
  await writeBytes(out, [await parquetOf(shownTable(table, { columns }), signal)])
}

interface TableFlags extends PrintFlags {
  readonly format: Format
  readonly signal?: AbortSignal | undefined
}

async function printTables(
  out: Output,
  tables: readonly Table[],
  flags: TableFlags,
  context: Context,
): Promise<void> {
  const { format, columns, header = true, timezone, pager, signal } = flags
  const { isTerminal, ...look } = lookOf(out, context)
  const { isForReading } = factsOf(format)
  if (isForReading && countRows(tables) === 0) return
  const arrivalLast = isTerminal && isForReading && flags.arrivalLast === true
  if (columns !== undefined) checkColumns(tables, columnNames(columns))
  const shown = tables.map((table) => shownTable(table, { columns, timezone, arrivalLast }))
  const options = { ...look, format, header, note: eachOnce(context.info) }
  const isPaged = isTerminal && isForReading && pager !== false
  if (!isPaged) return await render(shown, options, out)
  const { writePaged } = await import('./pager.js')
  await writePaged({ io: context.io, pieces: () => renderPieces(shown, options), signal })
}

/** Returns the number of rows of a result. */
export function countRows(tables: readonly Table[]): number {
  return tables.reduce((sum, { columns }) => sum + (columns[0]?.length ?? 0), 0)
}
