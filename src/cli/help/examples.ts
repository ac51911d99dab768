/** The maximum width of help texts, in columns. */
export const HELP_WIDTH = 80

/** Returns the end of a command's help: examples that work unchanged. */
export function examples(lines: readonly string[]): string {
  return [
    '\nExamples:',
    ...lines.map((line) => `  ${line}`),
    '\n`evq --help` lists the options that every command takes.',
  ].join('\n')
}
