import type { Writable } from 'node:stream'
import { isOfClosedPipe } from '../../../../text/system-error.js'
import type { ChunkedBuffer } from '../../../../wire/bytes/chunked-buffer.js'
import type { Context, Output } from '../../../context.js'
import { CommandError } from '../../../error/command-error.js'
import { UsageError } from '../../../error/usage-error.js'
import { EXIT } from '../../../exit-code.js'
import { spareInputs } from '../../../file/spare-inputs.js'
import type { PrintFlags } from '../../../output/flags.js'
import { openPrinter } from '../../../output/printer.js'
import { interruptible } from '../../../terminal/interrupt.js'

export interface LastResult {
  readonly apl: string
  readonly body: ChunkedBuffer
}

/**
 * Prints a result again: on the terminal, to a file whose extension selects the format (`> FILE`), or to a shell command
 * (`| COMMAND`), as NDJSON unless the flags name a format.
 */
export async function printAgain(
  { body }: LastResult,
  argument: string,
  { flags, context, inputs }: { flags: PrintFlags; context: Context; inputs: readonly string[] },
): Promise<void> {
  if (argument === '') return await print(body, flags, context)
  const [, sign, target = ''] = /^([>|])\s*(.*)$/s.exec(argument) ?? []
  if (target === '') {
    throw new UsageError(
      `\`\\last\` takes no argument, \`> FILE\` or \`| COMMAND\`, not \`${argument}\`.`,
    )
  }
  if (sign === '|') return await pipe(body, target, { flags, context })
  await spareInputs({ '\\last >': target }, inputs, context.io)
  const { output: _, ...others } = flags
  await print(body, { ...others, out: target }, context)
  context.info(`The result is in \`${target}\`.`)
}

async function print(body: ChunkedBuffer, flags: PrintFlags, context: Context): Promise<void> {
  const printer = await openPrinter(flags, context)
  try {
    await interruptible(async ({ signal }) => {
      await printer.printResponse(body, signal)
      return EXIT.done
    })
  } finally {
    await printer.close()
  }
}

async function pipe(
  body: ChunkedBuffer,
  command: string,
  { flags, context }: { readonly flags: PrintFlags; readonly context: Context },
): Promise<void> {
  const { io } = context
  if (io.openPager === undefined) throw new CommandError('No command can be started here.')
  const { input, ended } = await io.openPager(command)
  input.on('error', () => {})
  try {
    await print(body, { output: 'ndjson', ...flags }, withOutput(context, input))
  } catch (error) {
    // A command such as `head` need not read everything.
    if (!isOfClosedPipe(error)) throw error
  } finally {
    // Ends the command also after a failure: until it ends, Ctrl-C is left to it.
    input.end()
  }
  const code = await ended
  if (code !== 0) context.warn(`The command ended with exit code ${code}.`)
}

/** Returns a context whose standard output is another stream, which is not a terminal and has no colors. */
export function withOutput(context: Context, stream: Writable): Context {
  const { stdin, stderr, now } = context.io
  return { ...context, io: { stdin, stdout: stream as Output, stderr, env: {}, now } }
}
