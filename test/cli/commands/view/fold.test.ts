import fc from 'fast-check'
import { expect, it } from 'vitest'
import { foldedPage } from '../../../../src/cli/commands/view/fold.js'
import type { RowsPage } from '../../../../src/cli/commands/view/row-source.js'
import { wrappedPieces } from '../../../../src/cli/commands/view/wrap.js'
import { PLAIN } from '../../../../src/render/screen/style.js'
import { width } from '../../../../src/text/width.js'
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
