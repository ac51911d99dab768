import { type RowRange, rowsIn } from '../../client/pages/page.js'
import {
  type CopiedFormat,
  FORMATS,
  factsOf,
  isCopied,
  type RenderedFormat,
  type RowFormat,
  renderPieces,
} from '../../render/format.js'
import { arrayElements, arrayEnd } from '../../render/transpose/line-encoding.js'
import { headingBytes, rowBytes } from '../../render/transpose/rows.js'
import { textChunks } from '../../render/write.js'
import type { Table } from '../../wire/http/tabular-result.js'
import type { Context } from '../context.js'
import { checkColumns, type ShownFlags, shownTable } from './columns.js'
import type { PrintFlags, RowOutputFormat } from './flags.js'
import { type Look, lookOf } from './look.js'
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
  readonly format: RowOutputFormat
}

interface RowOptions extends RowFlags {
  /** The state at the end of an earlier run. */
  readonly written?: WrittenRows | undefined
  readonly target: Pick<Target, 'write' | 'copy' | 'out' | 'addRows'>
}

/**
 * The output of rows as one text. The rows arrive page by page, or are the tables of a result. Columns, time zone and width stay the
 * same until its end.
 */
export class RowSink {
  private readonly options: RowOptions & { readonly format: RowFormat }
  private readonly context: Context
  private readonly facts: ReturnType<typeof factsOf>
  private readonly look: Omit<Look, 'isTerminal'>
  private readonly missing: Set<string>
  /** The columns of the first line. */
  private fixed: readonly string[] | undefined
  private rows: number
  private isChecked: boolean
  private index = 0
  /** The heading of the table before. */
  private above: Buffer = Buffer.alloc(0)
  /** True when the terminal is too narrow for tables. */
  private isNarrow = false

  constructor(options: RowOptions, context: Context) {
    const { written, target } = options
    const { isTerminal: _, ...look } = lookOf(target.out, context)
    // A target for Parquet takes rows instead of text.
    const format = options.format === 'parquet' ? 'ndjson' : options.format
    this.options = { ...options, format }
    this.context = context
    this.facts = factsOf(format)
    this.look = look
    this.missing = new Set(written?.lost)
    this.fixed = written?.columns
    this.rows = written?.rows ?? 0
    this.isChecked = this.rows > 0
  }

  /** The state that another run needs to resume. */
  get written(): WrittenRows {
    const { rows, fixed, lost } = this
    return { rows, columns: fixed, lost: lost.length > 0 ? lost : undefined }
  }

  /** Columns that appeared after the first line was written and are missing from the output. */
  get lost(): readonly string[] {
    return [...this.missing]
  }

  /** Writes rows of a page, by default all rows. All pages of a table have the columns of the first page. */
  async write(
    page: ResponsePage,
    ranges: readonly RowRange[] = [{ from: 0, to: page.rows }],
  ): Promise<void> {
    const { format, columns, target, timezone } = this.options
    if (!this.isChecked && page.names.length > 0) {
      if (columns !== undefined) checkColumns(page.response.result.tables, columns)
      this.isChecked = true
    }
    // Each table has its own columns.
    if (page.index !== this.index) this.fixed = undefined
    this.index = page.index
    const count = rowsIn(ranges)
    if (target.addRows !== undefined) {
      await target.addRows(page.columnsOf(this.shown(page), ranges))
      this.rows += count
      return
    }
    // The heading of formats with lines is written even without rows.
    if (isCopied(format) || count > 0) {
      const shown = count > 0 ? this.aligned(page) : page
      const text = isCopied(format)
        ? this.copied(timezone ? shown.inTimeZone(timezone) : shown, ranges, format)
        : this.rendered(shown, ranges, format)
      for await (const piece of text) if (piece.length > 0) await target.write(piece)
    }
    this.rows += count
  }

  /** Writes the text after the last row. */
  async end(): Promise<void> {
    await this.options.target.write(this.facts.isArray ? arrayEnd(this.rows === 0) : '')
  }

  private shown({ names }: ResponsePage): readonly string[] {
    const { columns, hidden = [] } = this.options
    if (columns !== undefined) return columns
    return hidden.length === 0 ? names : names.filter((name) => !hidden.includes(name))
  }

  /** Returns the page with the columns of the first line, for formats with a header. */
  private aligned(page: ResponsePage): ResponsePage {
    const { fixed } = this
    const { columns: wanted } = this.options
    if (!this.facts.hasHeading || fixed === undefined) return page
    const names = this.shown(page)
    if (names.length === fixed.length && names.every((name, i) => name === fixed[i])) return page
    if (wanted?.every((name) => page.names.includes(name))) return page
    const more = wanted === undefined ? names.filter((name) => !fixed.includes(name)) : []
    for (const name of more) this.missing.add(name)
    return page.withColumns(fixed)
  }

  private async *copied(page: ResponsePage, ranges: readonly RowRange[], format: CopiedFormat) {
    const { header = true, target } = this.options
    if (page.names.length === 0) return
    const lines = await FORMATS[format].lines()
    const names = this.shown(page)
    const positions =
      names === page.names ? undefined : names.map((name) => page.names.indexOf(name))
    const chosen = positions?.filter((position) => position !== -1)
    const selection = { table: page.index, columns: chosen }
    if (this.fixed === undefined) {
      this.fixed = names
      const heading = await headingBytes(lines, page.response, selection)
      if (header && !heading.equals(this.above)) yield heading
      this.above = heading
    }
    let isFirst = this.rows === 0
    for (const range of ranges) {
      for (const piece of rowBytes(lines, page.response, { ...selection, ...range }, target.copy)) {
        yield this.facts.isArray ? arrayElements(piece, isFirst) : piece
        isFirst = false
      }
    }
  }

  private async *rendered(page: ResponsePage, ranges: readonly RowRange[], format: RenderedFormat) {
    const { header = true, timezone } = this.options
    const names = this.shown(page)
    const whole = (names === page.names ? page : page.withColumns(names)).table()
    if (whole === undefined) return
    this.fixed ??= names
    const pieces = await renderPieces([shownTable(pick(whole, ranges), { timezone })], {
      ...this.look,
      format: this.isNarrow ? 'record' : format,
      header: header && (this.rows === 0 || !this.facts.hasHeading),
      before: this.rows,
      note: (reason) => {
        this.isNarrow = true
        this.context.info(reason)
      },
    })
    yield* textChunks(pieces)
  }
}

function pick(table: Table, ranges: readonly RowRange[]): Table {
  const columns = table.columns.map((cells) =>
    ranges.flatMap(({ from, to }) => cells.slice(from, to)),
  )
  return { ...table, columns }
}
