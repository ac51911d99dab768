import type { Writable } from 'node:stream'
import type { Context } from '../../../context.js'
import type { Output } from '../../../io.js'

/** Returns a context whose standard output is another stream, which is not a terminal and has no colors. */
export function withOutput(context: Context, stream: Writable): Context {
  const { stdin, stderr, now } = context.io
  return { ...context, io: { stdin, stdout: stream as Output, stderr, env: {}, now } }
}
