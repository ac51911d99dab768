import type { Command, CommanderError } from 'commander'
import { isRegularFile } from '../../text/regular-file.js'
import { closest } from '../../text/suggest.js'
import { pathOf } from '../option/command-path.js'
import { HOW_TO_READ_FILES } from './file-hint.js'
import { habitAdvice, longOptions } from './habits.js'
import { UsageError } from './usage-error.js'

/** Converts an error of commander to a `UsageError` in the style of this program. */
export function usageErrorOf(
  error: CommanderError,
  { program, argv }: { readonly program: Command; readonly argv: readonly string[] },
): UsageError {
  const command = commandOf(program, argv)
  if (error.code === 'commander.help') {
    return new UsageError(`No command given. \`${pathOf(command)} --help\` lists the commands.`)
  }
  const quoted = error.message
    .replace(/^error: /, '')
    .replace(/argument missing$/, 'needs a value')
    .replace(/'([^']*)'/g, '`$1`')
  const what = quoted.charAt(0).toUpperCase() + quoted.slice(1).replace(/\.$/, '')
  return new UsageError(
    `${what}. ${adviceOnUnknown(error, command) ?? helpFor(error, argv, command)}`,
  )
}

/** Returns the innermost command that the command line names. */
function commandOf(program: Command, argv: readonly string[]): Command {
  const inner = (outer: Command, word: string) =>
    outer.commands.find((command) => command.name() === word) ?? outer
  return argv.reduce(inner, program)
}

/** Returns advice on an unknown command or option. The similarity of Commander suggests `--out` for `--sort`. */
function adviceOnUnknown({ code, message }: CommanderError, command: Command): string | undefined {
  if (code !== 'commander.unknownCommand' && code !== 'commander.unknownOption') return undefined
  const word = /'([^'=]*)/.exec(message)?.[1] ?? ''
  const habit = habitAdvice(word, command)
  if (habit !== undefined) return habit
  const dashes = word.startsWith('--') ? '--' : ''
  const names = dashes === '' ? command.commands.map((one) => one.name()) : longOptions(command)
  const near = closest(
    word.slice(dashes.length),
    names.map((name) => name.slice(dashes.length)),
  )
  return near === undefined ? undefined : `Did you mean \`${dashes}${near}\`?`
}

function helpFor(
  { code, message }: CommanderError,
  argv: readonly string[],
  command: Command,
): string {
  if (code === 'commander.unknownOption' && /'(?:-i|--input)\b/.test(message)) {
    return HOW_TO_READ_FILES
  }
  const file = code === 'commander.unknownCommand' && argv.find(isRegularFile)
  if (file) return `\`evq view ${file}\` looks through a file. ${HOW_TO_READ_FILES}`
  const [first] = command.registeredArguments
  if (code !== 'commander.excessArguments' || first === undefined) {
    const others = command.commands.length > 0 ? 'commands and ' : first ? 'arguments and ' : ''
    return `\`${pathOf(command)} --help\` lists its ${others}options.`
  }
  const [quote] = argv.flatMap((word) => TYPOGRAPHIC_QUOTE.exec(word) ?? [])
  if (quote !== undefined) return `\`${quote}\` does not quote in a shell. Use \`'\` or \`"\`.`
  const inputs = argv.filter((word) => word === '-i' || word === '--input').length
  if (argv.filter(isRegularFile).length > inputs) {
    return inputs === 0
      ? HOW_TO_READ_FILES
      : "`-i` takes one file or, in quotes, a pattern such as `-i 'logs/*.gz'`, and can be repeated."
  }
  return /\bapl\b/.test(first.name())
    ? 'A query is one argument in quotes, with `|` between its operators.'
    : 'A value with spaces needs quotes.'
}

/** A quotation mark that word processors and chats put in place of `"` and `'`. */
const TYPOGRAPHIC_QUOTE = /^[“”„‘’‚«»]/
