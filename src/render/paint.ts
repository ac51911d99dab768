import { Chalk, type ChalkInstance } from 'chalk'
import { type Color, colorSequence } from './terminal-text.js'

/** Colors text by its tone; undefined leaves it plain. */
export type Paint = (tone: Tone | undefined, text: string) => string

const chalk = new Chalk({ level: 1 })

const STYLES = {
  heading: chalk.bold,
  faint: chalk.dim,
  number: chalk.cyan,
  // Blue is unreadable on black in many terminals.
  time: chalk.dim,
  truth: chalk.magenta,
  fatal: chalk.bold.red,
  error: chalk.red,
  warning: chalk.yellow,
  notice: chalk.green,
  // Inverting keeps the color of the text around it.
  match: chalk.inverse,
  series0: chalk.cyan,
  series1: chalk.yellow,
  series2: chalk.magenta,
  series3: chalk.green,
  series4: chalk.blueBright,
  series5: chalk.red,
} as const satisfies Readonly<Record<string, ChalkInstance>>

/** The meaning of text that is shown by its color. */
export type Tone = keyof typeof STYLES

/** Returns the function that colors text; without color, it leaves all text plain. */
export function paintOf(color: Color): Paint {
  if (color === 'none') return (_, text) => text
  const known = new Map<Tone, readonly string[]>()
  return (tone, text) => {
    if (tone === undefined || text === '') return text
    const sequences = known.get(tone) ?? sequencesOf(STYLES[tone], color)
    known.set(tone, sequences)
    const [on = '', off = ''] = sequences
    return `${on}${text}${off}`
  }
}

/** Returns the sequences that turn a style on and off. The text between them is untrusted, so only the sequences are marked. */
function sequencesOf(style: ChalkInstance, color: Color): readonly string[] {
  return style(' ')
    .split(' ')
    .map((sequences) => sequences.replace(SEQUENCE, (_, numbers) => colorSequence(numbers, color)))
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape character begins the sequence of a color.
const SEQUENCE = /\u001b\[([\d;]+)m/g
