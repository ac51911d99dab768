import { Command, Help, Option } from 'commander'
import type { Context } from './context.js'
import { helpColumns } from './help/examples.js'
import { choiceOption } from './option/option.js'
import { durationOption } from './option/quantity.js'
import { addFullHelp } from './option/rare.js'
import { connectionSettings } from './settings/connection-settings.js'
import { version } from './version.js'

interface Entry {
  readonly summary: string
  /** Loads the command and its modules. Called only for a command that the command line names. */
  readonly load: (context: Context, program: Command) => Promise<Command>
}

/** The commands by their names and arguments. */
const COMMANDS: Readonly<Record<string, Entry>> = {
  'ingest <dataset> [file...]': {
    summary: 'send events from files or standard input',
    load: async (context) => (await import('./commands/ingest.js')).ingestCommand(context),
  },
  'query [apl]': {
    summary: 'run a query and print its result',
    load: async (context) => (await import('./commands/query.js')).queryCommand(context),
  },
  'tail [dataset or apl]': {
    summary: 'print events as they arrive',
    load: async (context) => (await import('./commands/tail.js')).tailCommand(context),
  },
  'view [file or apl...]': {
    summary: 'look through a log, a dataset or a query',
    load: async (context) => (await import('./commands/view.js')).viewCommand(context),
  },
  'diff [apl]': {
    summary: 'compare two time ranges, deployments or queries',
    load: async (context) => (await import('./commands/diff.js')).diffCommand(context),
  },
  'page [apl]': {
    summary: 'export all rows of a query',
    load: async (context) => (await import('./commands/page.js')).pageCommand(context),
  },
  serve: {
    summary: 'run the local service',
    load: async (context) => (await import('./commands/serve.js')).serveCommand(context),
  },
  'starred <command>': {
    summary: 'save, change and run queries',
    load: async (context) => (await import('./commands/starred.js')).starredCommand(context),
  },
  'dataset <command>': {
    summary: 'list, show, rename and delete datasets',
    load: async (context) => (await import('./commands/dataset.js')).datasetCommand(context),
  },
  'token <command>': {
    summary: 'manage the tokens of the local service',
    load: async (context) => (await import('./commands/token.js')).tokenCommand(context),
  },
  'profile <command>': {
    summary: 'manage named deployments',
    load: async (context) => (await import('./commands/profile.js')).profileCommand(context),
  },
  'format <command>': {
    summary: 'manage formats of log lines',
    load: async (context) => (await import('./commands/format.js')).formatCommand(context),
  },
  lsp: {
    summary: 'run a language server for editors',
    load: async (context) => (await import('./commands/lsp.js')).lspCommand(context),
  },
  'completion bash|zsh|fish': {
    summary: 'print a shell completion script',
    load: async (context) =>
      (await import('./commands/completion.js')).completionCommand(context, (words) =>
        createProgram(words, context),
      ),
  },
  'help [topic]': {
    summary: 'explain a command, a topic or a word of APL',
    load: async (context, program) =>
      (await import('./commands/help.js')).helpCommand(context, program),
  },
}

/** The names of the commands, in the order of the help. */
export const COMMAND_NAMES = Object.keys(COMMANDS).map(nameOf)

function nameOf(form: string): string {
  return form.replace(/ .*/, '')
}

const EXAMPLES = `
Examples:
  cat app.ndjson | evq ingest logs
  evq query "['logs'] | where status >= 500 | summarize count() by service"
  evq query -i app.log "where level == 'error' | summarize count() by logger"
  evq query "['logs'] | limit 100" --since 1d -o csv > logs.csv
`

const FOOTER =
  'Without --url, every command works on a local data directory; no server and no account are needed. See `evq <command> --help` and `evq help` for more.'

/** The minimum width of the text next to the names. On narrower terminals, the text is below them. */
const TEXT_WIDTH = 20
const TEXT_INDENT = 6

/** Wraps help on narrow terminals, too. */
const WRAPPING = {
  minWidthToWrap: 12,
  formatItem(term: string, termWidth: number, text: string, helper: Help): string {
    const { helpWidth = 80 } = helper
    const isBeside = text === '' || helpWidth - termWidth - '    '.length >= TEXT_WIDTH
    if (isBeside) return Help.prototype.formatItem.call(helper, term, termWidth, text, helper)
    const wrapped = helper.boxWrap(text, helpWidth - TEXT_INDENT)
    return `  ${term}\n${wrapped.replace(/^/gm, ' '.repeat(TEXT_INDENT))}`
  },
}

/** Returns the command tree. Commands that the command line names are complete; the others are outlines. */
export async function createProgram(argv: readonly string[], context: Context): Promise<Command> {
  const width = helpColumns(context.io)
  const helper = Object.assign(new Help(), { ...WRAPPING, helpWidth: width })
  const program = new Command('evq')
    .description(description(helper))
    .usage('<command> [options]')
    .version(version(), '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.io.stdout.write(text),
      // Only `failure.ts` reports errors.
      writeErr: () => {},
      getOutHelpWidth: () => width,
      getOutHasColors: () => false,
    })
    // The description lists the commands, so that they come before the options.
    .configureHelp({ ...WRAPPING, visibleCommands: () => [] })
    .addHelpText('after', `${EXAMPLES}\n${helper.boxWrap(FOOTER, width)}`)
  addSharedOptions(program)
  for (const [form, { summary, load }] of Object.entries(COMMANDS)) {
    const isNamed = argv.includes(nameOf(form))
    const command = isNamed ? await load(context, program) : program.command(form)
    adopt(program, command.summary(summary))
  }
  return program
}

/** Adds a command with inherited settings. `addCommand` alone does not inherit the exit and the output: an error would exit. */
function adopt(parent: Command, command: Command): void {
  command.copyInheritedSettings(parent).addHelpOption(new Option('-h, --help').hideHelp())
  if (command.commands.length > 0) command.configureHelp(WRAPPING).helpCommand(false)
  addFullHelp(command)
  for (const child of command.commands) adopt(command, child)
  if (!parent.commands.includes(command)) parent.addCommand(command)
}

function addSharedOptions(program: Command): void {
  program
    .optionsGroup('Connection:')
    .option('--data-dir <directory>', 'local data directory, used without --url (EVQ_DATA_DIR)')
    .addOption(
      durationOption(
        '--keep-warm <duration>',
        'keep a local service for later commands, for this time (EVQ_KEEP_WARM)',
      ),
    )
    .option('-P, --profile <name>', 'named deployment (EVQ_PROFILE)')
  for (const [, { flag, summary }] of connectionSettings) program.option(flag, summary)
  program
    .addOption(durationOption('--timeout <duration>', 'time to wait for a response (5m)'))
    .optionsGroup('Output:')
    .option('-q, --quiet', 'print no summaries')
    .option(
      '-v, --verbose',
      'print details; `-vv` prints each HTTP exchange',
      (_: string, before: number) => before + 1,
      0,
    )
    .addOption(
      choiceOption('--color <when>', 'use colors: auto, always or never', [
        'auto',
        'always',
        'never',
      ]),
    )
    .option('--json-errors', 'print a failure as one JSON object on standard error')
    .option('--debug', 'print the stack trace of a failure')
}

function description(helper: Help): string {
  const terms = Object.keys(COMMANDS)
  const width = Math.max(...terms.map((term) => term.length))
  const lines = Object.values(COMMANDS).map(({ summary }, index) =>
    helper.formatItem(terms[index]!, width, summary, helper),
  )
  return ['Pipe events in, ask with APL.', '', 'Commands:', ...lines].join('\n')
}
