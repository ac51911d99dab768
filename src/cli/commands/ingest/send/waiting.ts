import type { RetryPolicy } from '../../../../client/retry.js'
import type { Context } from '../../../context.js'
import { counted, shortDuration } from '../../../option/quantity.js'
import type { Progress } from '../../../terminal/progress.js'
import type { Meter } from '../report/meter.js'
import type { IngestSender } from './sender.js'

// What is said while there is nothing to do but to wait.

/** After Ctrl-C, a wait that is shorter is not reported. */
const SOON_MS = 200

/** A wait that is shorter is nothing to tell. */
const LONG_WAIT_MS = 5000

interface Listeners {
  readonly context: Context
  readonly progress: Progress
  readonly meter: Meter
}

/** Tells why batches are sent again, and when. */
export function tellOfWaits({
  context,
  progress,
  meter,
}: Listeners): Required<Pick<RetryPolicy, 'onRetry' | 'onWaitTooLong'>> {
  let toldAt = Number.NEGATIVE_INFINITY
  return {
    onRetry: ({ reason, delayMs }) => {
      const text = `Sends a batch again in ${shortDuration(delayMs)}: ${reason}`
      meter.announce(text, delayMs)
      // Several batches wait at once, and for the same reason.
      const isNews = delayMs >= LONG_WAIT_MS && performance.now() - toldAt >= LONG_WAIT_MS
      if (isNews) toldAt = performance.now()
      progress.pause(() => (isNews ? context.note(text) : context.detail(text)))
    },
    onWaitTooLong: ({ reason, delayMs }) => {
      const text = `Does not wait ${shortDuration(delayMs)}, as the service asks: ${reason}`
      progress.pause(() => context.note(text))
    },
  }
}

interface Stopping extends Pick<Listeners, 'context' | 'progress'> {
  /** Aborted by Ctrl-C, SIGTERM or SIGHUP. */
  readonly signal: AbortSignal
  readonly sender: IngestSender
}

/** Reports after Ctrl-C which batches the command still waits for. */
export function tellOfStopping({ context, progress, signal, sender }: Stopping): void {
  const tell = () => {
    const batches = sender.batchesInFlight
    if (batches === 0) return
    const text = `Waiting for ${counted(batches, 'batch')} in flight; press Ctrl-C again to quit now.`
    progress.pause(() => context.say(text))
  }
  signal.addEventListener('abort', () => setTimeout(tell, SOON_MS).unref(), { once: true })
}
