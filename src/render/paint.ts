import { type Color, colorSequence } from './terminal-text.js'

/** The meaning of text that is shown by its color. */
export type Tone =
  | 'heading'
  | 'faint'
  | 'number'
  | 'time'
  | 'truth'
  | 'fatal'
  | 'error'
  | 'warning'
  | 'notice'
  | 'match'
  | 'series0'
  | 'series1'
  | 'series2'
  | 'series3'
  | 'series4'
  | 'series5'

/** Colors text by its tone; undefined leaves it plain. */
export type Paint = (tone: Tone | undefined, text: string) => string

/** The numbers that turn a style on and off. */
type Style = readonly [on: string, off: string]

const RED: Style = ['31', '39']
const GREEN: Style = ['32', '39']
const YELLOW: Style = ['33', '39']
const MAGENTA: Style = ['35', '39']
const CYAN: Style = ['36', '39']
const DIM: Style = ['2', '22']

const STYLES: Readonly<Record<Tone, Style>> = {
  heading: ['1', '22'],
  faint: DIM,
  number: CYAN,
  // Blue is unreadable on black in many terminals.
  time: DIM,
  truth: MAGENTA,
  fatal: ['1;31', '39;22'],
  error: RED,
  warning: YELLOW,
  notice: GREEN,
  // Inverting keeps the color of the text around it.
  match: ['7', '27'],
  series0: CYAN,
  series1: YELLOW,
  series2: MAGENTA,
  series3: GREEN,
  // Bright blue.
  series4: ['94', '39'],
  series5: RED,
}

/** Returns the function that colors text; undefined without color. */
export function paintOf(color: Color): Paint | undefined {
  if (color === 'none') return undefined
  return (tone, text) => {
    if (tone === undefined || text === '') return text
    const [on, off] = STYLES[tone]
    return `${colorSequence(on, color)}${text}${colorSequence(off, color)}`
  }
}
