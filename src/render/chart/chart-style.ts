import type { Paint, Tone } from '../paint.js'
import { levelTone } from '../tone.js'

/** What a chart is drawn with. */
export interface ChartStyle {
  /** Columns of text that there is room for. */
  readonly width: number
  /** Whether the terminal has no more signs than ASCII. */
  readonly ascii: boolean
  readonly paint?: Paint | undefined
}

const SERIES: readonly Tone[] = ['series0', 'series1', 'series2', 'series3', 'series4', 'series5']

const SIGNS = ['●', '▲', '■', '◆', '○', '△', '□', '◇']
const ASCII_SIGNS = ['*', 'o', 'x', '+', '#', '@', '%', '=']

/** The signs that lines are drawn with when colours do not tell them apart. */
export function signsOf({ ascii }: Pick<ChartStyle, 'ascii'>): readonly string[] {
  return ascii ? ASCII_SIGNS : SIGNS
}

/** The colour of one line or bar among others: that of its level where it is one. */
export function toneOf(name: string, number: number): Tone {
  return levelTone(name) ?? SERIES[number % SERIES.length]!
}

/** A text in a tone, where there is colour. */
export function painted({ paint }: ChartStyle, tone: Tone, text: string): string {
  return paint === undefined ? text : paint(tone, text)
}
