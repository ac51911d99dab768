import type { Io } from '../context.js'

const HELP_WIDTH = 80

/** Returns the number of columns of help texts on the terminal. */
export function helpColumns({ stdout }: Pick<Io, 'stdout'>): number {
  return Math.min(stdout.columns || HELP_WIDTH, HELP_WIDTH)
}

/** Returns the end of a command's help: examples that work unchanged. */
export function examples(lines: readonly string[]): string {
  return [
    '\nExamples:',
    ...lines.map((line) => `  ${line}`),
    '\n`evq --help` lists the options that every command takes.',
  ].join('\n')
}
