// The manual page, made of the same command tree as the help: what it tells is what there is.
import type { EventEmitter } from 'node:events'
import type { Command, Option } from 'commander'
import { EXIT } from './exit-code.js'

/** What each exit code means. */
const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: 'All that was asked for was done; also when the reader closed the pipe.',
  failed: 'The service, the network or a file failed.',
  usage:
    'Wrong use: flags, settings, or a query that does not compile. Nothing was sent or stored.',
  incomplete:
    'Done, but not all: events rejected, a partial result, or a cut with \\fB--strict\\fR.',
  denied: 'Not signed in, or not allowed.',
  tooManyErrors: 'Stopped at \\fB--max-errors\\fR.',
  assertion: '\\fB--fail-on-empty\\fR or \\fB--assert\\fR was not met.',
  interrupted: 'Interrupted by Ctrl-C, in good order.',
  terminated: 'Ended by SIGTERM, in good order.',
}

const FILES: readonly (readonly [path: string, meaning: string])[] = [
  ['$XDG_CONFIG_HOME/evq/config.toml', 'Profiles: named deployments.'],
  ['$XDG_DATA_HOME/evq', 'The data directory of the local service.'],
  ['$XDG_STATE_HOME/evq', 'Checkpoints and the history of the prompt.'],
]

/** The manual page of a command tree that has all of its commands, as `man` reads it. */
export function manPage(program: Command, version: string): string {
  const { commands } = program
  return [
    `.TH EVQ 1 "" "evq ${escaped(version)}" "User Commands"`,
    ...section('NAME', ['evq \\- pipe events in, ask with APL']),
    ...section('SYNOPSIS', ['\\fBevq\\fR \\fIcommand\\fR [\\fIoptions\\fR]']),
    ...section('DESCRIPTION', [
      'Sends events to an event service and asks it with APL. Without a configured deployment every command works on a data directory of its own: nothing has to be started or signed up for.',
    ]),
    ...section('COMMANDS', []),
    ...commands.flatMap(commandLines),
    ...section('OPTIONS OF ALL COMMANDS', []),
    ...optionLines(program),
    ...section('EXIT STATUS', []),
    ...Object.entries(EXIT).flatMap(([name, code]) => [
      '.TP',
      `\\fB${code}\\fR`,
      EXIT_MEANINGS[name as keyof typeof EXIT],
    ]),
    ...section('FILES', []),
    ...FILES.flatMap(([path, meaning]) => ['.TP', `\\fI${escaped(path)}\\fR`, meaning]),
    ...section('EXAMPLES', []),
    ...exampleLines(program),
    '',
  ].join('\n')
}

function section(name: string, lines: readonly string[]): readonly string[] {
  return [`.SH ${name}`, ...lines]
}

function commandLines(command: Command): readonly string[] {
  if (command.commands.length > 0) return command.commands.flatMap(commandLines)
  const names = command.registeredArguments.map((argument) => {
    const name = `\\fI${escaped(argument.name())}\\fR${argument.variadic ? '...' : ''}`
    return argument.required ? name : `[${name}]`
  })
  return [
    `.SS ${['evq', ...path(command)].join(' ')} ${names.join(' ')} [\\fIoptions\\fR]`.replace(
      '  ',
      ' ',
    ),
    escaped(command.description()),
    ...optionLines(command),
    ...exampleLines(command),
  ]
}

/** The names from the first command down to this one. */
function path(command: Command): readonly string[] {
  const { parent } = command
  return parent === null ? [] : [...path(parent), command.name()]
}

/** The options that the help shows, under the headings that it gives them. */
function optionLines(command: Command): readonly string[] {
  const lines: string[] = []
  let heading = ''
  for (const option of command.createHelp().visibleOptions(command)) {
    const group = option.helpGroupHeading ?? heading
    if (group !== heading) lines.push('.PP', escaped(group))
    heading = group
    lines.push('.TP', flagsOf(option), escaped(option.description))
  }
  return lines
}

function flagsOf({ flags }: Option): string {
  return flags
    .split(/(<[^>]*>)/)
    .map((part) =>
      part.startsWith('<') ? `\\fI${escaped(part.slice(1, -1))}\\fR` : `\\fB${escaped(part)}\\fR`,
    )
    .join('')
    .replaceAll('\\fB\\fR', '')
}

/** The lines that stand under `Examples:` in the help. */
function exampleLines(command: Command): readonly string[] {
  const help: string[] = []
  // What is added to a help is told to nobody but those who listen to this.
  const emitter = command as unknown as EventEmitter
  const write = (text: string) => void help.push(text)
  emitter.emit('afterHelp', { error: false, command, write })
  const [, lines = ''] = /Examples:\n((?: {2}.*\n)+)/.exec(help.join('')) ?? []
  if (lines === '') return []
  return [
    '.PP',
    'Examples:',
    '.PP',
    '.RS',
    '.nf',
    escaped(lines.trimEnd().replace(/^ {2}/gm, '')),
    '.fi',
    '.RE',
  ]
}

/** A text as it stands, whatever it begins with: signs that steer the formatter are escaped. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('`', '\\(ga')
    .replaceAll("'", '\\(aq')
    .replace(/^\./gm, '\\&.')
}
