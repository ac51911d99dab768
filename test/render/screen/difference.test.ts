import { Terminal } from '@xterm/headless'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { difference, repaint } from '../../../src/render/screen/difference.js'
import { Grid } from '../../../src/render/screen/grid.js'
import { BOLD, CYAN, FAINT, INVERSE, PLAIN, RED } from '../../../src/render/screen/style.js'
import { gridLine } from '../../support/grid-line.js'
import { RUNS } from '../../support/runs.js'

const STYLES = [PLAIN, RED, BOLD, FAINT | CYAN, INVERSE, INVERSE | RED | BOLD]
const TEXTS = [
  'a',
  'request done',
  '   ',
  '日本語のログ',
  'e\u0301a',
  '한글',
  '─│▌',
  '🚀 up',
  'ﷺ',
  'x\u001b[2Jy',
  '👩‍👩‍👧',
]

const placed = (width: number, height: number) =>
  fc.record({
    row: fc.nat(height - 1),
    column: fc.nat(width - 1),
    text: fc.constantFrom(...TEXTS),
    style: fc.constantFrom(...STYLES),
  })

const SIZES = fc.record({
  width: fc.integer({ min: 1, max: 30 }),
  height: fc.integer({ min: 1, max: 5 }),
})
const FRAMES = SIZES.chain(({ width, height }) =>
  fc.record({
    width: fc.constant(width),
    height: fc.constant(height),
    frames: fc.array(fc.array(placed(width, height), { maxLength: 12 }), {
      minLength: 2,
      maxLength: 5,
    }),
  }),
)

type Frame = readonly { row: number; column: number; text: string; style: number }[]

function gridOf(frame: Frame, { width, height }: { width: number; height: number }): Grid {
  const grid = new Grid(width, height)
  for (const { row, column, text, style } of frame) grid.put(row, column, text, style)
  return grid
}

async function screenAfter(
  writes: readonly string[],
  { width, height }: { width: number; height: number },
) {
  const terminal = new Terminal({ cols: width, rows: height, allowProposedApi: true })
  // As the view does: without wrapping at the right edge.
  for (const text of ['\x1b[?7l', ...writes]) {
    await new Promise<void>((resolve) => terminal.write(text, resolve))
  }
  const rows = Array.from({ length: height }, (_, row) => {
    const line = terminal.buffer.active.getLine(row)!
    return Array.from({ length: width }, (_, column) => {
      const cell = line.getCell(column)!
      const look = [cell.getFgColor(), cell.isBold(), cell.isDim(), cell.isInverse()]
      return [cell.getChars() || ' ', ...look].join(',')
    })
  })
  terminal.dispose()
  return rows
}

describe('the differences of frames', () => {
  it('draw the same as a full repaint', async () => {
    await fc.assert(
      fc.asyncProperty(FRAMES, async ({ frames, ...size }) => {
        const grids = frames.map((frame) => gridOf(frame, size))
        const options = { color: true }
        const writes = [repaint(grids[0]!, options)]
        for (const [index, grid] of grids.entries()) {
          if (index > 0) writes.push(difference(grids[index - 1]!, grid, options))
        }
        expect(await screenAfter(writes, size)).toEqual(
          await screenAfter([repaint(grids.at(-1)!, options)], size),
        )
      }),
      { numRuns: 6 * RUNS },
    )
  })

  it('are empty for equal frames', () => {
    const grid = () =>
      gridOf([{ row: 0, column: 2, text: 'same', style: BOLD }], { width: 20, height: 2 })
    expect(difference(grid(), grid(), { color: true })).toBe('')
  })

  it('write only the rows that changed', () => {
    const size = { width: 80, height: 20 }
    const title = { row: 0, column: 0, text: 'logs', style: PLAIN }
    const before = gridOf([title, { row: 3, column: 0, text: 'row 3 of 100', style: PLAIN }], size)
    const after = gridOf([title, { row: 3, column: 0, text: 'row 4 of 100', style: PLAIN }], size)
    expect(difference(before, after, { color: true })).toBe('\x1b[4;1H\x1b[0m\x1b[Krow 4 of 100')
  })

  it('have attributes but no colors without color', () => {
    const after = gridOf([{ row: 0, column: 0, text: 'error', style: RED | BOLD }], {
      width: 9,
      height: 1,
    })
    expect(difference(new Grid(9, 1), after, { color: false })).toBe(
      '\x1b[1;1H\x1b[0m\x1b[K\x1b[0;1merror\x1b[0m',
    )
    expect(difference(new Grid(9, 1), after, { color: true })).toContain('\x1b[0;1;31m')
  })
})

describe('a grid', () => {
  it('shows control characters as escapes', () => {
    const grid = new Grid(30, 1)
    grid.put(0, 0, 'a\u001b[31mb\r\nc\u0007')
    expect(gridLine(grid, 0)).toBe('a\\u001b[31mb\\r\\nc\\u0007')
  })

  it('cuts text at its end, and no wide character in half', () => {
    const grid = new Grid(5, 1)
    expect(grid.put(0, 0, '日本語')).toBe(4)
    expect(gridLine(grid, 0)).toBe('日本')
  })

  it('puts a megabyte of text as fast as a line', () => {
    const grid = new Grid(10, 1)
    grid.put(0, 0, 'ä'.repeat(1024 * 1024))
    expect(gridLine(grid, 0)).toBe('ä'.repeat(10))
  })

  it('marks a text in upper and lower case, also after wide characters', () => {
    const grid = new Grid(20, 1)
    grid.put(0, 0, '日 Error error')
    grid.markText(0, 'ERROR', INVERSE)
    const marked = [...grid.styles].flatMap((style, column) => (style === INVERSE ? [column] : []))
    expect(marked).toEqual([3, 4, 5, 6, 7, 9, 10, 11, 12, 13])
  })
})
