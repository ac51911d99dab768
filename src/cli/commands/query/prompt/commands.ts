import { FORMAT_NAMES } from '../../../../render/format.js'
import { ownValue } from '../../../../text/own-value.js'
import { closest } from '../../../../text/suggest.js'
import type { Context } from '../../../context.js'
import { UsageError } from '../../../error/usage-error.js'
import { spareInputs } from '../../../file/spare-inputs.js'
import { helpColumns } from '../../../help/examples.js'
import { findHelp, nearestTopics } from '../../../help/find-help.js'
import { topicText } from '../../../help/terminal.js'
import type { OutputFormat } from '../../../output/flags.js'
import { openAppendedFile } from './appended-file.js'
import type { CommandName } from './command-reference.js'
import { describeDataset, describeDatasets } from './describe.js'
import { editText } from './editor.js'
import { onOneLine } from './history.js'
import { printAgain } from './last-result.js'
import type { PromptQueries } from './queries.js'

/** The state of the prompt that commands read and change. */
export interface CommandContext {
  readonly queries: PromptQueries
  /** The lines typed so far. */
  readonly draft: string
  /** The latest query of the history with its `;`; empty if there is none. */
  readonly latest: string
  runFile(path: string): Promise<void>
}

/** The next action of the prompt after a command. */
type Outcome =
  | { readonly kind: 'leave' }
  | { readonly kind: 'run'; readonly apl: string }
  /** Replaces the typed lines by a text to edit. */
  | { readonly kind: 'edit'; readonly text: string }

type Run = (argument: string, context: CommandContext) => Promise<Outcome | undefined>

const COMMANDS: Readonly<Record<CommandName, Run>> = {
  d: async (argument, { queries }) => {
    if (argument === '') await describeDatasets(queries)
    else await describeDataset(argument, queries)
  },
  since: async (argument, { queries }) => {
    if (argument !== '') queries.setSince(argument === 'default' ? undefined : argument)
    showSince(queries)
  },
  x: async (_, { queries }) => {
    const isRecord = queries.format === 'record'
    queries.format = isRecord ? undefined : 'record'
    queries.context.info(isRecord ? 'Results are tables where they fit.' : 'Results are records.')
  },
  o: setOutput,
  last: async (argument, { queries }) => {
    const { last, context, inputs, printFlags: flags } = queries
    if (last === undefined) throw new UsageError('There is no result yet.')
    await printAgain(last, argument, { flags, context, inputs })
  },
  e: async (argument, { queries, draft, latest }) => {
    const { io } = queries.context
    const text = (await editText(argument, draft || latest, io)).trimEnd()
    if (text.trim() === '') return undefined
    if (text.endsWith(';')) return { kind: 'run', apl: text.slice(0, -1) }
    return { kind: 'edit', text: onOneLine(text) }
  },
  i: async (argument, { runFile }) => {
    if (argument === '') throw new UsageError('`\\i` takes the name of a file with queries.')
    await runFile(argument)
  },
  timing: async (_, { queries }) => {
    queries.isTimed = !queries.isTimed
    queries.context.info(queries.isTimed ? 'Timing is on.' : 'Timing is off.')
  },
  h: (argument, { queries }) => printHelp(argument, queries.context),
  q: async () => ({ kind: 'leave' }),
}

const ALIASES: Readonly<Record<string, CommandName>> = { '': 'h', '?': 'h', help: 'h', quit: 'q' }

/** Runs a command. Throws a `UsageError` for an unknown command or a wrong argument. */
export async function runCommand(
  { name, argument }: { readonly name: string; readonly argument: string },
  context: CommandContext,
): ReturnType<Run> {
  const known = ownValue(ALIASES, name) ?? name
  if (isCommandName(known)) return await COMMANDS[known](argument, context)
  const guess = closest(name, Object.keys(COMMANDS))
  const hint = guess === undefined ? '`\\h` lists the commands.' : `Did you mean \`\\${guess}\`?`
  throw new UsageError(`There is no command \`\\${name}\`. ${hint}`)
}

function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name)
}

function showSince({ start, context }: PromptQueries): void {
  context.info(
    start === undefined
      ? 'Queries use the default range; `\\since 7d` sets another start.'
      : `Queries read events since ${start}; \`\\since default\` restores the initial range.`,
  )
}

const FORMATS: readonly OutputFormat[] = [...FORMAT_NAMES, 'raw']

async function setOutput(argument: string, { queries }: CommandContext): Promise<undefined> {
  const { context, inputs, file: before } = queries
  const [, word = '', path] = /^(\S*)(?:\s+(.+))?$/s.exec(argument) ?? []
  const format = FORMATS.find((one) => one === word)
  if (argument !== '' && format === undefined) throw unknownFormat(word)
  await spareInputs({ '\\o': path }, inputs, context.io)
  queries.file = undefined
  await before?.close()
  queries.file = path === undefined ? undefined : await openAppendedFile(path)
  queries.format = format
  if (before !== undefined) context.info(`\`${before.path}\` is complete.`)
  if (path !== undefined) {
    context.info(`Results are appended to \`${path}\` until \`\\o\` alone.`)
  } else if (before === undefined) {
    context.info(
      format === undefined
        ? 'Results are tables where they fit.'
        : `Results are printed as ${format}.`,
    )
  }
}

function unknownFormat(word: string): UsageError {
  const guess = closest(word, FORMATS)
  const hint =
    guess === undefined ? `Formats: ${FORMATS.join(', ')}.` : `Did you mean \`\\o ${guess}\`?`
  return new UsageError(`There is no format \`${word}\`. ${hint}`)
}

/** Prints the help of the prompt, or the help on a word of the language or a topic. Throws a `UsageError` for unknown words. */
async function printHelp(words: string, { io }: Context): Promise<undefined> {
  const columns = helpColumns(io)
  if (words === '') {
    const { PROMPT } = await import('../../../help/topic/prompt.js')
    io.stdout.write(topicText('The prompt', PROMPT, columns))
    return
  }
  const text = await findHelp(words, columns)
  if (text === undefined) {
    const [guess] = await nearestTopics(words)
    const hint = guess === undefined ? '`\\h` lists commands.' : `Did you mean \`\\h ${guess}\`?`
    throw new UsageError(`There is no help on \`${words}\`. ${hint}`)
  }
  io.stdout.write(text)
}
