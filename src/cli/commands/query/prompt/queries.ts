import type { Connection } from '../../../../client/connection.js'
import { type Context, clock } from '../../../context.js'
import type { ExitCode } from '../../../exit-code.js'
import { timeRange } from '../../../option/time-range.js'
import type { OutputFormat, PrintFlags } from '../../../output/flags.js'
import { openPrinter, type Printer } from '../../../output/printer.js'
import { cachedNames } from '../../../query/completion.js'
import { executeQuery } from '../execute-query.js'
import type { QueryOptions } from '../options.js'
import type { AppendedFile } from './appended-file.js'
import { type LastResult, withOutput } from './last-result.js'

interface PromptTarget {
  readonly connection: Connection
  readonly isLocal: boolean
  /** The files that queries read when they begin with an operator, and their dataset. */
  readonly input?: { readonly dataset: string; readonly files: readonly string[] }
}

/** The queries of a prompt, on a connection that stays open, and the settings that commands of the prompt change. */
export class PromptQueries {
  /** The format of results; undefined for the format on the command line. */
  format: OutputFormat | undefined
  /** The file that receives results instead of the terminal. */
  file: AppendedFile | undefined
  /** True when the elapsed time of each query is printed. */
  isTimed = false
  /** The time of the response to the latest query; undefined if there was none. A pager shows it for as long as it is read. */
  respondedAt: number | undefined
  last: LastResult | undefined
  readonly context: Context
  readonly connection: Connection
  readonly names
  /** The files that queries read, which no command may write to. */
  readonly inputs: readonly string[]
  private readonly target: PromptTarget
  /** The flags of the command line, with the start of the range that a command of the prompt has set. */
  private options: QueryOptions
  private readonly given: QueryOptions

  constructor(target: PromptTarget, options: QueryOptions, context: Context) {
    const { connection, input } = target
    this.target = target
    this.connection = connection
    this.names = { ...cachedNames(connection), input: input?.dataset }
    this.inputs = input?.files ?? []
    this.given = options
    this.options = options
    this.context = context
  }

  /** The start of the range of queries as a time; undefined if the range has no start. */
  get start(): string | undefined {
    return this.startOf(this.options)
  }

  /** Sets the start of the range; undefined for the range on the command line. Throws a `UsageError` for an invalid start. */
  setSince(since: string | undefined): void {
    const options = since === undefined ? this.given : { ...this.given, since }
    this.startOf(options)
    this.options = options
  }

  private startOf(options: QueryOptions): string | undefined {
    return timeRange(options, clock(this.context.io)()).startTime
  }

  get printFlags(): PrintFlags {
    return this.withFormat(this.given)
  }

  private withFormat(flags: PrintFlags): PrintFlags {
    return this.format === undefined ? flags : { ...flags, output: this.format }
  }

  /** Runs a query and prints its result. */
  async run(apl: string): Promise<ExitCode> {
    const { target, connection, options } = this
    this.respondedAt = undefined
    // All queries share one connection.
    const shared = { ...target, connection: { ...connection, close: async () => {} } }
    const query: QueryOptions = {
      ...options,
      output: this.format ?? options.output,
      ...(target.input !== undefined && { hasInputs: true, mainInput: target.input.dataset }),
      apl,
      sinceWord: '\\since',
      openPrinter: (flags, context) => this.openPrinter(apl, flags, context),
    }
    return await executeQuery(query, this.context, async () => shared)
  }

  /** Opens a printer that keeps the result for `\last`, and appends it to the file of `\o` if there is one. */
  private async openPrinter(apl: string, flags: PrintFlags, context: Context): Promise<Printer> {
    const { file } = this
    const { out, ...others } = this.withFormat(flags)
    const open = (header: Pick<PrintFlags, 'header'>) =>
      file === undefined
        ? openPrinter({ ...others, out, ...header }, context)
        : openPrinter({ ...others, ...header }, withOutput(context, file.stream))
    const printer = await open({})
    return {
      ...printer,
      printResponse: async (body, signal) => {
        this.respondedAt = performance.now()
        this.last = { apl, body }
        // A raw response may have the legacy form, whose columns are not known.
        const isContinued = others.output !== 'raw' && file?.needsHeader(body) === false
        const chosen = isContinued ? await open({ header: false }) : printer
        return await chosen.printResponse(body, signal)
      },
    }
  }
}
