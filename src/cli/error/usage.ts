import type { Command, CommanderError } from 'commander'
import { closest } from '../../text/suggest.js'
import { HOW_TO_READ_FILES, isFile } from './file-hint.js'
import { habitAdvice } from './habits.js'
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
  const [found = '', suggested = ''] = error.message.replace(/^error: /, '').split('\n')
  const quoted = found.replace(/'([^']*)'/g, '`$1`').replace(/\.$/, '')
  const what = quoted.charAt(0).toUpperCase() + quoted.slice(1)
  const near = /Did you mean (?:one of )?(.*)\?/.exec(suggested)?.[1] ?? nearCommand(error, command)
  const advice =
    near === undefined ? helpFor(error, argv, command) : `Did you mean ${inTicks(near)}?`
  return new UsageError(`${what}. ${habitOf(error, command) ?? advice}`)
}

/** Returns the innermost command that the command line names. */
function commandOf(program: Command, argv: readonly string[]): Command {
  const inner = (outer: Command, word: string) =>
    outer.commands.find((command) => command.name() === word) ?? outer
  return argv.reduce(inner, program)
}

function habitOf({ code, message }: CommanderError, command: Command): string | undefined {
  const isUnknown = code === 'commander.unknownCommand' || code === 'commander.unknownOption'
  return isUnknown ? habitAdvice(/'(.*)'/.exec(message)?.[1] ?? '', command) : undefined
}

/** Returns a command with a similar name. Commander makes no suggestions, because the help lists the commands by itself. */
function nearCommand({ code, message }: CommanderError, { commands }: Command) {
  const name = /'(.*)'/.exec(message)?.[1]
  if (code !== 'commander.unknownCommand' || name === undefined) return undefined
  return closest(
    name,
    commands.map((command) => command.name()),
  )
}

/** Returns the names of a command: `evq starred create`. */
function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}

function helpFor(
  { code, message }: CommanderError,
  argv: readonly string[],
  command: Command,
): string {
  if (code === 'commander.unknownOption' && /'(?:-i|--input)\b/.test(message)) {
    return HOW_TO_READ_FILES
  }
  const file = code === 'commander.unknownCommand' && argv.find(isFile)
  if (file) return `\`evq view ${file}\` looks through a file. ${HOW_TO_READ_FILES}`
  if (code !== 'commander.excessArguments') return '`--help` lists the commands and options.'
  if (command.registeredArguments.length === 0) {
    return `\`${pathOf(command)} --help\` lists its options.`
  }
  const [quote] = argv.flatMap((word) => TYPOGRAPHIC_QUOTE.exec(word) ?? [])
  if (quote !== undefined) return `\`${quote}\` does not quote in a shell. Use \`'\` or \`"\`.`
  const isReading = argv.includes('-i') || argv.includes('--input')
  return argv.some(isFile) && !isReading ? HOW_TO_READ_FILES : 'A value with spaces needs quotes.'
}

/** A quotation mark that word processors and chats put in place of `"` and `'`. */
const TYPOGRAPHIC_QUOTE = /^[“”„‘’‚«»]/

function inTicks(names: string): string {
  return names
    .split(', ')
    .map((name) => `\`${name}\``)
    .join(', ')
}
