import type { Context } from '../../../context.js'
import { UsageError } from '../../../error/usage-error.js'
import { HELP_WIDTH } from '../../../help/examples.js'
import { findHelp, nearestTopics } from '../../../help/find-help.js'
import { topicText } from '../../../help/terminal.js'

/** Prints the help on a word of the language or a topic. Throws a `UsageError` for unknown words. */
export async function printTopic(words: string, { io }: Context): Promise<void> {
  const text = await findHelp(words, columnsOf(io))
  if (text === undefined) {
    const [guess] = await nearestTopics(words)
    const hint = guess === undefined ? '`\\h` lists commands.' : `Did you mean \`\\h ${guess}\`?`
    throw new UsageError(`There is no help on \`${words}\`. ${hint}`)
  }
  io.stdout.write(text)
}

/** Prints the help of the prompt with its commands. */
export async function printCommands({ io }: Context): Promise<void> {
  const { PROMPT } = await import('../../../help/topic/prompt.js')
  io.stdout.write(topicText('The prompt', PROMPT, columnsOf(io)))
}

function columnsOf({ stdout }: Context['io']): number {
  return Math.min(stdout.columns || HELP_WIDTH, HELP_WIDTH)
}
