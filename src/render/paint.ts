import type { ChalkInstance } from 'chalk'

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

const STYLES: Readonly<Record<Tone, (chalk: ChalkInstance) => ChalkInstance>> = {
  heading: (chalk) => chalk.bold,
  faint: (chalk) => chalk.dim,
  number: (chalk) => chalk.cyan,
  // Blue is unreadable on black in many terminals.
  time: (chalk) => chalk.dim,
  truth: (chalk) => chalk.magenta,
  fatal: (chalk) => chalk.bold.red,
  error: (chalk) => chalk.red,
  warning: (chalk) => chalk.yellow,
  notice: (chalk) => chalk.green,
  // Inverting keeps the color of the text around it.
  match: (chalk) => chalk.inverse,
  series0: (chalk) => chalk.cyan,
  series1: (chalk) => chalk.yellow,
  series2: (chalk) => chalk.magenta,
  series3: (chalk) => chalk.green,
  series4: (chalk) => chalk.blueBright,
  series5: (chalk) => chalk.red,
}

/** Returns the function that colors text; undefined when `color` is false. */
export async function openPaint(color: boolean): Promise<Paint | undefined> {
  if (!color) return undefined
  const { Chalk } = await import('chalk')
  const chalk = new Chalk({ level: 1 })
  const styles = new Map<Tone, ChalkInstance>()
  return (tone, text) => {
    if (tone === undefined || text === '') return text
    let style = styles.get(tone)
    if (style === undefined) {
      style = STYLES[tone](chalk)
      styles.set(tone, style)
    }
    return style(text)
  }
}
