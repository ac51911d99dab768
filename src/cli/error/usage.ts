import type { CommanderError } from 'commander'
import { closest } from '../../text/suggest.js'
import { UsageError } from './usage-error.js'

/** What commander found wrong with the command line, in this program's voice. */
export function usageErrorOf(error: CommanderError, commands: readonly string[]): UsageError {
  if (error.code === 'commander.help') {
    return new UsageError('There is no command. `evq --help` lists them.')
  }
  const [found = '', suggested = ''] = error.message.replace(/^error: /, '').split('\n')
  const quoted = found.replace(/'([^']*)'/g, '`$1`').replace(/\.$/, '')
  const what = quoted.charAt(0).toUpperCase() + quoted.slice(1)
  const near =
    /Did you mean (?:one of )?(.*)\?/.exec(suggested)?.[1] ?? nearCommand(error, commands)
  return new UsageError(
    `${what}. ${near === undefined ? helpFor(error.code) : `Near: ${inTicks(near)}.`}`,
  )
}

/** The help lists commands by itself, so commander does not know which ones to suggest. */
function nearCommand({ code, message }: CommanderError, commands: readonly string[]) {
  const name = /'(.*)'/.exec(message)?.[1]
  if (code !== 'commander.unknownCommand' || name === undefined) return undefined
  return closest(name, commands)
}

function helpFor(code: string): string {
  return code === 'commander.excessArguments'
    ? 'One with spaces in it needs quotes around it.'
    : '`--help` lists what there is.'
}

function inTicks(names: string): string {
  return names
    .split(', ')
    .map((name) => `\`${name}\``)
    .join(', ')
}
