import type { RowRange } from '../../../client/pages/page.js'
import { factsOf, type RowFormat } from '../../../render/format.js'
import { inTimeZone } from '../../../render/in-time-zone.js'
import { renderPieces } from '../../../render/render.js'
import { arrayElements, arrayEnd } from '../../../render/transpose/line-encoding.js'
import { headingBytes, rowBytes } from '../../../render/transpose/rows.js'
import type { Table } from '../../../wire/http/tabular-result.js'
import type { Context } from '../../context.js'
import type { Output } from '../../io.js'
import { checkColumns, columnNames } from '../../output/columns.js'
import type { PrintFlags } from '../../output/flags.js'
import { colorOf } from '../../terminal/color.js'
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

export interface RowsWriterOptions extends Pick<PrintFlags, 'columns' | 'header' | 'timezone'> {
  readonly format: RowFormat
  /** Columns that are not written, because only paging needs them. */
  readonly hidden?: readonly string[]
  readonly written?: WrittenRows
  /** The output stream. */
  readonly out: Pick<Output, 'isTTY' | 'columns'>
}

/** Renders the rows of all pages as one text. */
export class RowsWriter {
  private readonly options: RowsWriterOptions
  private readonly context: Context
  private readonly wanted: readonly string[] | undefined
  private fixed: readonly string[] | undefined
  private rows: number
  /** True when the terminal is too narrow for tables. */
  private isNarrow = false
  private hasCheckedColumns: boolean
  private readonly lostNames: Set<string>

  constructor(options: RowsWriterOptions, context: Context) {
    this.options = options
    this.context = context
    this.wanted = options.columns === undefined ? undefined : columnNames(options.columns)
    this.fixed = options.written?.columns
    this.rows = options.written?.rows ?? 0
    this.hasCheckedColumns = this.rows > 0
    this.lostNames = new Set(options.written?.lost)
  }

  private get facts() {
    return factsOf(this.options.format)
  }

  /** The state that another run needs to resume. */
  get written(): WrittenRows {
    const { rows, fixed: columns, lost } = this
    return { rows, columns, ...(lost.length > 0 && { lost }) }
  }

  /** Columns that appeared after the first line was written and are missing from the file. */
  get lost(): readonly string[] {
    return [...this.lostNames]
  }

  /** Yields the rows as text; `copy` copies pieces that are overwritten when the next one is requested. */
  async *pieces(
    page: ResponsePage,
    ranges: readonly RowRange[],
    copy?: Target['copy'],
  ): AsyncIterable<Uint8Array | string> {
    if (!this.hasCheckedColumns && page.names.length > 0) {
      if (this.wanted !== undefined) checkColumns(page.response.result.tables, this.wanted)
      this.hasCheckedColumns = true
    }
    const rows = ranges.reduce((sum, { from, to }) => sum + to - from, 0)
    const aligned = this.aligned(page, rows)
    if (this.isFast) yield* this.fast(aligned, ranges, copy)
    else if (rows > 0) yield* this.slow(aligned, ranges)
    this.rows += rows
  }

  /** Returns the text after the last row. */
  end(): string {
    return this.facts.isArray ? arrayEnd(this.rows === 0) : ''
  }

  /** True when rows can be copied from the response: not with a time zone, which needs times converted. */
  private get isFast(): boolean {
    const { timezone } = this.options
    return this.facts.lines !== undefined && timezone === undefined
  }

  /** Returns the page with the columns of the first line, for formats with a header. */
  private aligned(page: ResponsePage, rows: number): ResponsePage {
    if (!this.facts.hasHeading) return page
    const fixed = this.fixed
    if (fixed === undefined || rows === 0) return page
    const names = this.shown(page)
    const isSame = names.length === fixed.length && names.every((name, i) => name === fixed[i])
    const { wanted } = this
    if (isSame || wanted?.every((name) => page.names.includes(name))) return page
    if (wanted === undefined) {
      for (const name of names) if (!fixed.includes(name)) this.lostNames.add(name)
    }
    return page.withColumns(fixed)
  }

  /** Returns the columns to write. */
  private shown(page: ResponsePage): readonly string[] {
    if (this.wanted !== undefined) return this.wanted
    const { hidden = [] } = this.options
    return hidden.length === 0 ? page.names : page.names.filter((name) => !hidden.includes(name))
  }

  private async *fast(
    page: ResponsePage,
    ranges: readonly RowRange[],
    copy: Target['copy'] | undefined,
  ): AsyncIterable<Uint8Array> {
    const lines = await this.facts.lines?.()
    if (lines === undefined || page.names.length === 0) return
    const shown = this.shown(page)
    const columns = (shown === page.names ? undefined : shown)
      ?.map((name) => page.names.indexOf(name))
      .filter((position) => position !== -1)
    const selection = { table: 0, columns }
    if (this.fixed === undefined) {
      this.fixed = this.shown(page)
      if (this.options.header !== false) {
        const heading = await headingBytes(lines, page.response, selection)
        if (heading.length > 0) yield heading
      }
    }
    let isFirst = this.rows === 0
    for (const range of ranges) {
      for (const piece of rowBytes(lines, page.response, { ...selection, ...range }, copy)) {
        yield this.facts.isArray ? arrayElements(piece, isFirst) : piece
        isFirst = false
      }
    }
  }

  private async *slow(
    page: ResponsePage,
    ranges: readonly RowRange[],
  ): AsyncIterable<string | Uint8Array> {
    const { format, out, timezone, header = true } = this.options
    const { isArray, hasHeading } = this.facts
    const { io, flags } = this.context
    const shown = this.shown(page)
    const whole = (shown === page.names ? page : page.withColumns(shown)).table()
    if (whole === undefined) return
    const rows = pick(whole, ranges)
    const table = timezone === undefined ? rows : inTimeZone(rows, timezone)
    const isTerminal = out.isTTY === true
    const isFirst = this.rows === 0
    this.fixed ??= shown
    const pieces = await renderPieces([table], {
      format: this.isNarrow ? 'record' : isArray ? 'ndjson' : format,
      header: header && (isFirst || !hasHeading),
      color: colorOf(out as Output, flags(), io.env),
      width: (isTerminal && out.columns) || undefined,
      ascii: isTerminal && io.env.TERM === 'dumb',
      before: this.rows,
      note: (text) => this.turnToRecords(text),
    })
    if (!isArray) yield* pieces
    else yield arrayElements(Buffer.from([...pieces].join('')), isFirst)
  }

  /** Renders this and later tables as records, because the terminal is too narrow. */
  private turnToRecords(reason: string): void {
    this.isNarrow = true
    this.context.info(reason)
  }
}

function pick(table: Table, ranges: readonly RowRange[]): Table {
  const columns = table.columns.map((cells) =>
    ranges.flatMap(({ from, to }) => cells.slice(from, to)),
  )
  return { ...table, columns }
}
