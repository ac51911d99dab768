import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Io } from '../io.js'

/** Asks on the terminal whether something is meant; only `y` or `yes` says so. */
export async function confirm(
  question: string,
  { io, signal }: { readonly io: Io; readonly signal: AbortSignal },
): Promise<boolean> {
  io.stderr.write(`${question} [y/N] `)
  // The terminal stays as it is: Ctrl-C is a signal, not a character.
  const lines = createInterface({ input: io.stdin, terminal: false })
  const ended = new AbortController()
  const options = { signal: AbortSignal.any([signal, ended.signal]) }
  try {
    const [answer] = await Promise.race([
      once(lines, 'line', options),
      once(lines, 'close', options),
    ])
    if (answer === undefined) io.stderr.write('\n')
    return /^\s*y(es)?\s*$/i.test(answer ?? '')
  } finally {
    ended.abort()
    lines.close()
  }
}
