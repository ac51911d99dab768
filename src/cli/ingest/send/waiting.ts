import type { RetryPolicy } from '../../../client/retry.js'
import { counted } from '../../../text/integer.js'
import type { Context } from '../../context.js'
import { shortDuration } from '../../option/quantity.js'
import type { Progress } from '../../terminal/progress.js'
import type { Meter } from '../report/meter.js'
import type { IngestSender } from './sender.js'

// Messages about waiting: for a retry, and for batches in flight after Ctrl-C.

/** The time after Ctrl-C at which a wait is reported. */
const REPORT_DELAY_MS = 200

/** The length from which waits are reported without `-v`. */
const LONG_WAIT_MS = 5000
/** The interval at which many short waits are reported. */
const REMINDER_MS = 60_000

interface Listeners {
  readonly context: Context
  readonly progress: Progress
  readonly meter: Meter
}

export function reportRetries({
  context,
  progress,
  meter,
}: Listeners): Required<Pick<RetryPolicy, 'onRetry' | 'onWaitTooLong'>> {
  let toldAt = Number.NEGATIVE_INFINITY
  return {
    onRetry: ({ reason, delayMs, waitedMs }) => {
      const text = `Retrying a batch in ${shortDuration(delayMs)}: ${reason}`
      meter.announce(text, delayMs)
      // Several batches usually wait at the same time, for the same reason.
      const intervalMs = delayMs >= LONG_WAIT_MS ? LONG_WAIT_MS : REMINDER_MS
      const isLong = waitedMs + delayMs >= LONG_WAIT_MS
      const isNews = isLong && performance.now() - toldAt >= intervalMs
      if (isNews) toldAt = performance.now()
      progress.pause(() => (isNews ? context.warn(text) : context.debug(text)))
    },
    onWaitTooLong: ({ reason, delayMs }) => {
      const text = `Not retrying, because the service asks to wait ${shortDuration(delayMs)}: ${reason}`
      progress.pause(() => context.warn(text))
    },
  }
}

interface Stopping extends Pick<Listeners, 'context' | 'progress'> {
  /** Aborted by a signal that stops the command. */
  readonly signal: AbortSignal
  readonly sender: IngestSender
}

/** Reports after Ctrl-C which batches the command still waits for. */
export function reportPending({ context, progress, signal, sender }: Stopping): void {
  const tell = () => {
    const batches = sender.batchesInFlight
    if (batches === 0) return
    const text = `Waiting for ${counted(batches, 'batch')} in flight; press Ctrl-C again to quit now.`
    progress.pause(() => context.info(text))
  }
  signal.addEventListener('abort', () => setTimeout(tell, REPORT_DELAY_MS).unref(), { once: true })
}
