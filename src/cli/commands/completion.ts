import { Argument, Command } from 'commander'
import { escapeControls } from '../../render/escape-controls.js'
import type { Context, Flags } from '../context.js'
import { UsageError } from '../error/usage-error.js'
import { expandTilde } from '../file/home-directory.js'
import { examples } from '../help/examples.js'
import { TOPICS } from '../help/topics.js'
import { readSavedFormats } from '../settings/saved-formats.js'
import { readBashLine } from './completion/bash-line.js'
import {
  type Candidate,
  complete,
  type LookupKind,
  startingWith,
  withPrefix,
} from './completion/candidates.js'
import { datasetNames, profileNames, savedQueries, tokenNames } from './completion/names.js'
import { FILES, LINE, SCRIPTS, SHELLS, type Shell, WORDS } from './completion/scripts.js'

/** Creates the command tree with the commands that are among the words. */
type ProgramFor = (words: readonly string[]) => Promise<Command>

/** `evq completion bash|zsh|fish`. The scripts call `evq completion words -- …` or `evq completion line -- …`. */
export function completionCommand(context: Context, programFor: ProgramFor): Command {
  return new Command('completion')
    .description('Prints the completion script for bash, zsh or fish.')
    .usage('[options] bash|zsh|fish')
    .addArgument(shellArgument())
    .argument('[words...]')
    .addHelpText('after', () => examples(EXAMPLES))
    .action(async (target: Shell | CompletionRequest, words: readonly string[]) => {
      const text = isCompletionRequest(target)
        ? await completionLines({ target, words, programFor }, context)
        : SCRIPTS[target]
      context.io.stdout.write(text)
    })
}

/** The request of a completion script: words to complete, or a line of bash. */
type CompletionRequest = typeof WORDS | typeof LINE

function isCompletionRequest(target: string): target is CompletionRequest {
  return target === WORDS || target === LINE
}

/** Returns the argument `<shell>`, which also takes the requests of the scripts. */
function shellArgument(): Argument {
  const argument = new Argument('<shell>')
  return argument.argParser((value: string) => {
    if (isCompletionRequest(value) || SHELLS.some((shell) => shell === value)) return value
    throw new UsageError(
      `There is no completion for \`${value}\`. Supported shells are bash, zsh and fish.`,
    )
  })
}

const EXAMPLES = [
  'source <(evq completion bash)',
  'evq completion zsh > ~/.zfunc/_evq',
  'evq completion fish > ~/.config/fish/completions/evq.fish',
]

/** Returns one candidate per line: quoted for bash, otherwise followed by a tab and its description. */
async function completionLines(
  request: { target: CompletionRequest; words: readonly string[]; programFor: ProgramFor },
  context: Context,
): Promise<string> {
  const { target, words: given, programFor } = request
  const [line = '', breaks = ''] = given
  const bash = target === LINE ? readBashLine(line, breaks) : undefined
  const words = bash?.words ?? given
  const program = await programFor(words)
  // A failure yields no candidates: a message would disturb the prompt of the shell.
  const found = await candidatesFor(program, words, context).catch(() => [])
  if (found === 'files') return `${FILES}\n`
  // Words with control characters can neither be shown nor be inserted into a command line.
  const shown = found.filter(({ word }) => escapeControls(word) === word)
  return shown
    .map(({ word, about }) => bash?.offer(word) ?? `${word}\t${escapeControls(about)}`)
    .map((text) => `${text}\n`)
    .join('')
}

/** Returns the candidates, or `files` when the shell completes them itself. */
async function candidatesFor(
  program: Command,
  words: readonly string[],
  context: Context,
): Promise<readonly Candidate[] | 'files'> {
  const { candidates, values } = complete(program, words)
  if (candidates.kind === 'words') return candidates.words
  if (candidates.kind === 'files') return 'files'
  const { kind, prefix, before } = candidates
  const found =
    kind === 'topics'
      ? await helpWords(program, prefix)
      : await LOOK_UPS[kind](atHome(values, context), context)
  return withPrefix(before, startingWith(found, prefix))
}

/** Returns the topics and commands, and the words of APL once one has been begun: there are hundreds. */
async function helpWords(program: Command, prefix: string): Promise<readonly Candidate[]> {
  const { APL_WORDS } = await import('../../apl/language.js')
  const commands = program.commands.map((command) => ({
    word: command.name(),
    about: command.summary(),
  }))
  return [
    ...TOPICS.map(({ name, summary }) => ({ word: name, about: summary })),
    ...commands,
    ...(prefix === '' ? [] : bare([...APL_WORDS.operators, ...APL_WORDS.calls])),
  ]
}

type LookUp = (flags: Flags, context: Context) => Promise<readonly Candidate[]>

const LOOK_UPS: Readonly<Record<Exclude<LookupKind, 'files' | 'topics'>, LookUp>> = {
  datasets: async (flags, context) => bare(await datasetNames(flags, context)),
  profiles: async (_, { io }) => bare(await profileNames(io.env)),
  'saved queries': savedQueries,
  tokens: tokenNames,
  zones: async () => bare(['UTC', 'local', ...Intl.supportedValuesOf('timeZone')]),
  formats: async (_, { io }) => bare(readSavedFormats(io.env).map(({ name }) => name)),
  shells: async () => bare(SHELLS),
}

function bare(names: readonly string[]): readonly Candidate[] {
  return names.map((word) => ({ word, about: '' }))
}

/** Returns the values of options with `~` expanded as a shell does. */
function atHome(values: Readonly<Record<string, string>>, { io }: Context): Flags {
  const expanded = Object.entries(values).map(([name, value]) => [name, expandTilde(value, io.env)])
  return Object.fromEntries(expanded)
}
