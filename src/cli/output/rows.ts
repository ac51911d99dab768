import type { RowRange } from '../../client/pages/page.js'
import { factsOf, type RowFormat, renderPieces } from '../../render/format.js'
import { arrayElements, arrayEnd } from '../../render/transpose/line-encoding.js'
import { headingBytes, rowBytes } from '../../render/transpose/rows.js'
import type { Table } from '../../wire/http/tabular-result.js'
import type { Context } from '../context.js'
import { checkColumns, columnNames, type ShownFlags, shownTable } from './columns.js'
import type { PrintFlags } from './flags.js'
import { lookOf } from './look.js'
import type { ResponsePage } from './response-page.js'
import type { Target } from './target.js'

/** The state of the output that later rows depend on. */
export interface WrittenRows {
  readonly rows: number
  /** The columns of the CSV or TSV lines. */
  readonly columns?: readonly string[] | undefined
  /** Columns that appeared after the first line was written. */
  readonly lost?: readonly string[]
}

export interface RowFlags extends Omit<ShownFlags, 'arrivalLast'>, Pick<PrintFlags, 'header'> {
  readonly format: RowFormat
}

interface RowOptions extends RowFlags {
  /** The state at the end of an earlier run. */
  readonly written?: WrittenRows | undefined
  readonly target: Pick<Target, 'write' | 'copy' | 'out'>
}

/** The output of rows as one text. The rows arrive page by page, or are the tables of a result. */
export interface RowSink {
  /** Writes rows of a page, by default all rows. All pages of a table have the columns of the first page. */
  write(page: ResponsePage, ranges?: readonly RowRange[]): Promise<void>
  /** Writes the text after the last row. */
  end(): Promise<void>
  /** The state that another run needs to resume. */
  readonly written: WrittenRows
  /** Columns that appeared after the first line was written and are missing from the output. */
  readonly lost: readonly string[]
}

/** Opens an output of rows. Columns, time zone and width stay the same until its end. */
export function openRows(options: RowOptions, context: Context): RowSink {
  const { format, columns, hidden = [], header = true, timezone, target, written } = options
  const { lines: loadLines, isArray = false, hasHeading } = factsOf(format)
  const wanted = columns === undefined ? undefined : columnNames(columns)
  const { isTerminal: _, ...look } = lookOf(target.out, context)
  const lost = new Set(written?.lost)
  let fixed = written?.columns
  let rows = written?.rows ?? 0
  let isChecked = rows > 0
  let index = 0
  let above: Buffer = Buffer.alloc(0)
  /** True when the terminal is too narrow for tables. */
  let isNarrow = false

  function shown({ names }: ResponsePage): readonly string[] {
    return wanted ?? (hidden.length === 0 ? names : names.filter((name) => !hidden.includes(name)))
  }

  /** Returns the page with the columns of the first line, for formats with a header. */
  function aligned(page: ResponsePage): ResponsePage {
    if (!hasHeading || fixed === undefined) return page
    const names = shown(page)
    if (names.length === fixed.length && names.every((name, i) => name === fixed![i])) return page
    if (wanted?.every((name) => page.names.includes(name))) return page
    if (wanted === undefined) for (const name of names) if (!fixed.includes(name)) lost.add(name)
    return page.withColumns(fixed)
  }

  /** Yields rows copied from the response. Not used with a time zone, because times must then be converted. */
  async function* copied(page: ResponsePage, ranges: readonly RowRange[]) {
    const lines = await loadLines?.()
    if (lines === undefined || page.names.length === 0) return
    const names = shown(page)
    const positions =
      names === page.names ? undefined : names.map((name) => page.names.indexOf(name))
    const chosen = positions?.filter((position) => position !== -1)
    const selection = { table: page.index, columns: chosen }
    if (fixed === undefined) {
      fixed = names
      const heading = await headingBytes(lines, page.response, selection)
      if (header && !heading.equals(above)) yield heading
      above = heading
    }
    let isFirst = rows === 0
    for (const range of ranges) {
      for (const piece of rowBytes(lines, page.response, { ...selection, ...range }, target.copy)) {
        yield isArray ? arrayElements(piece, isFirst) : piece
        isFirst = false
      }
    }
  }

  async function* rendered(page: ResponsePage, ranges: readonly RowRange[]) {
    const names = shown(page)
    const whole = (names === page.names ? page : page.withColumns(names)).table()
    if (whole === undefined) return
    const isFirst = rows === 0
    fixed ??= names
    const pieces = await renderPieces([shownTable(pick(whole, ranges), { timezone })], {
      ...look,
      format: isNarrow ? 'record' : isArray ? 'ndjson' : format,
      header: header && (isFirst || !hasHeading),
      before: rows,
      note(reason) {
        isNarrow = true
        context.info(reason)
      },
    })
    if (!isArray) yield* pieces
    else yield arrayElements(Buffer.from([...pieces].join('')), isFirst)
  }

  return {
    async write(page, ranges = [{ from: 0, to: page.rows }]) {
      if (!isChecked && page.names.length > 0) {
        if (wanted !== undefined) checkColumns(page.response.result.tables, wanted)
        isChecked = true
      }
      // Each table has its own columns.
      if (page.index !== index) fixed = undefined
      index = page.index
      const count = ranges.reduce((sum, { from, to }) => sum + to - from, 0)
      const isCopied = loadLines !== undefined && timezone === undefined
      const pieces = isCopied ? copied : rendered
      // When values are copied, the heading is written even without rows.
      if (isCopied || count > 0) {
        const text = pieces(count > 0 ? aligned(page) : page, ranges)
        for await (const piece of text) if (piece.length > 0) await target.write(piece)
      }
      rows += count
    },
    end: async () => await target.write(isArray ? arrayEnd(rows === 0) : ''),
    get written() {
      return { rows, columns: fixed, lost: lost.size > 0 ? [...lost] : undefined }
    },
    get lost() {
      return [...lost]
    },
  }
}

function pick(table: Table, ranges: readonly RowRange[]): Table {
  const columns = table.columns.map((cells) =>
    ranges.flatMap(({ from, to }) => cells.slice(from, to)),
  )
  return { ...table, columns }
}
