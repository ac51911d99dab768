import type { Grid } from '../../src/render/screen/grid.js'

/** Returns the text of a row without trailing spaces. */
export function gridLine({ texts, width }: Grid, row: number): string {
  return texts
    .slice(row * width, (row + 1) * width)
    .join('')
    .trimEnd()
}
