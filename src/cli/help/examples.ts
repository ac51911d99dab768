/** The widest a help text gets, on a terminal of any width. */
export const HELP_WIDTH = 80

/** The end of a command's help: commands that work as they stand. */
export function examples(lines: readonly string[]): string {
  return [
    '\nExamples:',
    ...lines.map((line) => `  ${line}`),
    '\n`evq --help` lists the options that every command takes.',
  ].join('\n')
}
