import { Command } from 'commander'
import type { Connection } from '../../client/connection.js'
import { query } from '../../client/query.js'
import { counted, formatInteger } from '../../text/integer.js'
import type { TabularResult } from '../../wire/http/tabular-result.js'
import { RESULT_ROWS } from '../../wire/limits.js'
import { connect } from '../connection/connect.js'
import { closeConnection } from '../connection/with-connection.js'
import { type Context, clock } from '../context.js'
import { CommandError } from '../error/command-error.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import { spareInputs } from '../file/spare-inputs.js'
import { examples } from '../help/examples.js'
import { countOption } from '../option/option.js'
import { paramOption } from '../option/param.js'
import { durationOption } from '../option/quantity.js'
import { addRare } from '../option/rare.js'
import {
  addTimeOptions,
  describeRange,
  type TimeRangeFlags,
  timeRange,
} from '../option/time-range.js'
import { addPrintOptions, type PrintFlags } from '../output/flags.js'
import { openPrinter } from '../output/printer.js'
import { queryError } from '../query/error.js'
import { queryText } from '../query/query-text.js'
import { addRequestOptions, type RequestFlags, requestOf } from '../query/request-options.js'
import { settings } from '../settings/settings.js'
import { type Interrupt, interruptible } from '../terminal/interrupt.js'
import { openWaiting } from '../terminal/progress.js'
import { type Comparison, compare } from './diff/compare.js'
import {
  askFiles,
  checkStandardInput,
  combinedCode,
  type FilesResult,
  filesOfPlans,
  planFiles,
} from './diff/files.js'
import { type AgainstFlags, type Side, sidesOf } from './diff/sides.js'

interface DiffOptions extends TimeRangeFlags, AgainstFlags, RequestFlags, PrintFlags {
  readonly apl?: string | undefined
  readonly file?: string
  readonly limit?: number
  readonly strict?: boolean
}

/** The default limit of rows per side is the maximum, because a group beyond the limit would appear as new or vanished. */
const MOST_ROWS = RESULT_ROWS

export function diffCommand(context: Context): Command {
  const command = new Command('diff')
    .description(
      'Runs a query over two time ranges or on two deployments, or runs two queries, and joins the rows by their groups. Prints the groups with the columns `before`, `after`, `difference` and `ratio`: new groups first, then vanished groups, then the largest differences.',
    )
    .argument('[apl]', 'a query with `summarize`; `-` reads it from standard input')
    .optionsGroup('Query options:')
    .option('-f, --file <file>', 'read the query from a file; `-` is standard input')
  addTimeOptions(command)
    .addOption(
      durationOption(
        '--against <duration>',
        'compare with the same range this much earlier: 1d, 1w',
      ),
    )
    .option('--against-profile <profile>', 'compare with another deployment')
    .option('--against-query <apl>', 'compare with the result of another query')
    .addOption(countOption('-n, --limit <rows>', 'the maximum number of rows of each result'))
    .addOption(paramOption())
  addPrintOptions(command).option('--strict', 'exit with 3 when a limit truncated a result')
  return addRare(command, addRequestOptions)
    .addHelpText('after', () => examples(DIFF_EXAMPLES))
    .action(async (apl: string | undefined, flags: Omit<DiffOptions, 'apl'>) =>
      context.finish(await runDiff({ apl, ...flags }, context)),
    )
}

const DIFF_EXAMPLES = [
  `evq diff "logs | summarize count() by service" --since 1h --against 1d`,
  `evq diff "logs | reduce by msg | project-away share" --since 1h --against 1w`,
  `evq diff "logs | count" --since 1d --against-profile staging`,
  `evq diff "file('new.log') | count" --against-query "file('old.log') | count"`,
]

async function runDiff(options: DiffOptions, context: Context): Promise<ExitCode> {
  const { io } = context
  const now = clock(io)()
  const range = timeRange(options, now)
  const apl = await queryText(options, io, `\`${DIFF_EXAMPLES[0]}\``)
  const { before, after, shift } = sidesOf({ apl, range, flags: context.flags() }, options, now)
  return await interruptible(async (interrupt) => {
    const plans = [
      await planFiles(before, options, context),
      await planFiles(after, options, context),
    ]
    checkStandardInput(plans, { hasQuery: [options.apl, options.file].includes('-') })
    await spareInputs({ '-O': options.out }, [options.file, ...(await filesOfPlans(plans))], io)
    const printer = await openPrinter(options, context)
    try {
      const limited = { ...options, limit: options.limit ?? MOST_ROWS }
      const files: (FilesResult | undefined)[] = []
      // The sides run one after the other, because a process has one engine.
      for (const [i, side] of [before, after].entries()) {
        const plan = plans[i]
        files.push(plan && (await askFiles(side, plan, limited, context)))
      }
      if (interrupt.signal.aborted) return EXIT.interrupted
      const others = [before, after].filter((_, i) => files[i] === undefined)
      const asked = await askBoth(others, options, { context, interrupt })
      const rest = asked.values()
      const results = files.map((one) => one?.result ?? rest.next().value!)
      const [earlier, later] = results.map(({ tables }) => tables[0])
      if (earlier === undefined || later === undefined) {
        throw new CommandError('The deployment returned no table to compare.')
      }
      const compared = compare(earlier, later, shift)
      await printer.printTables([compared.table], interrupt.signal)
      const code = combinedCode(report(results, options, context), files)
      for (const line of describe(compared, [before, after], options)) context.info(line)
      return code
    } finally {
      await printer.close()
    }
  })
}

/** Runs the queries of both sides at the same time, over one connection unless they are on different deployments. */
async function askBoth(
  sides: readonly Side[],
  options: DiffOptions,
  { context, interrupt }: { readonly context: Context; readonly interrupt: Interrupt },
): Promise<readonly TabularResult[]> {
  const connections = new Map<Side['flags'], Connection>()
  for (const { flags } of sides) {
    const found = await settings(flags, context.io.env)
    if (connections.has(flags)) continue
    connections.set(flags, connect(found, { ...context, flags: () => flags }))
  }
  const progress = openWaiting(context)
  try {
    const asked = sides.map(async ({ apl, range, flags }) => {
      const connection = connections.get(flags)!
      context.debug(`Querying ${connection.name}${describeRange(range)}.`)
      const request = requestOf(apl, range, { ...options, limit: options.limit ?? MOST_ROWS })
      return await query(connection, request, { signal: interrupt.signal }).catch((error) => {
        throw queryError(apl, error)
      })
    })
    // Connections are closed after both queries have ended. If both fail, the error of `after`, the main query, is reported.
    await Promise.allSettled(asked)
    return await Promise.all(asked.toReversed()).then((results) => results.toReversed())
  } finally {
    progress.close()
    for (const connection of connections.values()) await closeConnection(connection, interrupt)
  }
}

function report(
  results: readonly TabularResult[],
  { strict, limit = MOST_ROWS }: DiffOptions,
  context: Context,
): ExitCode {
  let code: ExitCode = EXIT.done
  for (const [i, { status, tables }] of results.entries()) {
    const side = i === 0 ? 'before' : 'after'
    const messages = status.messages ?? []
    for (const { msg } of messages) if (msg !== '') context.warn(`\`${side}\`: ${msg}`)
    const rows = tables[0]?.columns[0]?.length ?? 0
    // A service reports a limit of its own, not one that the request set.
    if (rows >= limit || messages.some((message) => message.code.includes('limit'))) {
      context.warn(
        `The result \`${side}\` has ${counted(rows, 'row')}, its limit. Groups beyond it appear as new or vanished: reduce them with \`where\`, or set another limit with \`-n\`.`,
      )
      if (strict) code = EXIT.incomplete
    }
    if (!status.isPartial) continue
    context.warn(`The result \`${side}\` is partial: the service could not examine all of it.`)
    code = EXIT.incomplete
  }
  return code
}

function describe(
  { table, added, vanished, changed, others }: Comparison,
  sides: readonly Side[],
  { timezone }: DiffOptions,
): readonly string[] {
  const rows = table.columns[0]?.length ?? 0
  const left = others.map((name) => `\`${name}\``).join(', ')
  return [
    ...(others.length === 0 ? [] : [`Not compared: ${left}.`]),
    ...sides.flatMap(({ range }, i) => {
      const text = describeRange(range, timezone)
      return text === '' ? [] : [`${i === 0 ? 'before' : 'after'}:${text}`]
    }),
    `${counted(rows, 'row')}: ${formatInteger(added)} new, ${formatInteger(vanished)} vanished, ${formatInteger(changed)} changed`,
  ]
}
