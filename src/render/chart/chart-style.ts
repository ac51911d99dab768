import type { Paint, Tone } from '../paint.js'
import { levelTone } from '../tone.js'

/** The width, the characters and the colors of a chart. */
export interface ChartStyle {
  readonly width: number
  readonly paint: Paint
  /** False when only symbols distinguish the series. */
  readonly hasColor: boolean
}

const USUAL_WIDTH = 80
/** Lines of text and charts do not improve beyond this width. */
const MAX_WIDTH = 160

/** Returns the width of a chart on a terminal of this width; undefined elsewhere. */
export function chartWidth(available: number | undefined): number {
  return Math.min(available ?? USUAL_WIDTH, MAX_WIDTH)
}

const SERIES: readonly Tone[] = ['series0', 'series1', 'series2', 'series3', 'series4', 'series5']

/** The symbols of the series, used when colors do not distinguish them. */
export const SYMBOLS = ['●', '▲', '■', '◆', '○', '△', '□', '◇']

/** Returns the color of a series: the color of a level if the series is named after one. */
export function toneOf(name: string, number: number): Tone {
  return levelTone(name) ?? SERIES[number % SERIES.length]!
}
