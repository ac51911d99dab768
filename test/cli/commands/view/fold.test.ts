import fc from 'fast-check'
import { expect, it } from 'vitest'
import { foldedPage, foldedRows } from '../../../../src/cli/commands/view/fold.js'
import type { RowsPage } from '../../../../src/cli/commands/view/row-source.js'
import { startState } from '../../../../src/cli/commands/view/state.js'
import { wrappedPieces } from '../../../../src/cli/commands/view/wrap.js'
import { PLAIN } from '../../../../src/render/screen/style.js'
import { width } from '../../../../src/text/width.js'
import { UTC } from '../../../../src/wire/time/time-zone.js'
import { RUNS } from '../../../support/runs.js'

function pageOf(messages: readonly string[], index = 0): RowsPage {
  const rows = messages.map((message, at) => ({
    cursor: `${at}`,
    cells: new Map([
      ['_time', `"2026-01-31T10:00:0${at}Z"`],
      ['message', JSON.stringify(message)],
    ]),
  }))
  return { rows, columns: [], hasStart: true, hasEnd: true, index }
}

function foldedOf(rows: RowsPage['rows']): RowsPage['rows'] {
  return foldedPage({ ...pageOf([]), rows }).rows
}

/** Folds rows that are held. */
function heldOf(items: RowsPage['rows']) {
  const { rows } = startState({
    size: { columns: 80, rows: 24 },
    title: '',
    labels: new Map(),
    zone: UTC,
    now: () => 0n,
    query: { source: '', operators: [], isByTime: false },
    reading: undefined,
  })
  return foldedRows({ ...rows, items })
}

it('makes one row of at least three similar events in a row', () => {
  const messages = ['a 1', 'a 2', 'start', 'retry 17', 'retry 4', 'retry 900', 'id 3fa85f64', 'end']
  const { rows, index } = foldedPage(pageOf(messages, 5))
  expect(rows.map(({ cells }) => cells.get('message'))).toEqual(
    ['a 1', 'a 2', 'start', 'retry 17', 'id 3fa85f64', 'end'].map((one) => JSON.stringify(one)),
  )
  expect(rows[3]?.repeats).toEqual({ count: 3, until: '"2026-01-31T10:00:05Z"', cursor: '5' })
  expect(rows.filter(({ repeats }) => repeats !== undefined)).toHaveLength(1)
  expect(index).toBe(3)
})

it('keeps the place of a row behind a burst', () => {
  const { rows, index } = foldedPage(pageOf(['r 1', 'r 2', 'r 3', 'x', 'y'], 4))
  expect(rows).toHaveLength(3)
  expect(index).toBe(2)
})

it('is the same whether rows are read at once or in pages', () => {
  const texts = fc.array(fc.constantFrom('a 1', 'a 2', 'b 1', 'b 22', 'c'), { minLength: 1 })
  fc.assert(
    fc.property(texts, fc.nat(), (messages, seed) => {
      const { rows } = pageOf(messages)
      const cut = seed % (rows.length + 1)
      const { items } = heldOf([...foldedOf(rows.slice(0, cut)), ...foldedOf(rows.slice(cut))])
      expect(items).toEqual(foldedOf(rows))
    }),
    { numRuns: 10 * RUNS },
  )
})

it('does not take a match and an event beside it for one burst', () => {
  const { rows } = pageOf(['r 1', 'r 2', 'r 3', 'r 4', 'r 5', 'r 6'])
  const marked = rows.map((row, at) => (at < 3 ? { ...row, isBeside: true } : row))
  expect(foldedOf(marked).map(({ repeats }) => repeats?.count)).toEqual([3, 3])
})

it('wraps each text without losing any of it', () => {
  const part = fc.oneof(
    fc.string({
      unit: fc.constantFrom('a', ' ', 'é', '漢', '👩‍👩‍👧', 'e\u0301', '-'),
      maxLength: 40,
    }),
    fc.string({ maxLength: 40 }).map((text) => text.replace(/\p{Cc}/gu, '')),
  )
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 5 }),
      fc.integer({ min: 20, max: 60 }),
      (texts, columns) => {
        const pieces = texts.map((text) => ({ text, style: PLAIN }))
        const lines = wrappedPieces(pieces, columns).map((line) =>
          line.map(({ text }) => text).join(''),
        )
        expect(lines.join('')).toBe(texts.join(''))
        for (const line of lines) expect(width(line)).toBeLessThanOrEqual(columns)
      },
    ),
    { numRuns: 10 * RUNS },
  )
})
