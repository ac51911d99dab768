import { openSync } from 'node:fs'
import { ReadStream } from 'node:tty'
import type { Context } from '../../context.js'
import { UsageError } from '../../error/usage-error.js'

/** Opens the keyboard: standard input, or the terminal of the process when events arrive there. */
export function openKeyboard({ io }: Pick<Context, 'io'>) {
  const { stdin } = io
  if (stdin.isTTY === true) {
    const stream = stdin as ReadStream
    return {
      stream,
      close() {
        stream.pause()
        stream.unref()
      },
    }
  }
  try {
    const stream = new ReadStream(openSync('/dev/tty', 'r'))
    return { stream, close: () => void stream.destroy() }
  } catch {
    throw new UsageError(
      'Standard input is not a terminal, and this process has no terminal to read keys from. `evq query` prints events.',
    )
  }
}
