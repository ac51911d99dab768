import { Command } from 'commander'
import type { Limits } from '../../service/limits.js'
import { aborted } from '../../text/abort.js'
import { replaceFile } from '../../text/replace-file.js'
import { errorCode } from '../../text/system-error.js'
import { clock } from '../clock.js'
import type { Context } from '../context.js'
import { CommandError } from '../error/command-error.js'
import { UsageError } from '../error/usage-error.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import { examples } from '../help/examples.js'
import type { Output } from '../io.js'
import { choiceOption, countOption } from '../option/option.js'
import { bytesOption, durationOption } from '../option/quantity.js'
import { writeError } from '../output/file.js'
import { type ClickHouseFlags, clickHouseOptions } from '../settings/clickhouse.js'
import { dataDirectory } from '../settings/settings.js'
import { ignoreSignal, listenForInterrupt } from '../terminal/interrupt.js'
import { defaultLevel, LOG_LEVELS, type LogLevel, openLog } from './serve/log.js'

/** What `evq serve` is asked for, as its flags say it. */
interface ServeOptions extends ClickHouseFlags {
  readonly listen?: string
  readonly portFile?: string
  readonly maxBody?: number
  readonly maxRows?: number
  readonly queryTimeout?: number
  readonly queryMemory?: number
  readonly retention?: number
  readonly logLevel?: LogLevel
}

/** `evq serve` */
export function serveCommand(context: Context, run = runServe): Command {
  return new Command('serve')
    .summary('run the local service')
    .description(
      'Serves the data directory over HTTP until it is stopped. The first start prints a token.',
    )
    .option('--listen <host:port>', 'where to listen (127.0.0.1:4600); port 0 picks one')
    .option('--port-file <file>', 'write the port to this file once requests are accepted')
    .addOption(
      bytesOption('--max-body <size>', 'the longest body, uncompressed (64MiB)', BODY_SIZES),
    )
    .addOption(countOption('--max-rows <count>', 'the most rows of a result (50000)'))
    .addOption(durationOption('--query-timeout <duration>', 'the longest that a query runs (60s)'))
    .addOption(
      bytesOption('--query-memory <size>', 'the most memory of a query (2GiB)', QUERY_MEMORY),
    )
    .addOption(
      durationOption('--retention <duration>', 'delete events when they are older: 30d (never)'),
    )
    .addOption(
      choiceOption(
        '--log-level <level>',
        'what is logged on stderr: silent, error, warn, info or debug (info)',
        LOG_LEVELS,
      ),
    )
    .option('--clickhouse <url>', 'keep the data in the ClickHouse server at this address')
    .option('--cluster <name>', 'spread them over the servers of this cluster')
    .option('--clickhouse-config <file>', 'user, password, certificates and nodes, in TOML')
    .option('--allow-partial', 'answer without the servers of a cluster that are away')
    .addHelpText('after', () => examples(SERVE_EXAMPLES))
    .action(async (options: ServeOptions) => context.finish(await run(options, context)))
}

const MIB = 1024 ** 2
const GIB = 1024 ** 3
const BODY_SIZES = { least: 1, most: GIB }
/** The engine needs some before a query does anything; half of it is what sorting spills at. */
const QUERY_MEMORY = { least: 64 * MIB, most: 1024 * GIB }

const SERVE_EXAMPLES = [
  'evq serve',
  'evq serve --retention 30d',
  'evq serve --max-rows 5000 --query-timeout 10s --query-memory 500MiB',
  'evq serve --listen 127.0.0.1:0 --port-file port --data-dir ./events',
  'evq serve --clickhouse https://db:8443 --clickhouse-config db.toml',
]

/**
 * Serves until a signal stops it. A service that does not write to a terminal outlives the one it was started from:
 * `nohup` asks for this, and Node undoes what it asks the system for.
 */
async function runServe(options: ServeOptions, context: Context): Promise<ExitCode> {
  const { io } = context
  const { listen = '127.0.0.1:4600' } = options
  const address = parseAddress(listen)
  const directory = dataDirectory(context.flags(), io.env)
  const log = await openLog(context, {
    level: options.logLevel ?? defaultLevel(context.flags()),
    withStack: context.flags().debug === true,
  })
  const retentionMs = options.retention
  if (retentionMs === 0) throw new UsageError('`--retention` takes a time above 0.')
  const clickHouse = await clickHouseOptions(options, io.env)
  const { serve } = await import('../../local/serve.js')
  const interrupt = listenForInterrupt(io.stderr.isTTY ? undefined : ['SIGINT', 'SIGTERM'])
  const listenForHangup = ignoreSignal('SIGHUP')
  try {
    const service = await serve({
      ...address,
      directory,
      ...(clickHouse && { clickHouse }),
      ...(retentionMs !== undefined && { retentionMs }),
      limits: limitsOf(options),
      now: clock(io),
      report: log.failed,
      warn: log.warned,
      answered: log.answered,
      refused: log.refused,
      expired: log.expired,
    }).catch((error: unknown) => {
      throw listenError(error, listen)
    })
    try {
      if (options.portFile !== undefined) {
        await writePort(options.portFile, service.url).catch((error: unknown) => {
          // The next start makes none.
          showToken(service, io.stderr)
          throw error
        })
      }
      announce(service, clickHouse?.url ?? directory, io.stderr)
      await aborted(interrupt.signal)
    } finally {
      await service.close()
    }
    // SIGTERM is how a supervisor ends a service that did nothing wrong.
    const exitCode = interrupt.exitCode() ?? EXIT.done
    return exitCode === EXIT.terminated ? EXIT.done : exitCode
  } finally {
    listenForHangup()
    interrupt.release()
  }
}

/** The limits that the command line sets; the rest are the service's own. */
function limitsOf(options: ServeOptions): Partial<Limits> {
  const { maxBody, maxRows, queryTimeout, queryMemory } = options
  if (queryTimeout === 0) throw new UsageError('`--query-timeout` takes a time above 0.')
  return {
    ...(maxBody !== undefined && { bodyBytes: maxBody }),
    ...(maxRows !== undefined && { rows: maxRows }),
    ...(queryTimeout !== undefined && { queryTimeoutMs: queryTimeout }),
    ...(queryMemory !== undefined && { queryMemoryBytes: queryMemory }),
  }
}

async function writePort(file: string, url: string): Promise<void> {
  try {
    await replaceFile(file, `${new URL(url).port}\n`)
  } catch (error) {
    throw writeError(`\`${file}\``, error)
  }
}

function showToken({ token }: { readonly token?: string }, stderr: Output): void {
  if (token !== undefined) stderr.write(`The first token, shown this once: ${token}\n`)
}

/** The address is what the command is for, so `-q` does not silence it; nor can the token be had again. */
function announce(
  { url, token }: { readonly url: string; readonly token?: string },
  data: string,
  stderr: Output,
): void {
  stderr.write(`Serves ${data} on ${url}. Ctrl-C stops it.\n`)
  if (token === undefined) return
  showToken({ token }, stderr)
  stderr.write('Elsewhere, `EVQ_URL` and `EVQ_TOKEN` make evq use this service.\n')
}

/** `host:port`, `:port` or `[v6]:port`. */
function parseAddress(text: string): { readonly host: string; readonly port: number } {
  const [, v6, name, digits] = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (digits === undefined || port > 65_535) {
    throw new UsageError(
      `\`--listen\` takes a host and a port such as \`127.0.0.1:4600\`, not \`${text}\`.`,
    )
  }
  return { host: v6 ?? (name || '127.0.0.1'), port }
}

/** What stood in the way of listening, where the address is to blame. */
function listenError(error: unknown, address: string): unknown {
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return new CommandError(
        `\`${address}\` is in use by another program. \`--listen 127.0.0.1:0\` picks a free port.`,
      )
    case 'EADDRNOTAVAIL':
    case 'EINVAL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new CommandError(`\`${address}\` is not an address of this machine.`)
    case 'EACCES':
      return new CommandError(`\`${address}\` is not for this account: ports from 1024 are.`)
    default:
      return error
  }
}
