import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { StoreError } from '../../engine/store-error.js'
import { runInTurns, type Steps } from '../../wire/steps/steps.js'
import { type Intake, storeReceived } from '../ingest/store-events.js'
import { RefusedError } from '../refused-error.js'
import type { MessageBatch } from './message-queue.js'
import type { ConvertSyslog, SyslogEvents } from './messages.js'
import type { Notices } from './notices.js'

/** The value of the label `protocol` in metrics. */
export const SYSLOG = 'syslog'

const FIRST_RETRY_MS = 100
const LAST_RETRY_MS = 5_000

interface StoreOptions {
  readonly dataset: string
  readonly intake: Intake
  readonly notices: Notices
  readonly convert: ConvertSyslog
  /** Once this signal is aborted, each batch is tried only once more. */
  readonly stopping: AbortSignal
  report?(error: unknown, id: string): void
}

/** Stores messages. Retries until they are stored, because their senders get no response. */
export async function storeMessages(batch: MessageBatch, options: StoreOptions): Promise<void> {
  const { dataset, intake, notices, convert, report } = options
  const { steps, arrivedAt } = batch
  // Retries have the same id, so that a batch whose outcome is unknown is stored once.
  const batchId = randomUUID()
  try {
    const { lines, unmatched } = await runInTurns(convertInSteps(batch, convert))
    intake.metrics.ingested(SYSLOG, { unparsed: unmatched })
    const bytes = steps.reduce((sum, { bytes }) => sum + bytes.length, 0)
    await storeWithRetries({ dataset, batchId, lines, arrivedAt, bytes }, options)
  } catch (error) {
    if (!isExpected(error)) report?.(error, batchId)
    const count = steps.reduce((sum, { extents }) => sum + extents.length / 2, 0)
    intake.metrics.ingested(SYSLOG, { dropped: count })
    notices.note('lost', { count, detail: detailOf(error) })
  }
}

async function storeWithRetries(
  events: Parameters<typeof storeReceived>[0],
  { intake, notices, stopping }: StoreOptions,
): Promise<void> {
  for (let retryMs = FIRST_RETRY_MS; ; retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)) {
    const isLast = stopping.aborted
    try {
      return await storeReceived(events, { intake, protocol: SYSLOG })
    } catch (error) {
      if (isLast || !isExpected(error)) throw error
      notices.note('failed', { detail: detailOf(error) })
    }
    await sleep(retryMs, undefined, { signal: stopping }).catch(() => {})
  }
}

function isExpected(error: unknown): boolean {
  return error instanceof StoreError || error instanceof RefusedError
}

function detailOf(error: unknown): string {
  return error instanceof Error ? error.message : ''
}

export function* convertInSteps(
  { steps, arrivedAt }: MessageBatch,
  convert: ConvertSyslog,
): Steps<SyslogEvents> {
  const lines: Buffer[] = []
  let unmatched = 0
  for (const messages of steps) {
    const converted = convert(messages, arrivedAt)
    lines.push(converted.lines)
    unmatched += converted.unmatched
    yield
  }
  return { lines: Buffer.concat(lines), unmatched }
}
