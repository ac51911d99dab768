import { NetworkError, seconds } from './error.js'
import { PROGRESS_BYTES } from './limits.js'

/** The number of parts of a timeout. A process that was stopped for a long time misses only one part. */
const PARTS = 4

/**
 * Calls `stalled` when too little of a response arrives within the timeout; a timeout of 0 is unlimited. Returns a function that ends
 * the watch.
 */
export function watchProgress(
  { idleMs, length }: { readonly idleMs: number; readonly length: () => number },
  stalled: () => void,
): () => void {
  if (idleMs === 0) return () => {}
  let before = 0
  let parts = 0
  const timer = setInterval(() => {
    const now = length()
    if (now - before >= PROGRESS_BYTES) {
      before = now
      parts = 0
    } else if (++parts === PARTS) stalled()
  }, idleMs / PARTS)
  return () => clearInterval(timer)
}

export function stalledError(name: string, idleMs: number): NetworkError {
  return new NetworkError(
    'timeout',
    `${name} stopped in the middle of a response: it sent less than ${PROGRESS_BYTES / 1024} KiB within ${seconds(idleMs)}.`,
  )
}
