import type { Connection } from '../../../../client/connection.js'
import { FORMAT_NAMES } from '../../../../render/format.js'
import { ownValue } from '../../../../text/own-value.js'
import { closest } from '../../../../text/suggest.js'
import type { Context } from '../../../context.js'
import { UsageError } from '../../../error/usage-error.js'
import { spareInputs } from '../../../file/spare-inputs.js'
import { helpColumns } from '../../../help/examples.js'
import { findHelp, nearestTopics } from '../../../help/find-help.js'
import { topicText } from '../../../help/terminal.js'
import type { OutputFormat, PrintFlags } from '../../../output/flags.js'
import { type AppendedFile, openAppendedFile } from './appended-file.js'
import type { CommandName } from './command-reference.js'
import { describeDataset, describeDatasets } from './describe.js'
import { editText } from './editor.js'
import { onOneLine } from './history.js'
import { type LastResult, printAgain } from './last-result.js'

/** The state of a prompt that its commands change. */
export interface PromptSettings {
  /** The start of the range of queries; undefined for the range on the command line. */
  since?: string | undefined
  /** The format of results; undefined for the format on the command line. */
  format?: OutputFormat | undefined
  /** The file that receives results instead of the terminal. */
  file?: AppendedFile | undefined
  /** True when the elapsed time of each query is printed. */
  isTimed?: boolean
  last?: LastResult
}

/** The deployment of a prompt, and the flags of its command line. */
export interface PromptTarget {
  readonly settings: PromptSettings
  readonly connection: Connection
  /** The files that queries read, which no command may write to. */
  readonly inputs: readonly string[]
  printFlags(): PrintFlags
  /** Returns the start of the range as a time; undefined if the range has no start. Throws a `UsageError` for an invalid start. */
  startOf(since: string | undefined): string | undefined
}

/** The state of the prompt that commands read and change. */
export interface CommandContext extends PromptTarget {
  readonly context: Context
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
  d: async (argument, context) => {
    if (argument === '') await describeDatasets(context)
    else await describeDataset(argument, context)
  },
  since: async (argument, context) => {
    if (argument !== '') setSince(argument, context)
    showSince(context)
  },
  x: async (_, { settings, context }) => {
    const isRecord = settings.format === 'record'
    settings.format = isRecord ? undefined : 'record'
    context.info(isRecord ? 'Results are tables where they fit.' : 'Results are records.')
  },
  o: setOutput,
  last: async (argument, { settings, context, inputs, printFlags }) => {
    if (settings.last === undefined) throw new UsageError('There is no result yet.')
    await printAgain(settings.last, argument, { flags: printFlags(), context, inputs })
  },
  e: async (argument, { context, draft, latest }) => {
    const text = (await editText(argument, draft || latest, context.io)).trimEnd()
    if (text.trim() === '') return undefined
    if (text.endsWith(';')) return { kind: 'run', apl: text.slice(0, -1) }
    return { kind: 'edit', text: onOneLine(text) }
  },
  i: async (argument, { runFile }) => {
    if (argument === '') throw new UsageError('`\\i` takes the name of a file with queries.')
    await runFile(argument)
  },
  timing: async (_, { settings, context }) => {
    settings.isTimed = !settings.isTimed
    context.info(settings.isTimed ? 'Timing is on.' : 'Timing is off.')
  },
  h: (argument, { context }) => printHelp(argument, context),
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

function setSince(argument: string, { settings, startOf }: CommandContext): void {
  if (argument === 'default') {
    settings.since = undefined
    return
  }
  startOf(argument)
  settings.since = argument
}

function showSince({ settings, startOf, context }: CommandContext): void {
  const start = startOf(settings.since)
  context.info(
    start === undefined
      ? 'Queries use the default range; `\\since 7d` sets another start.'
      : `Queries read events since ${start}; \`\\since default\` restores the initial range.`,
  )
}

const FORMATS: readonly OutputFormat[] = [...FORMAT_NAMES, 'raw']

async function setOutput(
  argument: string,
  { settings, context, inputs }: CommandContext,
): Promise<undefined> {
  const [, word = '', path] = /^(\S*)(?:\s+(.+))?$/s.exec(argument) ?? []
  const format = FORMATS.find((one) => one === word)
  if (argument !== '' && format === undefined) throw unknownFormat(word)
  await spareInputs({ '\\o': path }, inputs, context.io)
  const before = settings.file
  settings.file = undefined
  await before?.close()
  settings.file = path === undefined ? undefined : await openAppendedFile(path)
  settings.format = format
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
