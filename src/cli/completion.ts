import { Argument, Command } from 'commander'
import { type Candidate, type Candidates, complete, startingWith } from './completion/candidates.js'
import { datasetNames, profileNames } from './completion/names.js'
import { FILES, SCRIPTS, SHELLS, type Shell } from './completion/scripts.js'
import type { Context, Flags } from './context.js'
import { examples } from './help.js'
import { UsageError } from './usage-error.js'

/** `evq completion bash|zsh|fish`; the scripts come back with `evq completion words -- …`. */
export function completionCommand(context: Context): Command {
  const command = new Command('completion')
    .summary('print a completion script for a shell')
    .description('Prints what bash, zsh or fish needs to complete the words after `evq`.')
    .usage('[options] bash|zsh|fish')
    .addArgument(shellArgument())
    .argument('[words...]')
    .addHelpText('after', () => examples(EXAMPLES))
    .action(async (shell: Shell | 'words', words: readonly string[]) => {
      if (shell !== 'words') {
        context.io.stdout.write(SCRIPTS[shell])
        return
      }
      // A script that is told nothing completes nothing, which is all that can be done about a failure here.
      const lines = await linesFor(command.parent!, words, context).catch(() => [])
      context.io.stdout.write(lines.map((line) => `${line}\n`).join(''))
    })
  return command
}

/** The words of the scripts' own question are left to them. */
function shellArgument(): Argument {
  const argument = new Argument('<shell>')
  return argument.argParser((value: string) => {
    if (value === 'words' || SHELLS.some((shell) => shell === value)) return value
    throw new UsageError(`There is no completion for \`${value}\`, but for bash, zsh and fish.`)
  })
}

const EXAMPLES = [
  'source <(evq completion bash)',
  'evq completion zsh > ~/.zfunc/_evq',
  'evq completion fish > ~/.config/fish/completions/evq.fish',
]

/** A candidate a line, its meaning behind a tab. */
async function linesFor(
  program: Command,
  words: readonly string[],
  context: Context,
): Promise<readonly string[]> {
  const { candidates, values } = complete(program, words)
  if (candidates.kind === 'files') return [FILES]
  const found = await namesOf(candidates, values, context)
  return found.map(({ word, about }) => `${word}\t${about}`)
}

async function namesOf(
  candidates: Candidates,
  flags: Flags,
  context: Context,
): Promise<readonly Candidate[]> {
  switch (candidates.kind) {
    case 'words':
      return candidates.words
    case 'datasets':
      return named(await datasetNames(flags, context), candidates.prefix)
    case 'profiles':
      return named(await profileNames(context.io.env), candidates.prefix)
    case 'shells':
      return named(SHELLS, candidates.prefix)
    case 'files':
      return []
    default:
      return candidates satisfies never
  }
}

function named(names: readonly string[], prefix: string): readonly Candidate[] {
  return startingWith(
    names.map((word) => ({ word, about: '' })),
    prefix,
  )
}
