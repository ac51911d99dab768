/** The help on a command of the prompt, which is a line that begins with `\`. */
interface CommandReference {
  /** The arguments. */
  readonly form: string
  readonly summary: string
}

/** The commands of the prompt by name, in the order of the help. */
export const COMMAND_REFERENCE = {
  d: {
    form: '[DATASET]',
    summary: 'list the datasets, or the fields of a dataset with types, counts and examples',
  },
  since: {
    form: '[TIME|default]',
    summary: 'show or set the start of the time range: 1h, 7d, 2026-01-31, today',
  },
  x: { form: '', summary: 'show results as records, or as tables again' },
  o: {
    form: '[FORMAT [FILE]]',
    summary:
      'set the format of results, and append results to a file; without arguments, show tables again',
  },
  last: {
    form: '[> FILE]',
    summary: 'show or save the last result without querying again; `| COMMAND` pipes it',
  },
  e: { form: '[FILE]', summary: 'edit the typed lines, or the last query, in $VISUAL or $EDITOR' },
  i: { form: 'FILE', summary: 'run the queries and commands of a file' },
  timing: { form: '', summary: 'turn on or off printing the elapsed time of each query' },
  h: {
    form: '[WORD]',
    summary: 'print this help, or the help on an operator, a function or a topic',
  },
  q: { form: '', summary: 'quit, as Ctrl-D does' },
} satisfies Record<string, CommandReference>

/** The name of a command, without `\`. */
export type CommandName = keyof typeof COMMAND_REFERENCE
