// Determines the rows that are on the screen, and the lines that each of them takes.

import { memoized } from '../../../text/memoized.js'
import { eventLine, hasLevel, type Piece } from './event-line.js'
import { gapBefore } from './gaps.js'
import type { ViewRow } from './row.js'
import { linesOf, type State } from './state.js'
import { wrappedPieces } from './wrap.js'

/** The column after the mark of the selected row. */
export const GUTTER = 1

interface ScreenLine {
  /** The index among the rows that are held. */
  readonly index: number
  readonly row: ViewRow
  /** Its first line, from 0. */
  readonly line: number
  readonly height: number
}

/** Returns the rows on the screen. The selected row is always among them. */
export function screenLines(state: State): readonly ScreenLine[] {
  const { items, selected, top } = state.rows
  const lines = linesOf(state)
  let from = top
  if (state.isWrapped) {
    let above = heightOf(state, selected)
    for (from = selected; from > top; from--) {
      above += heightOf(state, from - 1)
      if (above > lines) break
    }
  }
  const shown: ScreenLine[] = []
  for (let index = from, line = 0; index < items.length && line < lines; index++) {
    const height = Math.min(heightOf(state, index), lines - line)
    shown.push({ index, row: items[index]!, line, height })
    line += height
  }
  return shown
}

/** Returns the number of rows that fit into `lines`, from the first row on the screen on, or in front of it when moving up. */
export function rowsThatFit(state: State, lines: number, direction: 1 | -1): number {
  const { items } = state.rows
  const from = screenLines(state)[0]?.index ?? 0
  let used = 0
  let count = 0
  for (let at = direction === 1 ? from : from - 1; at >= 0 && at < items.length; at += direction) {
    used += heightOf(state, at)
    if (used > lines) break
    count += 1
  }
  return Math.max(1, count, used <= lines ? lines : 0)
}

export function rowPieces({ rows, size, zone, labels }: State, index: number): readonly Piece[] {
  const hasLevels = levelsIn(rows.items)
  const gap = gapBefore(rows, index)
  const pieces = eventLine(rows.items[index]!, {
    width: size.columns,
    zone,
    labels,
    hasLevels,
    gap,
  })
  // The space after the last piece would take a line of its own if the rest of the line just fits.
  return pieces.map((piece, at) =>
    at === pieces.length - 1 ? { ...piece, text: piece.text.trimEnd() } : piece,
  )
}

const levelsIn = memoized((items: readonly ViewRow[]) => items.some(hasLevel))

function heightOf(state: State, index: number): number {
  if (!state.isWrapped || state.rows.items[index] === undefined) return 1
  return wrappedPieces(rowPieces(state, index), state.size.columns - GUTTER).length
}
