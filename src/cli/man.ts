// The manual page, generated from the command tree and the help topics.
import type { EventEmitter } from 'node:events'
import type { Command, Option } from 'commander'
import type { Block } from './help/block.js'
import { TOPICS } from './help/topics.js'
import { pathOf } from './option/command-path.js'
import { allOptions } from './option/rare.js'

/** Returns the manual page in roff. The command tree must be complete. */
export async function manPage(program: Command, version: string): Promise<string> {
  const { commands } = program
  const topics = await Promise.all(
    TOPICS.map(async ({ name, load }) => [
      `.SH ${name.replace('-', ' ').toUpperCase()}`,
      ...(await load()).flatMap(blockLines),
    ]),
  )
  return [
    `.TH EVQ 1 "" "evq ${escaped(version)}" "User Commands"`,
    ...section('NAME', ['evq \\- pipe events in, ask with APL']),
    ...section('SYNOPSIS', ['\\fBevq\\fR \\fIcommand\\fR [\\fIoptions\\fR]']),
    ...section('DESCRIPTION', [
      'Sends events to an event service and queries it with APL. Without a configured deployment every command works on a local data directory; no server and no account are needed.',
    ]),
    ...section('COMMANDS', []),
    ...commands.flatMap(commandLines),
    ...section('GLOBAL OPTIONS', []),
    ...optionLines(program),
    ...topics.flat(),
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
  return [
    `.SS ${pathOf(command)} ${escaped(command.usage())}`,
    escaped(command.description()),
    ...optionLines(command),
    ...exampleLines(command),
  ]
}

/** Returns the options of the help under their headings. */
function optionLines(command: Command): readonly string[] {
  const lines: string[] = []
  let heading = ''
  for (const option of allOptions(command)) {
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

/** Returns the lines under `Examples:` in the help. */
function exampleLines(command: Command): readonly string[] {
  const help: string[] = []
  // Commander exposes additional help text only through this event.
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

/** Formats a part of a topic. */
function blockLines(block: Block): readonly string[] {
  if (block.kind === 'code') return ['.PP', '.RS', '.nf', ...block.lines.map(escaped), '.fi', '.RE']
  const text = escaped(block.text)
  if (block.kind === 'term') return ['.TP', `\\fB${escaped(block.term)}\\fR`, text]
  return [{ heading: '.SS', paragraph: '.PP', item: '.IP \\(bu 2' }[block.kind], text]
}

/** Escapes a text so that roff prints it literally. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('`', '\\(ga')
    .replaceAll("'", '\\(aq')
    .replaceAll('…', '...')
    .replace(
      /[^\0-\x7f]/gu,
      (sign) => `\\[u${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`,
    )
    .replace(/^\./gm, '\\&.')
}
