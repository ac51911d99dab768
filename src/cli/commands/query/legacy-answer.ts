import type { ChunkedBuffer } from '../../../wire/bytes/chunked-buffer.js'
import { decodeLegacyResult, type LegacyResult } from '../../../wire/http/decode-legacy.js'
import { matchesTable, seriesTable, totalsTable } from '../../../wire/http/legacy-table.js'
import type { Table } from '../../../wire/http/query.js'
import { formatOf, type PrintFlags } from '../../output/flags.js'
import { countRows, type Printer, type PrintSummary } from '../../output/printer.js'

/** Prints a legacy answer as the rows that it holds. */
export async function printLegacy(
  body: ChunkedBuffer,
  options: {
    readonly printer: Printer
    readonly flags: PrintFlags
    /** Whether groups are wanted for each step of time where both are there. */
    readonly isStepwise: boolean
    readonly signal: AbortSignal
  },
): Promise<PrintSummary> {
  const { printer, flags, signal } = options
  const isRaw = formatOf(flags) === 'raw'
  if (isRaw) await printer.printResponse(body)
  const result = decodeLegacyResult(body.toString())
  const table = tableOf(result, options)
  if (!isRaw) await printer.printTables([table], signal)
  return { status: result.status, rows: countRows([table]) }
}

function tableOf(result: LegacyResult, { isStepwise }: { readonly isStepwise: boolean }): Table {
  const { series, totals } = result
  if (totals.length === 0 && series.length === 0) return matchesTable(result)
  return isStepwise && series.length > 0 ? seriesTable(result) : totalsTable(result)
}
