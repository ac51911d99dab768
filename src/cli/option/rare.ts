import { type Command, Help, type Option } from 'commander'
import { pathOf } from './command-path.js'

// Rare options, which most users never need: `--help` does not list them, so that it fits on a screen; `--help-all` does.

const RARE = new WeakSet<Option>()

/** Adds options that only `--help-all` lists. */
export function addRare(command: Command, add: (command: Command) => Command): Command {
  const before = command.options.length
  add(command)
  for (const option of command.options.slice(before)) RARE.add(option)
  return command
}

export function markRare(command: Command, flags: readonly string[]): Command {
  for (const flag of flags) {
    const option = command.options.find(({ long }) => long === flag)
    if (option === undefined) throw new Error(`\`${command.name()}\` has no ${flag}`)
    RARE.add(option)
  }
  return command
}

export function allOptions(command: Command): readonly Option[] {
  return Help.prototype.visibleOptions.call(command.createHelp(), command)
}

/** Adds the flag `--help-all` to a command, and to the end of its help a line about it if the command has rare options. */
export function addFullHelp(command: Command): void {
  // `starred --help-all` would also take the flag of `starred list --help-all`.
  if (command.commands.length > 0) return
  const rare = command.options.filter((option) => RARE.has(option)).length
  let isFull = false
  const visibleOptions = () => allOptions(command).filter((option) => isFull || !RARE.has(option))
  command
    .configureHelp({ ...command.configureHelp(), visibleOptions })
    .addOption(command.createOption('--help-all', 'show help with all options').hideHelp())
    .on('option:help-all', () => {
      isFull = true
      command.help()
    })
    .addHelpText('after', () =>
      isFull || rare === 0 ? '' : `\`${pathOf(command)} --help-all\` lists ${rare} more options.`,
    )
}
