import { Command } from 'commander'
import { orAborted } from '../../text/abort.js'
import { withConnection } from '../connection/with-connection.js'
import type { Context } from '../context.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import { examples } from '../help/examples.js'
import { clock } from '../io.js'
import { choiceOption, countOption } from '../option/option.js'
import { type Params, paramOption } from '../option/param.js'
import { durationOption } from '../option/quantity.js'
import { parseTime } from '../option/time.js'
import { timeZoneOption } from '../option/time-zone.js'
import { queryFor } from './tail/apl.js'
import { follow } from './tail/follow.js'
import { type EventFlags, eventPrinter, TAIL_FORMATS } from './tail/printer.js'

interface TailOptions extends EventFlags {
  /** A dataset's name, or a query. */
  readonly what: string
  readonly since?: string
  readonly lines?: number
  readonly param?: Params
  /** Milliseconds. */
  readonly interval?: number
  /** Milliseconds. */
  readonly late?: number
}

const DEFAULT_INTERVAL_MS = 1_000

/** The default of `--late` for remote deployments, which scan and may charge for all events of that time. */
const REMOTE_LATENESS_MS = 24 * 3_600_000

/** `evq tail <dataset or apl>` */
export function tailCommand(context: Context, run = runTail): Command {
  return new Command('tail')
    .summary('print events as they arrive')
    .description(
      'Prints the events of a dataset or a query as they arrive, until Ctrl-C: one line each on a terminal, NDJSON in a pipe.',
    )
    .argument('<dataset or apl>', 'a dataset, or a query that filters one')
    .optionsGroup('Start options:')
    .option('--since <time>', 'start with the events since then, e.g. 10m, 1h or today')
    .addOption(countOption('-n, --lines <n>', 'start with the newest n events'))
    .optionsGroup('Query options:')
    .addOption(paramOption())
    .addOption(
      durationOption('--interval <duration>', 'how often to poll for new events (default: 1s)'),
    )
    .addOption(
      durationOption(
        '--late <duration>',
        'the maximum age of an event when it arrives (default: unlimited; 1d with --url)',
      ),
    )
    .optionsGroup('Output options:')
    .addOption(choiceOption('-o, --output <format>', TAIL_FORMATS.join(', '), TAIL_FORMATS))
    .option('--columns <names>', 'only these columns, in this order: a,b,c')
    .addOption(timeZoneOption('time zone: Europe/Berlin, +02:00, local (UTC)'))
    .addHelpText('after', () => examples(TAIL_EXAMPLES))
    .action(async (what: string, flags: Omit<TailOptions, 'what'>) =>
      context.finish(await run({ what, ...flags }, context)),
    )
}

const TAIL_EXAMPLES = [
  'evq tail logs',
  `evq tail "['logs'] | where level == 'error'" --since 10m`,
  `evq tail logs -n 20 | jq -r .message`,
]

async function runTail(options: TailOptions, context: Context): Promise<ExitCode> {
  const { io, debug } = context
  const { since, timezone: zone } = options
  const now = clock(io)
  const from = since === undefined ? undefined : parseTime(since, { now: now(), zone })
  return await withConnection(context, async ({ settings, connection, interrupt }) => {
    debug(`Following events at ${connection.name}.`)
    const { signal, exitCode } = interrupt
    const lateMs = options.late ?? (settings.url === undefined ? undefined : REMOTE_LATENESS_MS)
    const print = eventPrinter(options, context)
    const followed = {
      ...{ connection, now, since: from, params: options.param, last: options.lines },
      apl: queryFor(options.what),
      intervalMs: Math.max(options.interval ?? DEFAULT_INTERVAL_MS, MIN_INTERVAL_MS),
      allowedLateness: lateMs === undefined ? undefined : BigInt(Math.round(lateMs)) * 1_000_000n,
      signal,
    }
    for await (const table of follow(followed, context)) {
      // A slow reader must not delay the end after Ctrl-C.
      await orAborted(print(table), signal, () => undefined)
      if (signal.aborted) break
    }
    return exitCode() ?? EXIT.done
  })
}

/** Polling more often would overload the service. */
const MIN_INTERVAL_MS = 50
