import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { Command } from 'commander'
import type { FirstTokens, RunningService } from '../../local/serve.js'
import { aborted } from '../../text/abort.js'
import { errorCode } from '../../text/system-error.js'
import { datasetNameError, isDatasetName } from '../../wire/http/dataset-name.js'
import { type Context, clock, type Output } from '../context.js'
import { CommandError } from '../error/command-error.js'
import { UsageError } from '../error/usage-error.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import { examples } from '../help/examples.js'
import { collect } from '../option/option.js'
import { durationOption } from '../option/quantity.js'
import { timeZoneOption } from '../option/time-zone.js'
import { writeOutputFile } from '../output/file.js'
import { type ClickHouseFlags, clickHouseOptions } from '../settings/clickhouse.js'
import { dataDirectory } from '../settings/settings.js'
import { ignoreSignal, listenForInterrupt } from '../terminal/interrupt.js'
import { LIMIT_OPTIONS, limitsOf } from './serve/limit-options.js'
import { openLog } from './serve/log.js'
import { parseAddress, type SyslogFlags, syslogLoader, syslogOptions } from './serve/syslog.js'

interface ServeOptions extends ClickHouseFlags, SyslogFlags {
  readonly portFile?: string
  readonly retention?: number
  readonly allowOrigin?: readonly string[]
}

export function serveCommand(context: Context): Command {
  const command = new Command('serve')
    .description(
      'Serves the data directory over HTTP until it is stopped. The first start prints a personal token and an API token. Requests are logged on standard error; with `-q` only warnings and errors, with `-v` also health checks.',
    )
    .option(
      '--listen <host:port>',
      `address to listen on (${ADDRESS.example}); port 0: a free port; \`none\`: only local commands`,
    )
    .addOption(durationOption('--idle <duration>', 'stop after this time without requests (never)'))
    .option(
      '--port-file <file>',
      'write the port, then the ports of --syslog, to this file once requests are accepted',
    )
  for (const option of LIMIT_OPTIONS) command.addOption(option)
  return command
    .addOption(
      durationOption('--retention <duration>', 'delete events older than this: 30d (never)'),
    )
    .option('--default-dataset <name>', 'dataset for shippers whose requests do not name one')
    .option(
      '--allow-origin <origin>',
      'let web pages of an origin ingest and query; `*` for any; repeatable',
      collect,
    )
    .option(
      '--syslog <host:port>',
      'receive syslog messages over TCP and UDP, without tokens; repeatable',
      collect,
    )
    .option('--syslog-dataset <name>', 'dataset for syslog messages (value of --default-dataset)')
    .addOption(
      timeZoneOption(
        'zone of syslog times without a zone: Europe/Berlin, +02:00, local (UTC)',
        '--syslog-timezone <zone>',
      ),
    )
    .option('--clickhouse <url>', 'store the data in this ClickHouse server')
    .option('--cluster <name>', 'distribute the data over the servers of a cluster')
    .option('--clickhouse-config <file>', 'user, password, certificates and nodes, in TOML')
    .option('--allow-partial', 'run queries while servers of the cluster are unavailable')
    .addHelpText('after', () => examples(SERVE_EXAMPLES))
    .action(async (options: ServeOptions) => context.finish(await runServe(options, context)))
}

/** The flag for the address of the service, and its default. */
const ADDRESS = { flag: '--listen', example: '127.0.0.1:4600' }

const SERVE_EXAMPLES = [
  'evq serve',
  'evq serve --retention 30d',
  'evq serve --max-rows 5000 --query-timeout 10s --query-memory 500MiB',
  'evq serve --listen 127.0.0.1:0 --port-file port --data-dir ./events',
  'evq serve --clickhouse https://db:8443 --clickhouse-config db.toml',
]

/** The time in which the last lines of the log must be read after SIGTERM. */
const LAST_LINES_MS = 1_000

/**
 * Runs the service until a signal stops it. SIGHUP is ignored unless stderr is a terminal, so that the service outlives its
 * terminal under `nohup`: Node resets the signal handling that `nohup` sets.
 */
async function runServe(options: ServeOptions, context: Context): Promise<ExitCode> {
  const { io } = context
  const { listen = ADDRESS.example } = options
  const address = listen === 'none' ? undefined : parseAddress(listen, ADDRESS)
  if (address === undefined && options.portFile !== undefined) {
    throw new UsageError('`--port-file` needs an address: `--listen none` has no port.')
  }
  const flags = context.flags()
  if (flags.url !== undefined) {
    throw new UsageError('`evq serve` does not use `--url`; `--listen` sets its address.')
  }
  if (flags.keepWarm !== undefined) {
    throw new UsageError(
      '`evq serve` does not use `--keep-warm`; `--idle` stops it when it is unused.',
    )
  }
  const directory = dataDirectory(flags, io.env)
  const log = await openLog(context)
  const retentionMs = options.retention
  if (retentionMs === 0) throw new UsageError('`--retention` takes a duration above 0.')
  const { defaultDataset } = options
  if (defaultDataset !== undefined && !isDatasetName(defaultDataset)) {
    throw new UsageError(`\`--default-dataset\`: ${datasetNameError(defaultDataset)}`)
  }
  const syslog = syslogOptions(options)
  const clickHouse = await clickHouseOptions(options, io.env)
  const { serve, serveLocally, hostAndPort, SyslogAddressError } = await import(
    '../../local/serve.js'
  )
  const interrupt = listenForInterrupt(io.stderr.isTTY ? undefined : ['SIGINT', 'SIGTERM'])
  const listenForHangup = ignoreSignal('SIGHUP')
  // Node would open a port on which every local user could run code in this process.
  const allowInspector = ignoreSignal('SIGUSR1')
  try {
    const terms = {
      directory,
      clickHouse,
      retentionMs,
      defaultDataset,
      allowedOrigins: options.allowOrigin?.map(allowedOrigin),
      limits: limitsOf({ ...options }),
      loadSyslog: syslogLoader(options),
      now: clock(io),
      ...log,
    }
    const service: Served = await (address === undefined
      ? serveLocally(terms)
      : serve({ ...terms, ...address, syslog })
    ).catch((error: unknown) => {
      if (!(error instanceof SyslogAddressError)) throw listenError(error, listen, '--listen')
      throw listenError(error.cause, hostAndPort(error.address), '--syslog')
    })
    try {
      if (options.portFile !== undefined && service.url !== undefined) {
        const ports = [new URL(service.url).port, ...(service.syslog ?? []).map(({ port }) => port)]
        await writePorts(options.portFile, ports).catch((error: unknown) => {
          // The tokens cannot be shown later: the next start does not create tokens.
          showTokens(service, io.stderr)
          throw error
        })
      }
      letHeapGrow()
      // The engine stores no events when the current directory has been deleted, for example after a deployment.
      process.chdir('/')
      announce(service, clickHouse?.url ?? directory, context)
      for (const received of service.syslog ?? []) {
        io.stderr.write(
          `Receiving syslog on ${hostAndPort(received)} over TCP and UDP, stored in \`${syslog?.dataset}\`.\n`,
        )
      }
      await stopped(options, service.idle, interrupt.signal)
    } finally {
      await service.close()
    }
    const exitCode = interrupt.exitCode() ?? EXIT.done
    if (exitCode !== EXIT.terminated) return exitCode
    // A supervisor stops a healthy service with SIGTERM. If nothing reads the log, waiting for its reader would take forever.
    const written = new Promise<boolean>((resolve) => io.stderr.write('', () => resolve(true)))
    const isRead = await Promise.race([written, sleep(LAST_LINES_MS, false, { ref: false })])
    return isRead ? EXIT.done : exitCode
  } finally {
    listenForHangup()
    allowInspector()
    interrupt.release()
  }
}

/** A running service; without an address, it serves only local commands. */
type Served = Pick<RunningService, 'idle' | 'close'> & Partial<RunningService>

/** Resolves when a signal ends the service, or when it was idle for long enough. */
async function stopped(
  { idle }: ServeOptions,
  untilIdle: RunningService['idle'],
  signal: AbortSignal,
): Promise<void> {
  const ended = aborted(signal)
  if (idle === undefined) await ended
  else await Promise.race([ended, untilIdle(idle, signal).catch(() => {})])
}

/** Writes the port of the service and the ports that receive syslog messages, one per line. */
async function writePorts(file: string, ports: readonly (string | number)[]): Promise<void> {
  const text = ports.map((port) => `${port}\n`).join('')
  await writeOutputFile(file, text)
}

function showTokens({ token, apiToken }: FirstTokens, stderr: Output): void {
  if (token !== undefined) stderr.write(`The first token, shown only once: ${token}\n`)
  if (apiToken !== undefined) {
    stderr.write(`The first API token, for SDKs and shippers, shown only once: ${apiToken}\n`)
  }
}

/** Prints the address and the tokens, even with `-q`: the address is the result of the command, and tokens are shown only once. */
function announce({ url, token, apiToken }: Served, data: string, context: Context): void {
  const { stderr } = context.io
  const where = url === undefined ? 'to local commands' : `on ${url}`
  stderr.write(`Serving ${data} ${where}. Press Ctrl-C to stop.\n`)
  if (url === undefined) return
  if (token === undefined) {
    context.info(
      'Existing tokens are valid: `evq token list` lists them, `evq token create` creates more.',
    )
    return
  }
  showTokens({ token, apiToken }, stderr)
  stderr.write('To use this service from elsewhere, set `EVQ_URL` and `EVQ_TOKEN`.\n')
}

/** Returns an origin as browsers send it. Throws a `UsageError` for a string that is not an origin. */
function allowedOrigin(text: string): string {
  const origin = text === '*' ? text : originOf(text)
  if (origin !== undefined) return origin
  throw new UsageError(
    `\`--allow-origin\` takes an origin such as \`https://app.example.com\`, or \`*\`, not \`${text}\`.`,
  )
}

/** An origin has a scheme, a host and a port, and neither a path nor credentials. */
function originOf(text: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+\/?$/i.test(text) || !URL.canParse(text)) return undefined
  const { origin, protocol, host } = new URL(text)
  // `origin` is `null` for schemes that Node does not know, such as the schemes of browser extensions.
  return origin === 'null' ? `${protocol}//${host}` : origin
}

/** Returns a `CommandError` if the service can't listen because of the address, otherwise the error itself. */
function listenError(error: unknown, address: string, flag: string): unknown {
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return new CommandError(
        `\`${address}\` is in use by another program. \`${flag} 127.0.0.1:0\` picks a free port.`,
      )
    case 'EADDRNOTAVAIL':
    case 'EINVAL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new CommandError(`\`${address}\` is not an address of this machine.`)
    case 'EACCES':
      return new CommandError(
        `\`${address}\` can't be used: permission denied. Ports from 1024 need no privileges.`,
      )
    default:
      return error
  }
}

/**
 * Lets V8's heap grow to four times the size of its live objects before the next full collection. The bodies of requests are
 * outside of the heap but count towards its size, and the heap of a service is small: by default every 8 MB of bodies cause a
 * collection, which takes a third of the CPU time of an ingest. Called after the program is loaded, because V8 accepts cached
 * code only under the flags under which it was compiled.
 */
function letHeapGrow(): void {
  setFlagsFromString('--heap-growing-percent=300')
}
