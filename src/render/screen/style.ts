import type { Tone } from '../paint.js'

/** The style of a cell: one of the terminal's own sixteen colors, and attributes, as the bits of a number. */
export type Style = number

/** Text in the terminal's own color. */
export const PLAIN: Style = 0

const COLOR_BITS = 0x1f

/** The attributes, which terminals without color support too. */
export const BOLD: Style = 0x20
export const FAINT: Style = 0x40
export const INVERSE: Style = 0x80
export const UNDERLINE: Style = 0x100

/** The colors. Bright ones and white are left out: they are unreadable on light backgrounds. */
export const RED: Style = 1
export const GREEN: Style = 2
export const YELLOW: Style = 3
export const BLUE: Style = 4
export const MAGENTA: Style = 5
export const CYAN: Style = 6

const STYLE_OF_TONE: Readonly<Record<Tone, Style>> = {
  heading: BOLD,
  faint: FAINT,
  number: CYAN,
  time: FAINT,
  truth: MAGENTA,
  fatal: RED | BOLD,
  error: RED,
  warning: YELLOW,
  notice: GREEN,
  match: INVERSE,
  series0: CYAN,
  series1: YELLOW,
  series2: MAGENTA,
  series3: GREEN,
  series4: BLUE,
  series5: RED,
}

export function styleOf(tone: Tone | undefined): Style {
  return tone === undefined ? PLAIN : STYLE_OF_TONE[tone]
}

const ATTRIBUTES: readonly (readonly [bit: Style, code: number])[] = [
  [BOLD, 1],
  [FAINT, 2],
  [UNDERLINE, 4],
  [INVERSE, 7],
]

/** Returns the escape sequence that replaces the current style, whatever it is. */
export function styleSequence(style: Style, { color }: { readonly color: boolean }): string {
  const codes = ATTRIBUTES.flatMap(([bit, code]) => ((style & bit) === 0 ? [] : [code]))
  const hue = style & COLOR_BITS
  if (color && hue !== 0) codes.push(30 + hue)
  return `\x1b[${[0, ...codes].join(';')}m`
}
