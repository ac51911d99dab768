import { classifyLineInSteps } from '../../wire/event/classify-line.js'
import type { RejectedLine } from '../../wire/event/event-lines.js'
import type { EventOptions } from '../../wire/event/event-options.js'
import { pathKey } from '../../wire/json/field-path.js'
import type { Leaf } from '../../wire/json/json-line.js'
import { runInTurns, Turn } from '../../wire/steps/steps.js'
import type { Dataset } from '../catalog/dataset.js'
import { fieldLeaves } from '../catalog/field-limit.js'
import type { FieldStatistics } from '../catalog/field-statistics.js'
import { lineText } from '../line-reader.js'
import { fileColumns, isHeld, unexpectedLeaves } from './event-fields.js'
import type { HostLine } from './scan/event-scanner.js'
import { type EventRow, nativeBlock } from './scan/native-block.js'

/** The options for reading the lines of a batch. */
export interface LineTerms {
  readonly terms: EventOptions
  /** The time of events without one, in nanoseconds since 1970. */
  readonly arrivedAt: bigint
  /** The number of the first line in the file of columns. */
  readonly firstRow: number
}

interface ExactEventsOptions extends LineTerms {
  readonly dataset: Dataset
  /** Receives the values that the dataset does not expect. */
  readonly unexpected: FieldStatistics
}

/** Reads the lines that the scanner leaves to other code: they may be invalid, or have a rare form. */
export class ExactEvents {
  readonly rejected: RejectedLine[] = []
  /** The number of lines of white space. */
  blank = 0
  stored = 0
  private readonly options: ExactEventsOptions
  private readonly columns: ReturnType<typeof fileColumns>
  private readonly turn = new Turn()

  constructor(options: ExactEventsOptions) {
    this.options = options
    this.columns = fileColumns(options.dataset)
  }

  /** Returns the events of the lines as a block of columns; undefined when there are none. */
  async read(lines: readonly HostLine[]): Promise<Buffer | undefined> {
    const rows: EventRow[] = []
    for (const line of lines) {
      if (this.turn.isOver) await this.turn.next()
      const row = await this.event(line)
      if (row !== undefined) rows.push(row)
    }
    this.stored += rows.length
    if (rows.length === 0) return undefined
    return nativeBlock(this.columns.scanned, rows)
  }

  private async event(line: HostLine): Promise<EventRow | undefined> {
    const { dataset, terms, arrivedAt, unexpected } = this.options
    const text = lineText(line.bytes, { isFirst: line.row === 0 })
    const event = await runInTurns(classifyLineInSteps(text, terms), this.turn)
    if (event.kind === 'blank') {
      this.blank++
      return undefined
    }
    if (event.kind === 'rejected') return this.reject(line, event.reason)
    const { leaves, time = arrivedAt } = event
    const unstorable = fieldLeaves(dataset, leaves.filter(hasNul)).find(hasNul)
    if (unstorable !== undefined) return this.reject(line, nulReason(unstorable))
    unexpected.add(unexpectedLeaves(dataset, leaves, terms))
    const { values, areAll } = this.heldValues(leaves)
    const remainder = areAll ? '' : (text ?? '').trim()
    return { time, row: line.row, line: remainder, values }
  }

  private reject({ row, index }: HostLine, reason: string): undefined {
    const line = row - this.options.firstRow + 1
    this.rejected.push({ index: index - this.blank, line, reason })
  }

  /** Returns the values of the columns; `areAll` is true when no other value remains, except nulls. */
  private heldValues(
    leaves: readonly Leaf[],
  ): Pick<EventRow, 'values'> & { readonly areAll: boolean } {
    const { byPath } = this.columns
    const found = new Map<string, Leaf>()
    let areAll = true
    for (const leaf of leaves) {
      const key = pathKey(leaf.path)
      const typed = byPath.get(key)
      areAll &&= leaf.form === 'null' || (typed !== undefined && isHeld(typed, leaf))
      // The first of repeated keys counts.
      if (!found.has(key)) found.set(key, leaf)
    }
    const values = Array.from(byPath, ([key, typed]) => {
      const leaf = found.get(key)
      return leaf !== undefined && isHeld(typed, leaf) ? leaf.text : undefined
    })
    return { values, areAll }
  }
}

function hasNul({ path }: Leaf): boolean {
  return path.some((key) => key.endsWith('\0'))
}

function nulReason({ path }: Leaf): string {
  const name = path.find((key) => key.endsWith('\0')) ?? ''
  const written = JSON.stringify(name).slice(1, -1).slice(-40)
  return `the field name \`${written}\` ends with U+0000, which can't be stored; \`sed 's/\\\\u0000//g'\` removes it`
}
