import { createInterface } from 'node:readline'
import { wrapText } from '../../text/wrap.js'
import type { Io } from '../context.js'

/** Asks for confirmation on the terminal. Resolves to true only for `y` or `yes`; rejects when `signal` is aborted. */
export async function confirm(
  question: string,
  { io, signal }: { readonly io: Io; readonly signal: AbortSignal },
): Promise<boolean> {
  const { columns } = io.stderr
  // The cursor needs a column after the blank.
  io.stderr.write(`${wrapText(`${question} [y/N]`, columns && columns - 2)} `)
  // The terminal stays in its mode, in which Ctrl-C sends a signal.
  const lines = createInterface({ input: io.stdin, terminal: false, signal })
  for await (const reply of lines) return /^\s*y(es)?\s*$/i.test(reply)
  signal.throwIfAborted()
  io.stderr.write('\n')
  return false
}
