// Runs an export page by page, so that it can be interrupted at any time and resumed.

import { resolve } from 'node:path'
import type { Connection } from '../../../client/connection.js'
import { ApiError } from '../../../client/error.js'
import type { Page } from '../../../client/pages/page.js'
import {
  type ExportState,
  NO_PROGRESS,
  type PagesOptions,
  pages,
} from '../../../client/pages/pages.js'
import { parallelPages } from '../../../client/pages/parallel.js'
import type { Paging } from '../../../client/pages/request.js'
import { type PageBody, queryPage, queryResponse } from '../../../client/query.js'
import { orAborted } from '../../../text/abort.js'
import { counted } from '../../../text/integer.js'
import type { Problem } from '../../../text/problem.js'
import { isOfClosedPipe } from '../../../text/system-error.js'
import type { AplRequest } from '../../../wire/http/query.js'
import { decodeTabularResult, type Message } from '../../../wire/http/tabular-result.js'
import { formatTimestamp } from '../../../wire/time/timestamp.js'
import type { Context } from '../../context.js'
import { failureOf } from '../../error/failure.js'
import { UsageError } from '../../error/usage-error.js'
import { EXIT, type ExitCode } from '../../exit-code.js'
import { writeOutputFile } from '../../output/file.js'
import { isOutputFile, isShown } from '../../output/flags.js'
import { ResponsePage } from '../../output/response-page.js'
import { openRowTarget } from '../../output/row-target.js'
import { type RowFlags, RowSink } from '../../output/rows.js'
import { openPart, type Target } from '../../output/target.js'
import { throwForUserQuery } from '../../query/check.js'
import type { Interrupt } from '../../terminal/interrupt.js'
import { openProgress, type Progress as ProgressLine } from '../../terminal/progress.js'
import { type ExportIdentity, isDone, type SavedExport, writeCheckpoint } from './checkpoint.js'
import { concludeExport, isExportComplete, progressText, warnOfGaps } from './conclusion.js'

export interface ExportPlan {
  readonly paging: Paging
  readonly parallel?: number | undefined
  readonly isExpanding: boolean
  /** The query as written, without the columns that paging adds. */
  readonly written: WrittenQuery
  readonly print: RowFlags
  readonly out?: string | undefined
  readonly maxRows?: number | undefined
  readonly manifest?: string | undefined
  readonly checkpoint?: { readonly path: string; readonly identity: ExportIdentity } | undefined
  readonly saved?: SavedExport | undefined
  /** Reports failed assertions about this number of rows and returns the exit code. */
  readonly assertRows: (rows: number) => ExitCode
}

interface WrittenQuery {
  readonly request: AplRequest
  /** Returns a problem with its position in the query as written. */
  restore(problem: Problem): Problem
}

const START = { position: { kind: 'start' }, progress: NO_PROGRESS } as const

interface Environment {
  readonly connection: Connection
  readonly interrupt: Interrupt
  readonly context: Context
}

export async function runExport(plan: ExportPlan, environment: Environment): Promise<ExitCode> {
  const { saved, out, checkpoint } = plan
  const { context } = environment
  if (saved !== undefined && (await isDone(saved, out ?? ''))) {
    return reportAlreadyDone(saved, plan, context)
  }
  const target =
    checkpoint === undefined
      ? await openRowTarget(out, plan.print.format, context.io)
      : await openPart(resolve(out ?? ''), saved?.bytes ?? 0)
  return await new Export(plan, environment, target).run()
}

class Export {
  private readonly plan: ExportPlan
  private readonly environment: Environment
  private readonly target: Target
  private readonly rows: RowSink
  private readonly progressLine: ProgressLine
  private readonly startedAt = performance.now()
  private reached: ExportState
  /** The number of rows before the position in the checkpoint. */
  private savedRows: number

  constructor(plan: ExportPlan, environment: Environment, target: Target) {
    const { print, saved } = plan
    const { context } = environment
    this.plan = plan
    this.environment = environment
    this.target = target
    this.rows = new RowSink({ ...print, target, written: saved?.written }, context)
    this.reached = saved ?? { ...START, end: plan.paging.end }
    this.savedRows = this.reached.progress.rows
    this.progressLine = openProgress(isShown(plan, context.io) ? quiet(context) : context)
    this.progressLine.show(() => progressText(this.reached.progress, this.times()))
  }

  async run(): Promise<ExitCode> {
    const { interrupt, context } = this.environment
    let exitCode: ExitCode
    try {
      exitCode = await this.write()
    } catch (error) {
      // The error of the export is the one to report first.
      await this.end().catch((other: unknown) => context.warn(failureOf(other).message))
      const isIncomplete = this.reached.progress.rows > 0 && !isOfClosedPipe(error)
      if (isIncomplete && interrupt.exitCode() === undefined) this.reportStopped()
      throw error
    }
    await this.end()
    return exitCode
  }

  /** Writes the rows to the end or until an interruption. */
  private async write(): Promise<ExitCode> {
    const { saved, out, maxRows, assertRows } = this.plan
    const { interrupt, context } = this.environment
    const { rows } = this
    if (saved !== undefined) {
      const { before } = this.times()
      context.warn(`Resuming after the ${counted(before, 'row')} already in \`${out}.part\`.`)
    }
    const messages = await this.writePages()
    const stopped = interrupt.exitCode()
    if (stopped !== undefined) return stopped
    // An interrupted run may have written the end already.
    if (saved?.position.kind !== 'end') await rows.end()
    await this.save()
    await this.target.finish(interrupt.signal)
    this.progressLine.close()
    for (const { code, msg } of messages.values()) {
      // Messages about limits concern single pages and are expected.
      if (!code.includes('limit') && msg !== '') context.warn(msg)
    }
    const ended = { ...this.reached, lost: rows.lost, maxRows, assertRows, ...this.times() }
    return concludeExport(ended, context)
  }

  /** Returns the messages of the pages by code. */
  private async writePages(): Promise<ReadonlyMap<string, Message>> {
    const { plan } = this
    const { paging, maxRows, saved } = plan
    const { connection, interrupt, context } = this.environment
    const { signal } = interrupt
    const messages = new Map<string, Message>()
    const ask = (request: AplRequest, signal: AbortSignal) =>
      fetchPage(connection, request, { plan, signal }, context)
    const read = (body: PageBody) => ResponsePage.read(body, plan)
    const options = { paging, ask, read, maxRows, from: saved, signal }
    for await (const arrived of fetchPages(options, plan)) {
      // A slow reader must not delay the exit after Ctrl-C.
      const writing = this.rows.write(arrived.page, arrived.ranges).then(() => 'written' as const)
      if ((await orAborted(writing, signal, () => 'stopped' as const)) === 'stopped') break
      this.reached = arrived
      for (const message of arrived.messages) messages.set(message.code, message)
      if (arrived.position.kind !== 'end') await this.save()
    }
    return messages
  }

  private async save(): Promise<void> {
    const { checkpoint, paging } = this.plan
    const { target } = this
    if (checkpoint === undefined) return
    // The rows must be on disk before the checkpoint.
    await target.flush()
    const { position, progress, end } = this.reached
    const { start } = paging
    const { written } = this.rows
    await writeCheckpoint(checkpoint.path, {
      identity: checkpoint.identity,
      saved: { start, end, bytes: target.bytes, written, position, progress },
    })
    this.savedRows = progress.rows
  }

  private async end(): Promise<void> {
    const { manifest } = this.plan
    this.progressLine.close()
    await this.target.close()
    if (manifest !== undefined) {
      await writeOutputFile(manifest, this.manifestText(), { mode: 0o600 })
    }
    if (this.environment.interrupt.exitCode() !== undefined) this.reportStopped()
  }

  private manifestText(): string {
    const { paging, written } = this.plan
    const { progress, position, end } = this.reached
    const isWhole = position.kind === 'end' && this.rows.lost.length === 0
    const members = {
      query: written.request.apl,
      from: paging.start === undefined ? null : formatTimestamp(paging.start),
      to: formatTimestamp(end),
      rowsWritten: progress.rows,
      rowsMatched: progress.matched ?? null,
      duplicatesDropped: progress.repeated,
      pages: progress.pages,
      complete: isWhole && isExportComplete(progress),
    }
    return `${JSON.stringify(members, null, 2)}\n`
  }

  private reportStopped(): void {
    const { checkpoint, out } = this.plan
    const { info } = this.environment.context
    const rows = checkpoint === undefined ? this.reached.progress.rows : this.savedRows
    const text = `stopped after ${counted(rows, 'row')}`
    if (checkpoint !== undefined) info(`${text}; the same command resumes there`)
    else info(isOutputFile(out) ? `${text}; \`${out}\` is unchanged` : text)
  }

  /** Returns the time since the start and the number of rows before it. */
  private times() {
    const before = this.plan.saved?.progress.rows ?? 0
    return { elapsedMs: performance.now() - this.startedAt, before }
  }
}

function fetchPages<P extends Page>(
  options: PagesOptions<PageBody, P>,
  { parallel }: ExportPlan,
): ReturnType<typeof pages<PageBody, P>> {
  if (parallel === undefined) return pages(options)
  const { ask, signal = new AbortController().signal } = options
  return parallelPages({
    ...options,
    parallel,
    query: async (request) => decodeTabularResult((await ask(request, signal)).body.toString()),
  })
}

async function fetchPage(
  connection: Connection,
  request: AplRequest,
  { plan, signal }: { readonly plan: ExportPlan; readonly signal: AbortSignal },
  context: Context,
): Promise<PageBody> {
  try {
    if (request.queryOptions?.shortPages) {
      const reals = plan.print.format === 'parquet' ? 'doubles' : 'texts'
      return await queryPage(connection, request, { reals, signal })
    }
    return { form: 'json', body: await queryResponse(connection, request, { signal }) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return await throwForUserQuery(
      error,
      { ...plan.written, missingColumns: withoutTime, signal },
      context,
    )
  }
}

function withoutTime(): UsageError {
  return new UsageError(
    'Paging needs the `_time` of rows, so the query must keep it. Select columns with `--columns`.',
  )
}

function reportAlreadyDone(
  { progress, written: { lost = [] } }: SavedExport,
  { assertRows }: ExportPlan,
  context: Context,
): ExitCode {
  const isComplete = warnOfGaps({ progress, lost }, context)
  const asserted = assertRows(progress.rows)
  const rows = counted(progress.rows, 'row')
  const incomplete = `ended with ${rows}; without its checkpoint, the export starts over`
  context.info(isComplete ? `already complete: ${rows}` : incomplete)
  if (asserted !== EXIT.done) return asserted
  return isComplete ? EXIT.done : EXIT.incomplete
}

/** Returns a context without a progress line, since printed rows show the progress. */
function quiet(context: Context): Context {
  return { ...context, flags: () => ({ ...context.flags(), quiet: true }) }
}
