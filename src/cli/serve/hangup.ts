import type { Io } from '../io.js'

/**
 * Lets a service outlive the terminal that it was started from, when it does not write to it. Node undoes what `nohup`
 * asked the system for, so a hang-up would end the service at once. Returns what takes this back.
 */
export function outliveHangup({ stderr }: Pick<Io, 'stderr'>): () => void {
  const hungUp = (): void => {
    // Whoever would read what it says is gone: it stops in good order.
    if (stderr.isTTY === true) process.kill(process.pid, 'SIGTERM')
  }
  process.on('SIGHUP', hungUp)
  return () => process.off('SIGHUP', hungUp)
}
