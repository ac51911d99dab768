import type { Command } from 'commander'

/** Returns the names of a command: `evq starred create`. */
export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}
