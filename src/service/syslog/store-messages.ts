import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { StoreError } from '../../engine/store-error.js'
import { runInTurns, type Steps } from '../../wire/steps/steps.js'
import { type Intake, storeReceived } from '../ingest/store-events.js'
import { RefusedError } from '../refused-error.js'
import type { MessageBatch } from './message-queue.js'
import type { ConvertSyslog, SyslogEvents, SyslogMessages } from './messages.js'
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

/**
 * Stores messages. Retries until they are stored, because their senders get no response. A message whose event is rejected, for
 * example because of the name of a field, is stored as its text.
 */
export async function storeMessages(batch: MessageBatch, options: StoreOptions): Promise<void> {
  const { dataset, intake, notices, convert, report } = options
  const { steps, arrivedAt } = batch
  // Retries have the same id, so that a batch whose outcome is unknown is stored once.
  const batchId = randomUUID()
  let missing = steps.reduce((sum, { extents }) => sum + extents.length / 2, 0)
  const reportLoss = (detail: string): void => {
    intake.metrics.ingested(SYSLOG, { dropped: missing })
    notices.note('lost', { count: missing, detail })
  }
  try {
    const { lines, unmatched } = await runInTurns(convertInSteps(batch, convert))
    intake.metrics.ingested(SYSLOG, { unparsed: unmatched })
    const bytes = steps.reduce((sum, { bytes }) => sum + bytes.length, 0)
    const events = { dataset, batchId, lines, arrivedAt, bytes }
    const { failed, rejected } = await storeWithRetries(events, options)
    missing = failed
    if (missing === 0) return
    const texts = textEvents(steps, new Set(rejected.map(({ index }) => index)))
    const asText = { ...events, batchId: randomUUID(), lines: texts, bytes: texts.length }
    const { ingested } = await storeWithRetries(asText, options)
    intake.metrics.ingested(SYSLOG, { unparsed: ingested })
    missing -= ingested
    if (missing > 0) reportLoss(rejected[0]?.reason ?? '')
  } catch (error) {
    if (!isExpected(error)) report?.(error, batchId)
    reportLoss(detailOf(error))
  }
}

/** Returns events that have only the text of a message, for the messages with these positions in the batch. */
function textEvents(steps: readonly SyslogMessages[], positions: ReadonlySet<number>): Buffer {
  const lines: string[] = []
  let position = 0
  for (const { bytes, extents } of steps) {
    for (let i = 0; i < extents.length; i += 2, position++) {
      if (!positions.has(position)) continue
      const message = bytes.subarray(extents[i], extents[i + 1])
      const text = message.toString(isUtf8(message) ? 'utf8' : 'latin1')
      lines.push(`${JSON.stringify({ message: text })}\n`)
    }
  }
  return Buffer.from(lines.join(''))
}

async function storeWithRetries(
  events: Parameters<typeof storeReceived>[0],
  { intake, notices, stopping }: StoreOptions,
): ReturnType<typeof storeReceived> {
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
