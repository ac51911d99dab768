import { StringDecoder } from 'node:string_decoder'
import { terminalText } from '../../render/terminal-text.js'
import type { Io, Output } from '../context.js'

/** Returns an environment in which no text can control the terminal. */
export function onSafeTerminal(io: Io): Io {
  const { env, openPager, openEditor } = io
  return {
    // Opening standard input takes time.
    get stdin() {
      return io.stdin
    },
    stdout: safeOutput(io.stdout),
    stderr: safeOutput(io.stderr),
    env,
    now: () => io.now(),
    openPager,
    openEditor,
  }
}

type Done = (error?: Error | null) => void

/** Returns a terminal that escapes text which would control it; any other output unchanged. */
function safeOutput(output: Output): Output {
  if (output.isTTY !== true) return output
  const decoder = new StringDecoder('utf8')
  const text = (chunk: string | Uint8Array) =>
    terminalText(typeof chunk === 'string' ? chunk : decoder.write(Buffer.from(chunk)))
  const safe = {
    unfiltered: output,
    write: (chunk: string | Uint8Array, ...rest: readonly unknown[]) =>
      output.write(text(chunk), doneOf(rest)),
    end: (...rest: readonly unknown[]) => {
      const [chunk] = rest
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) output.write(text(chunk))
      return output.end(doneOf(rest))
    },
  }
  return new Proxy(output, {
    get(target, key) {
      if (Object.hasOwn(safe, key)) return safe[key as keyof typeof safe]
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Returns the callback among the last arguments of `write` or `end`. */
function doneOf(rest: readonly unknown[]): Done | undefined {
  return rest.find((one): one is Done => typeof one === 'function')
}
