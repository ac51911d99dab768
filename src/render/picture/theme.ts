import { width as textWidth } from '../../text/width.js'

/** The width of a picture; pictures scale. */
export const WIDTH = 800

/** The distance between two baselines of text. */
export const LINE_HEIGHT = 18

/** Colors that remain distinct with the common forms of color blindness, on a light and on a dark background. */
const SERIES: readonly (readonly [light: string, dark: string])[] = [
  ['#0072b2', '#56b4e9'],
  ['#d55e00', '#ff8c42'],
  ['#007a5a', '#2fc89a'],
  ['#a8467d', '#e58fc0'],
  ['#8a6d00', '#e6c229'],
  ['#5b4bb5', '#a99cff'],
  ['#3f5660', '#b0c4cc'],
  ['#a33a2c', '#ff9a8d'],
]

/** Dashes that distinguish lines without color. */
export const DASHES = ['', '6 3', '2 3', '10 3 2 3', '4 2', '8 2 2 2', '1 2', '12 4'] as const

/** The style of a picture: light, or dark where the reader prefers it. No font is loaded. */
export const STYLE = [
  'svg{font:12px system-ui,sans-serif;font-variant-numeric:tabular-nums}',
  ...rules(0, { back: '#ffffff', ink: '#1f2328', faint: '#59636e', grid: '#d8dee4' }),
  '.back{fill:var(--back)}',
  'text{fill:var(--ink)}',
  '.faint{fill:var(--faint)}',
  '.title{font-size:15px;font-weight:600}',
  '.grid{stroke:var(--grid)}',
  '.axis{stroke:var(--faint)}',
  '.line{fill:none;stroke-width:1.8;stroke-linejoin:round;stroke-linecap:round}',
  ...SERIES.flatMap((_, i) => [`.s${i}{stroke:var(--s${i})}`, `.f${i}{fill:var(--s${i})}`]),
  '@media (prefers-color-scheme:dark){',
  ...rules(1, { back: '#14181d', ink: '#e8ecf0', faint: '#9aa5b1', grid: '#333b44' }),
  '}',
].join('')

function rules(
  scheme: 0 | 1,
  names: Readonly<Record<'back' | 'ink' | 'faint' | 'grid', string>>,
): readonly string[] {
  const series = SERIES.map((pair, i) => `--s${i}:${pair[scheme]};`).join('')
  const others = Object.entries(names).map(([name, color]) => `--${name}:${color};`)
  return [`svg{${others.join('')}${series}}`]
}

export function seriesColor(number: number): number {
  return number % SERIES.length
}

/** Estimates the width of a text, because the font is not known. */
export function estimatedWidth(text: string): number {
  return textWidth(text) * 6.8
}
