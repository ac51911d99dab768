import type { Output } from '../context.js'

/** Flags of `poll`, equal on Linux and macOS: the other end is closed. */
const POLLERR = 0x8
const POLLHUP = 0x10

const EVERY_MS = 500

/**
 * Returns a signal that is aborted once nothing reads the output any more, as after `| head -1`. A write would fail then, but a
 * command that waits for events may have nothing to write for hours. Without the native library, the signal is never aborted.
 */
export async function closedReader(
  output: Output & { readonly fd?: number },
): Promise<AbortSignal> {
  const closed = new AbortController()
  const { fd } = output
  // A terminal that is closed sends SIGHUP.
  if (fd === undefined || output.isTTY) return closed.signal
  const koffi = await import('koffi').catch(() => undefined)
  if (koffi === undefined) return closed.signal
  const poll: (entry: Buffer, count: number, timeoutMs: number) => number = koffi.default
    .load(null)
    .func('int poll(void *entries, unsigned long count, int timeout)')
  // struct pollfd: the descriptor, the events of interest, and the events that are returned.
  const entry = Buffer.alloc(8)
  entry.writeInt32LE(fd)
  const timer = setInterval(() => {
    poll(entry, 1, 0)
    if ((entry.readInt16LE(6) & (POLLERR | POLLHUP)) !== 0) closed.abort()
  }, EVERY_MS)
  timer.unref()
  return closed.signal
}
