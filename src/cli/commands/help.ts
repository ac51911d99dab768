import { Command } from 'commander'
import type { Context } from '../context.js'
import { habitAdvice } from '../error/habits.js'
import { UsageError } from '../error/usage-error.js'
import { examples, helpColumns } from '../help/examples.js'
import { findHelp, nearestTopics, topicsWith } from '../help/find-help.js'
import { topicText } from '../help/terminal.js'
import { TOPICS } from '../help/topics.js'

export function helpCommand(context: Context, program: Command): Command {
  return new Command('help')
    .description(
      'Prints the help of a command, a page of reference, or the entry of an operator, a function, an aggregation or a problem code.',
    )
    .argument('[topic...]', 'what to explain; lists the topics if omitted')
    .addHelpText('after', () =>
      examples(['evq help language', 'evq help summarize', 'evq help percentile']),
    )
    .action((topic: readonly string[]) =>
      printHelp(
        topic.flatMap((words) => words.trim().split(/\s+/)),
        program,
        context,
      ),
    )
}

async function printHelp(
  words: readonly string[],
  program: Command,
  context: Context,
): Promise<void> {
  const { io } = context
  const columns = helpColumns(io)
  const [word] = words
  if (word === undefined) {
    program.outputHelp()
    io.stdout.write(`\n${topicList(columns)}`)
    return
  }
  const command = commandNamed(words, program)
  if (command !== undefined) return command.outputHelp()
  const all = words.join(' ')
  // `evq help order by` is about `order`.
  const text = (await findHelp(all, columns)) ?? (await findHelp(word, columns))
  if (text !== undefined) return void io.stdout.write(text)
  const near = await namesLike(words.join('-'), program)
  const [name] = near
  if (name === undefined || near.length > 1) {
    throw new UsageError(`There is no help on \`${all}\`. ${await hint(all, near, program)}`)
  }
  await printHelp([name], program, context)
}

/** Returns the topics that a word abbreviates; if there are none, the commands, and then the words of APL. */
async function namesLike(word: string, program: Command): Promise<readonly string[]> {
  const { APL_WORDS } = await import('../../apl/language.js')
  const groups = [
    TOPICS.map(({ name }) => name),
    program.commands.map((command) => command.name()),
    [...APL_WORDS.operators, ...APL_WORDS.calls],
  ]
  const isLike = (name: string) => name.startsWith(word) || word === `${name}s`
  return groups.map((names) => names.filter(isLike)).find(({ length }) => length > 0) ?? []
}

/** Returns the command that the words name, such as `starred update`; undefined when there is no such command. */
function commandNamed(words: readonly string[], program: Command): Command | undefined {
  let found: Command | undefined = program
  for (const word of words) found = found?.commands.find((command) => command.name() === word)
  return found
}

function topicList(columns: number): string {
  const terms = TOPICS.map(
    ({ name, summary }) => ({ kind: 'term', term: name, text: summary }) as const,
  )
  const end = {
    kind: 'paragraph',
    text: '`evq help <command>` prints the flags of a command, `evq help summarize` the entry of an operator, a function, an aggregation or a problem code.',
  } as const
  return topicText('Topics:', [...terms, end], columns)
}

/** The maximum number of names that an error lists. */
const MAX_LISTED = 8
const MAX_TOPICS = 3

async function hint(word: string, like: readonly string[], program: Command): Promise<string> {
  if (like.length > 1) {
    const more = like.length > MAX_LISTED ? ', …' : ''
    return `Names that begin with it: ${like.slice(0, MAX_LISTED).join(', ')}${more}.`
  }
  const { equivalentOf } = await import('../../apl/language.js')
  // `evq help group by` is about `group`.
  const equivalent = equivalentOf(word) ?? equivalentOf(word.split(' ')[0]!)
  const advice = habitAdvice(word, program) ?? (equivalent && `In APL, ${equivalent}.`)
  if (advice !== undefined) return advice
  const topics = (await topicsWith(word)).map((name) => `\`evq help ${name}\``)
  if (topics.length > 0) return `The word is in ${topics.slice(0, MAX_TOPICS).join(', ')}.`
  const commands = program.commands.map((command) => command.name())
  const [guess] = await nearestTopics(word, commands)
  return guess === undefined
    ? '`evq help` lists the topics.'
    : `Did you mean \`evq help ${guess}\`?`
}
