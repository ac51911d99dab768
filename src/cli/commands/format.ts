import { Command } from 'commander'
import { FORMATS } from '../../input/format.js'
import { LINE_FORMATS } from '../../input/log/format/formats.js'
import { compilePattern } from '../../input/log/pattern/compile-pattern.js'
import { suggestion } from '../../text/suggest.js'
import { isDatasetName } from '../../wire/http/dataset-name.js'
import type { Context } from '../context.js'
import { UsageError } from '../error/usage-error.js'
import { examples } from '../help/examples.js'
import { parseOption } from '../option/line-pattern.js'
import { addListOptions, type PrintFlags } from '../output/flags.js'
import {
  changeSavedFormats,
  readSavedFormats,
  type SavedFormat,
} from '../settings/saved-formats.js'
import { type ListColumn, printList } from '../terminal/listing.js'

export function formatCommand(context: Context): Command {
  const format = new Command('format')
    .description(
      'Manages named formats of log lines for `evq ingest -i <name>`. `evq ingest` also detects them: a format that at least 80 % of the first lines match is used.',
    )
    .addHelpText('after', () => examples(FORMAT_EXAMPLES))
  format.addCommand(addCommand(context))
  addListOptions(format.command('list'))
    .summary('list the saved formats')
    .description('Prints the saved formats with their fields.')
    .addHelpText('after', () => examples(['evq format list']))
    .action((flags: PrintFlags) => listFormats(flags, context))
  addListOptions(format.command('show'))
    .summary('show a format')
    .description('Prints the patterns of a format, and the names and types of their fields.')
    .argument('<format>', 'name of the format')
    .addHelpText('after', () => examples(['evq format show myapp']))
    .action((name: string, flags: PrintFlags) => showFormat(name, flags, context))
  format
    .command('test')
    .summary('try a format on a file')
    .description(
      'Reports how a format reads a file, as `evq ingest <dataset> <file> -i <format> --check` does: the first events next to their lines, the share of lines that match, the fields.',
    )
    .argument('<format>', 'name of the format')
    .argument('<file>', 'a log, optionally compressed; `-` reads standard input')
    .addHelpText('after', () => examples(['evq format test myapp app.log']))
    .action(async (name: string, file: string) => {
      savedFormat(name, context)
      const { runIngest } = await import('./ingest.js')
      const options = { dataset: name, files: [file], inputFormat: name, check: true }
      context.finish(await runIngest(options, context))
    })
  format
    .command('remove')
    .summary('remove a format')
    .description('Removes a saved format. Events that were read with it stay as they are.')
    .argument('<format>', 'name of the format')
    .addHelpText('after', () => examples(['evq format remove myapp']))
    .action((name: string) => removeFormat(name, context))
  return format
}

const FORMAT_EXAMPLES = [
  `evq format add myapp --parse '"[" time "] " level " " took:long "ms " message'`,
  'evq format test myapp app.log',
  'evq ingest logs app.log -i myapp',
]

interface AddFlags {
  readonly parse?: readonly string[]
  readonly description?: string
}

function addCommand(context: Context): Command {
  return new Command('add')
    .summary('add or replace a format')
    .description(
      'Saves patterns of log lines under a name. The first pattern that matches a line applies. `evq help patterns` explains patterns.',
    )
    .argument('<name>', 'name of the format')
    .addOption(parseOption('a pattern; can be repeated'))
    .option('--description <text>', 'what `evq format list` shows')
    .addHelpText('after', () =>
      examples([
        FORMAT_EXAMPLES[0]!,
        "evq format add gw --parse '%{IP:client} %{WORD:method} %{NUMBER:took:float}'",
      ]),
    )
    .action((name: string, flags: AddFlags) => addFormat(name, flags, context))
}

const BUILT_IN = ['auto', ...FORMATS, ...LINE_FORMATS.map(({ name }) => name)]

/** `evq format add`: adds a format, or replaces the format with the same name. */
async function addFormat(
  name: string,
  { parse: patterns, description }: AddFlags,
  { io, info }: Context,
): Promise<void> {
  if (BUILT_IN.includes(name)) {
    throw new UsageError(`\`${name}\` is a built-in format. Choose another name.`)
  }
  if (!isDatasetName(name)) {
    throw new UsageError(
      `\`${name}\` is not a valid name for a format: use letters, digits, \`_\`, \`.\` and \`-\`.`,
    )
  }
  if (patterns === undefined) {
    throw new UsageError("A format requires a pattern: set `--parse '<pattern>'`.")
  }
  const format = { name, patterns, description }
  let done = 'added'
  await changeSavedFormats(io.env, (saved) => {
    const others = saved.filter((one) => one.name !== name)
    if (others.length < saved.length) done = 'replaced'
    return [...others, format]
  })
  info(`${name}: ${done}`)
}

/** `evq format list`: one row per format. */
async function listFormats(flags: PrintFlags, context: Context): Promise<void> {
  const rows = [...readSavedFormats(context.io.env)].sort((a, b) => (a.name < b.name ? -1 : 1))
  if (rows.length === 0) context.info('There are no saved formats. `evq format add` saves one.')
  const columns: readonly ListColumn<SavedFormat>[] = [
    { name: 'name', of: ({ name }) => name },
    { name: 'description', of: ({ description }) => description },
    {
      name: 'fields',
      of: (format) => [...new Set(fieldsOf(format).map(({ name }) => name))].join(', '),
    },
  ]
  await printList({ rows, columns }, context, flags)
}

/** `evq format show`: one row per pattern, with the names and types of its fields. */
async function showFormat(name: string, flags: PrintFlags, context: Context): Promise<void> {
  const { patterns, description, ...format } = savedFormat(name, context)
  if (description !== undefined) context.info(`${format.name}: ${description}`)
  const fieldsIn = (pattern: string): string =>
    compilePattern(pattern)
      .fields.map(({ name, type }) => `${name}:${type}`)
      .join(', ')
  const columns: readonly ListColumn<string>[] = [
    { name: 'pattern', type: 'id', of: (pattern) => pattern },
    { name: 'fields', of: fieldsIn },
  ]
  await printList({ rows: patterns, columns }, context, flags)
}

async function removeFormat(name: string, context: Context): Promise<void> {
  savedFormat(name, context)
  await changeSavedFormats(context.io.env, (saved) => saved.filter((one) => one.name !== name))
  context.info(`${name}: removed`)
}

function savedFormat(name: string, { io }: Context): SavedFormat {
  const formats = readSavedFormats(io.env)
  const found = formats.find((format) => format.name === name)
  if (found !== undefined) return found
  const names = formats.map((format) => format.name)
  const all = names.length > 0 ? `Saved formats: ${names.join(', ')}.` : undefined
  const help = suggestion(name, names, all ?? '`evq format add` saves one.')
  throw new UsageError(`There is no saved format \`${name}\`. ${help}`)
}

function fieldsOf({ patterns }: SavedFormat) {
  return patterns.flatMap((pattern) => compilePattern(pattern).fields)
}
