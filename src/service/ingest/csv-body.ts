import type { Lines } from '../../engine/line-reader.js'
import { StoreError } from '../../engine/store-error.js'
import { CsvLines, type CsvOptions } from '../../wire/csv/csv.js'
import { CsvError } from '../../wire/csv/csv-row.js'
import { type EventLines, ndjsonLines, rowFailures } from '../../wire/event/event-lines.js'
import { GROWN_BYTES, MAX_GROWTH, MAX_LINES } from '../../wire/limits.js'
import { Turn } from '../../wire/steps/steps.js'
import { RefusedError } from '../refused-error.js'
import { tooManyParts, tooMuchGrowth } from './pieces-in-turns.js'

/** Lines of a body, or bytes that `convert` turns into lines when they are read. */
export interface BodyLines extends EventLines {
  readonly convert?: Lines['convert']
}

/**
 * Rows of CSV, on the lines where they begin. They are converted to objects, whose text is several times as long, only when the
 * objects are read. Throws `CsvError` for invalid names of fields.
 */
export function csvRows(options: CsvOptions): BodyLines {
  let csv = new CsvLines(options)
  let isWhole = false
  return {
    ...ndjsonLines(),
    end() {
      isWhole = true
      return ndjsonLines().end()
    },
    convert(rows) {
      csv = new CsvLines(options)
      return linesOf(rows, { csv, isWhole })
    },
    failed: (rejectedLines) => rejectedLines + csv.failures.length,
    failures: (rejected, limit) => rowFailures(csv.failures, rejected, limit),
  }
}

/** Yields the lines of rows; the last row may be incomplete unless the body is whole. Throws `StoreError`. */
async function* linesOf(
  rows: AsyncIterable<Buffer>,
  { csv, isWhole }: { readonly csv: CsvLines; readonly isWhole: boolean },
): AsyncGenerator<Buffer, void> {
  const turn = new Turn()
  let bodyBytes = 0
  let lineBytes = 0
  try {
    for await (const bytes of rows) {
      bodyBytes += bytes.length
      for (const lines of csv.push(bytes)) {
        lineBytes += lines.length
        if (lineBytes > Math.max(GROWN_BYTES, MAX_GROWTH * bodyBytes)) throw tooMuchGrowth()
        if (csv.failures.length > MAX_LINES) throw tooManyParts()
        yield lines
        if (turn.isOver) await turn.next()
      }
    }
    if (isWhole) yield* csv.end()
  } catch (error) {
    if (error instanceof CsvError) throw new StoreError('invalid-lines', error.message)
    if (error instanceof RefusedError) throw new StoreError('too-many-lines', error.message)
    throw error
  }
}
