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
import type { AplRequest } from '../../../wire/http/query.js'
import { decodeTabularResult, type Message } from '../../../wire/http/tabular-result.js'
import { formatTimestamp } from '../../../wire/time/timestamp.js'
import type { Context } from '../../context.js'
import { failureOf } from '../../error/failure.js'
import { UsageError } from '../../error/usage-error.js'
import { EXIT, type ExitCode } from '../../exit-code.js'
import { writeOutputFile } from '../../output/file.js'
import { isFile, isShown } from '../../output/flags.js'
import { ResponsePage } from '../../output/response-page.js'
import { openRows, type RowFlags } from '../../output/rows.js'
import { openPart, openTarget } from '../../output/target.js'
import { throwForUserQuery } from '../../query/check.js'
import type { Interrupt } from '../../terminal/interrupt.js'
import { openProgress } from '../../terminal/progress.js'
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

/** A query as it was written. */
interface WrittenQuery {
  readonly request: AplRequest
  /** Returns a problem with its position in the query as written. */
  restore(problem: Problem): Problem
}

const START: ExportState = { position: { kind: 'start' }, progress: NO_PROGRESS }

export async function runExport(
  plan: ExportPlan,
  connection: Connection,
  { interrupt, context }: { readonly interrupt: Interrupt; readonly context: Context },
): Promise<ExitCode> {
  const { paging, print, maxRows, manifest, saved, out, checkpoint, assertRows } = plan
  const { io, info, warn } = context
  if (saved !== undefined && (await isDone(saved, out ?? ''))) {
    return reportAlreadyDone(saved, plan, context)
  }
  const target =
    checkpoint === undefined
      ? await openTarget(out, io)
      : await openPart(resolve(out ?? ''), saved?.bytes ?? 0)
  const rows = openRows({ ...print, target, written: saved?.written }, context)
  const moving = openProgress(isShown(plan, io) ? quiet(context) : context)
  const startedAt = performance.now()
  const before = saved?.progress.rows ?? 0
  const times = () => ({ elapsedMs: performance.now() - startedAt, before })
  let reached: ExportState = saved ?? START
  const messages = new Map<string, Message>()
  moving.show(() => progressText(reached.progress, times()))

  async function save(): Promise<void> {
    if (checkpoint === undefined) return
    // The rows must be on disk before the checkpoint.
    await target.flush()
    const { position, progress } = reached
    const range = { start: paging.start, end: paging.end }
    const { bytes } = target
    await writeCheckpoint(checkpoint.path, {
      identity: checkpoint.identity,
      saved: { range, bytes, written: rows.written, position, progress },
    })
  }

  async function run(): Promise<ExitCode> {
    if (saved !== undefined) {
      warn(`Resuming after the ${counted(before, 'row')} already in \`${out}.part\`.`)
    }
    const ask = (request: AplRequest, signal: AbortSignal) =>
      fetchPage(connection, request, { written: plan.written, signal }, context)
    const read = (body: PageBody) => ResponsePage.read(body, plan)
    const { signal } = interrupt
    const options = { paging, ask, read, maxRows, from: saved, signal }
    for await (const arrived of fetchPages(options, plan)) {
      // A slow reader must not delay the exit after Ctrl-C.
      const writing = rows.write(arrived.page, arrived.ranges).then(() => 'written' as const)
      if ((await orAborted(writing, signal, () => 'stopped' as const)) === 'stopped') break
      reached = arrived
      for (const message of arrived.messages) messages.set(message.code, message)
      if (arrived.position.kind !== 'end') await save()
    }
    const stopped = interrupt.exitCode()
    if (stopped !== undefined) return stopped
    // An interrupted run may have written the end already.
    if (saved?.position.kind !== 'end') await rows.end()
    await save()
    await target.finish()
    moving.close()
    for (const { code, msg } of messages.values()) {
      // Messages about limits concern single pages and are expected.
      if (!code.includes('limit') && msg !== '') warn(msg)
    }
    return concludeExport({ ...reached, lost: rows.lost, maxRows, assertRows, ...times() }, context)
  }

  async function end(): Promise<void> {
    moving.close()
    await target.close()
    if (manifest !== undefined) await writeOutputFile(manifest, manifestText(), { mode: 0o600 })
    if (interrupt.exitCode() !== undefined) reportStopped()
  }

  function manifestText(): string {
    const { progress, position } = reached
    const isWhole = position.kind === 'end' && rows.lost.length === 0
    const members = {
      query: plan.written.request.apl,
      from: paging.start === undefined ? null : formatTimestamp(paging.start),
      to: formatTimestamp(paging.end),
      rowsWritten: progress.rows,
      rowsMatched: progress.matched ?? null,
      duplicatesDropped: progress.repeated,
      pages: progress.pages,
      complete: isWhole && isExportComplete(progress),
    }
    return `${JSON.stringify(members, null, 2)}\n`
  }

  function reportStopped(): void {
    const text = `stopped after ${counted(reached.progress.rows, 'row')}`
    if (checkpoint !== undefined) info(`${text}; the same command resumes there`)
    else info(isFile(out) ? `${text}; \`${out}\` is unchanged` : text)
  }

  let exitCode: ExitCode
  try {
    exitCode = await run()
  } catch (error) {
    // The error of the export is the one to report first.
    await end().catch((other: unknown) => warn(failureOf(other).message))
    const resumes = checkpoint !== undefined && reached.progress.rows > 0
    if (resumes && interrupt.exitCode() === undefined) reportStopped()
    throw error
  }
  await end()
  return exitCode
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
  { written, signal }: { readonly written: WrittenQuery; readonly signal: AbortSignal },
  context: Context,
): Promise<PageBody> {
  try {
    if (request.queryOptions?.shortPages) return await queryPage(connection, request, { signal })
    return { form: 'json', body: await queryResponse(connection, request, { signal }) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return await throwForUserQuery(
      error,
      { ...written, missingColumns: withoutTime, signal },
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
