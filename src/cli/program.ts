import { Command, Help, Option } from 'commander'
import type { Context } from './context.js'
import { HELP_WIDTH } from './help/examples.js'
import { choiceOption } from './option/option.js'
import { durationOption } from './option/quantity.js'
import { version } from './version.js'

interface Entry {
  readonly name: string
  readonly arguments: string
  readonly summary: string
  /** Loads the command with all it needs; only for one that the command line names. */
  readonly load: (context: Context, program: Command) => Promise<Command>
}

const COMMANDS: readonly Entry[] = [
  {
    name: 'ingest',
    arguments: '<dataset> [file...]',
    summary: 'send events from files or standard input',
    load: async (context) => (await import('./commands/ingest.js')).ingestCommand(context),
  },
  {
    name: 'query',
    arguments: '[apl]',
    summary: 'run a query and print its result',
    load: async (context) => (await import('./commands/query.js')).queryCommand(context),
  },
  {
    name: 'tail',
    arguments: '<dataset or apl>',
    summary: 'print events as they arrive',
    load: async (context) => (await import('./commands/tail.js')).tailCommand(context),
  },
  {
    name: 'page',
    arguments: '[apl]',
    summary: 'export all rows of a query',
    load: async (context) => (await import('./commands/page.js')).pageCommand(context),
  },
  {
    name: 'serve',
    arguments: '',
    summary: 'run the local service',
    load: async (context) => (await import('./commands/serve.js')).serveCommand(context),
  },
  {
    name: 'starred',
    arguments: '<command>',
    summary: 'save queries, change them and run them',
    load: async (context) => (await import('./commands/starred.js')).starredCommand(context),
  },
  {
    name: 'dataset',
    arguments: '<command>',
    summary: 'list datasets, delete them or their older events',
    load: async (context) => (await import('./commands/dataset.js')).datasetCommand(context),
  },
  {
    name: 'token',
    arguments: '<command>',
    summary: 'say who may use the local service, and for what',
    load: async (context) => (await import('./commands/token.js')).tokenCommand(context),
  },
  {
    name: 'profile',
    arguments: '<command>',
    summary: 'name deployments',
    load: async (context) => (await import('./commands/profile.js')).profileCommand(context),
  },
  {
    name: 'completion',
    arguments: 'bash|zsh|fish',
    summary: 'print a completion script for a shell',
    load: async (context) =>
      (await import('./commands/completion.js')).completionCommand(context, (words) =>
        createProgram(words, context),
      ),
  },
  {
    name: 'help',
    arguments: '[topic]',
    summary: 'explain a command, a topic or a word of APL',
    load: async (context, program) =>
      (await import('./commands/help.js')).helpCommand(context, program),
  },
]

/** The commands by name, as the help lists them. */
export const COMMAND_NAMES = COMMANDS.map(({ name }) => name)

const EXAMPLES = `
Examples:
  cat app.ndjson | evq ingest logs
  evq query "['logs'] | where status >= 500 | summarize count() by service"
  evq query "['logs'] | limit 100" --since 1d -o csv > logs.csv
`

const LAST_WORDS =
  'Nothing has to be started or signed up for: without --url, every command works on a local data directory. `evq <command> --help` and `evq help` tell more.'

/** Help is wrapped on narrow terminals too, down to so many columns beside the names. */
const WRAPPING = { minWidthToWrap: 12 }

/** The command tree, with the commands that the command line names and outlines of the others. */
export async function createProgram(argv: readonly string[], context: Context): Promise<Command> {
  const width = Math.min(context.io.stdout.columns || HELP_WIDTH, HELP_WIDTH)
  const helper = Object.assign(new Help(), { ...WRAPPING, helpWidth: width })
  const program = new Command('evq')
    .description(description(helper))
    .usage('<command> [options]')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.io.stdout.write(text),
      // What is wrong is said once, by `failure.ts`.
      writeErr: () => {},
      getOutHelpWidth: () => width,
      getOutHasColors: () => false,
    })
    // The description lists the commands before the options, which is the order of interest.
    .configureHelp({ ...WRAPPING, visibleCommands: () => [] })
    .addHelpText('after', `${EXAMPLES}\n${helper.boxWrap(LAST_WORDS, width)}`)
  addSharedOptions(program)
  for (const entry of COMMANDS) {
    const command = argv.includes(entry.name) ? await entry.load(context, program) : outline(entry)
    adopt(program, command)
  }
  return program
}

/** `addCommand` alone passes on neither the exit nor the output: a mistake would end the process. */
function adopt(parent: Command, command: Command): void {
  command.copyInheritedSettings(parent).addHelpOption(new Option('-h, --help').hideHelp())
  if (command.commands.length > 0) command.configureHelp(WRAPPING).helpCommand(false)
  for (const child of command.commands) adopt(command, child)
  if (!parent.commands.includes(command)) parent.addCommand(command)
}

function addSharedOptions(program: Command): void {
  program
    .optionsGroup('Where requests go:')
    .option('--data-dir <directory>', 'local data, used without --url (EVQ_DATA_DIR)')
    .option('-P, --profile <name>', 'a deployment by its name (EVQ_PROFILE)')
    .option('--url <url>', 'a deployment (EVQ_URL)')
    .option('--ingest-url <url>', 'where ingest goes, if elsewhere (EVQ_INGEST_URL)')
    .option('--org-id <id>', 'organization, for personal tokens (EVQ_ORG_ID)')
    .option('--token-file <file>', 'a file that holds the token (or EVQ_TOKEN)')
    .option('--ca-file <file>', 'certificates to trust, as PEM')
    .option('--proxy <url>', 'a proxy (or HTTPS_PROXY, HTTP_PROXY, NO_PROXY)')
    .addOption(durationOption('--timeout <duration>', 'how long to wait for an answer (5m)'))
    .optionsGroup('What is said beside the result:')
    .option('-q, --quiet', 'no summaries')
    .option(
      '-v, --verbose',
      'what is being done; `-vv` each HTTP exchange',
      (_: string, before: number) => before + 1,
      0,
    )
    .addOption(choiceOption('--color <when>', 'auto, always or never', ['auto', 'always', 'never']))
    .option('--json-errors', 'a failure is one JSON object on standard error')
    .option('--debug', 'where in evq a failure comes from')
}

function outline({ name, arguments: names, summary }: Entry): Command {
  const command = new Command(name).summary(summary)
  return names === '' ? command : command.arguments(names)
}

function description(helper: Help): string {
  const terms = COMMANDS.map(({ name, arguments: names }) => `${name} ${names}`.trim())
  const width = Math.max(...terms.map((term) => term.length))
  const lines = COMMANDS.map(({ summary }, index) =>
    helper.formatItem(terms[index]!, width, summary, helper),
  )
  return ['Pipe events in, ask with APL.', '', 'Commands:', ...lines].join('\n')
}
