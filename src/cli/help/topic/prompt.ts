import { COMMAND_REFERENCE } from '../../commands/query/prompt/command-reference.js'
import { type Block, blocksOf } from '../block.js'

/** `evq help prompt`, and `\h` at the prompt. */
export const PROMPT: readonly Block[] = [
  ...blocksOf(`
\`evq query\` without a query opens a prompt, and \`evq query -i app.log\` a prompt on files. A query ends with \`;\` or an empty line.

## Keys

Tab :: complete names, words and the values of fields; twice lists them
Up, Down, Ctrl-R :: the history; Ctrl-R searches it, and Enter brings the match to the prompt
Ctrl-C :: discard the typed lines or cancel the running query; Up brings them back
Ctrl-D :: quit

## Commands
`),
  ...Object.entries(COMMAND_REFERENCE).map(
    ([name, { form, summary }]) =>
      ({ kind: 'term', term: `\\${name} ${form}`.trim(), text: summary }) as const,
  ),
]
