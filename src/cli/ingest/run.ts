import { randomUUID } from 'node:crypto'
import type { Connection } from '../../client/connection.js'
import { ApiError } from '../../client/error.js'
import { INGEST_RETRY } from '../../client/ingest.js'
import type { RetryPolicy } from '../../client/retry.js'
import { batches } from '../../input/batches.js'
import { BufferPool } from '../../input/buffer-pool.js'
import { InputError } from '../../input/error.js'
import { beginInput } from '../../input/input.js'
import { type Opened, openFile, openStandardInput } from '../../input/open.js'
import { CommandError } from '../command-error.js'
import type { Context } from '../context.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import type { IngestOptions } from '../ingest.js'
import type { Interrupt } from '../interrupt.js'
import type { Account } from './account.js'
import { together } from './accounts.js'
import type { Progress } from './progress.js'
import { IngestSender } from './sender.js'
import { IngestTally } from './tally.js'

export interface RunOptions {
  readonly options: IngestOptions & { readonly concurrency: number }
  readonly context: Context
  readonly connection: Connection
  readonly interrupt: Interrupt
  readonly progress: Progress
}

/** One run of `evq ingest`: all its inputs, one after the other. */
export class IngestRun {
  private readonly options: IngestOptions
  private readonly context: Context
  private readonly interrupt: Interrupt
  private readonly progress: Progress
  private readonly tally: IngestTally
  private readonly account: Required<Account>
  private readonly sender: IngestSender
  private readonly pool: BufferPool
  private readonly unreadable: InputError[] = []
  /** Aborted when there is no use in reading on. */
  private readonly stop: AbortSignal

  constructor({ options, context, connection, interrupt, progress }: RunOptions) {
    const { dataset, timestampField, concurrency, batchBytes = 4 * 1024 * 1024 } = options
    this.options = options
    this.context = context
    this.interrupt = interrupt
    this.progress = progress
    const note = (text: string) => progress.pause(() => context.note(text))
    this.tally = new IngestTally({ dataset, note })
    this.pool = new BufferPool(batchBytes)
    const retry = this.retryPolicy()
    this.account = together([this.tally])
    this.sender = new IngestSender({
      connection,
      dataset,
      timestampField,
      concurrency,
      retry,
      batchId: batchIds(),
      account: this.account,
    })
    this.stop = AbortSignal.any([interrupt.signal, this.sender.stopped])
  }

  private retryPolicy(): RetryPolicy {
    const { context, interrupt, progress } = this
    return {
      ...INGEST_RETRY,
      signal: interrupt.signal,
      onRetry({ reason, delayMs }) {
        const text = `Sends a batch again in ${Math.round(delayMs)} ms: ${reason}`
        progress.show(() => text)
        progress.pause(() => context.detail(text))
      },
    }
  }

  async run(): Promise<ExitCode> {
    const { files } = this.options
    for (const file of files.length === 0 ? ['-'] : files) {
      if (this.stop.aborted) break
      await this.input(file)
    }
    await this.sender.settled()
    await this.account.close()
    this.progress.close()
    return this.conclude()
  }

  private async input(file: string): Promise<void> {
    try {
      const opened = await this.open(file)
      try {
        await this.sendAll(opened)
      } finally {
        await opened.bytes.close()
      }
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      this.unreadable.push(error)
    }
  }

  private open(file: string): Opened | Promise<Opened> {
    const { stop } = this
    return file === '-' ? openStandardInput(this.context.io.stdin, stop) : openFile(file, stop)
  }

  private async sendAll(opened: Opened): Promise<void> {
    const { inputFormat = 'auto', batchSize = 10_000, flushEvery = 1000 } = this.options
    const input = await beginInput(opened, inputFormat)
    const { pool, stop: signal } = this
    const limits = { pool, mostEvents: batchSize, flushMs: flushEvery, signal }
    for await (const item of batches(input, limits)) {
      if (item.kind === 'batch') await this.sender.send(item)
      else if (item.kind === 'unsendable') await this.account.unsendable(item)
      else await this.account.ended(item)
      this.progress.show(() => this.tally.summary())
    }
  }

  /** Says what became of everything, and what that makes of the run. */
  private conclude(): ExitCode {
    const { tally, unreadable, context } = this
    const { failure } = this.sender
    const hasNothingElse = tally.stored + tally.rejected === 0
    const onlyError = failure ?? (unreadable.length === 1 ? unreadable[0] : undefined)
    const interrupted = this.interrupt.exitCode()
    // With nothing else to tell, the failure is the whole story.
    if (hasNothingElse && interrupted === undefined && onlyError !== undefined) {
      throw onlyError instanceof InputError ? new CommandError(onlyError.message) : onlyError
    }
    tally.showRest()
    for (const { message } of unreadable) context.note(message)
    if (failure !== undefined) context.note(`Stopped before the end: ${failure.message}`)
    context.say(tally.summary())
    return interrupted ?? this.exitCode()
  }

  private exitCode(): ExitCode {
    const { stored, rejected, unsent, unconfirmed } = this.tally
    const { failure } = this.sender
    if (failure instanceof ApiError && [401, 403].includes(failure.status)) return EXIT.denied
    if (this.unreadable.length > 0) return EXIT.failed
    const isShort = unsent + unconfirmed > 0 || failure !== undefined
    if (stored === 0 && isShort) return EXIT.failed
    return isShort || rejected > 0 ? EXIT.incomplete : EXIT.done
  }
}

/** Ids that no other run has given. */
function batchIds(): () => string {
  const run = randomUUID()
  let count = 0
  return () => {
    count += 1
    return `${run}-${count}`
  }
}
