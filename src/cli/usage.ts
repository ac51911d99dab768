import type { CommanderError } from 'commander'
import { UsageError } from './usage-error.js'

/** What commander found wrong with the command line, in this program's voice. */
export function usageErrorOf(error: CommanderError): UsageError {
  if (error.code === 'commander.help')
    return new UsageError('There is no command. `evq --help` lists them.')
  const [found = '', suggested = ''] = error.message.replace(/^error: /, '').split('\n')
  const quoted = found.replace(/'([^']*)'/g, '`$1`')
  const near = /Did you mean (?:one of )?(.*)\?/.exec(suggested)?.[1]
  const what = quoted.charAt(0).toUpperCase() + quoted.slice(1).replace(/\.$/, '')
  const help = near === undefined ? helpFor(error.code) : `Near: ${inTicks(near)}.`
  return new UsageError(`${what}. ${help}`)
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
