import { type Command, CommanderError } from 'commander'
import type { Context, Flags, Io, Output } from './cli/context.js'
import { usageErrorOf } from './cli/error/usage.js'
import { EXIT, type ExitCode, signalOf } from './cli/exit-code.js'
import { processIo } from './cli/process-io.js'
import { createProgram } from './cli/program.js'
import { colorOf } from './cli/terminal/color.js'
import { openMessages } from './cli/terminal/messages.js'
import { onSafeTerminal } from './cli/terminal/safe-output.js'
import { isOfClosedPipe } from './text/system-error.js'

export { signalOf }

/** Runs one command line and returns the exit code; nothing else ends the process. */
export async function main(argv: readonly string[], given: Io = processIo): Promise<ExitCode> {
  const io = onSafeTerminal(given)
  const stdout = watch(io.stdout)
  watch(io.stderr)
  let flags: () => Flags = () => ({})
  let exitCode: ExitCode = EXIT.done
  const wantsJson = asksForJsonErrors(argv)
  const messages = openMessages({ stderr: io.stderr, flags: () => flags(), hold: wantsJson })
  const context: Context = {
    io,
    flags: () => flags(),
    ...messages,
    finish(code) {
      exitCode = code
    },
  }
  try {
    const program = await createProgram(argv, context)
    flags = () => program.opts<Flags>()
    await parse(program, argv)
    // After a signal, a slow reader must not keep the process alive.
    if (signalOf(exitCode) === undefined) await stdout.drained()
    if (wantsJson && exitCode !== EXIT.done) await reportIncomplete()
    else if (messages.attached() !== undefined) reportAttached()
    else messages.release()
    return exitCode
  } catch (error) {
    return stdout.isClosed() && isOfClosedPipe(error) ? exitCode : fail(error)
  }

  /** Prints the JSON that a successful command attached to stderr. */
  function reportAttached(): void {
    const report = JSON.stringify({ ...messages.attached(), notes: messages.held() })
    io.stderr.write(`${messages.redacted(report)}\n`)
  }

  /** Prints the failure of a command that ended with a code other than 0 without throwing. */
  async function reportIncomplete(): Promise<void> {
    const { failureJson, incompleteFailure } = await import('./cli/error/failure.js')
    const notes = [...messages.held()]
    const summary = flags().quiet ? undefined : notes.pop()
    const failure = incompleteFailure(exitCode, summary)
    io.stderr.write(failureJson(failure, notes, messages.attached()))
  }

  async function fail(error: unknown): Promise<ExitCode> {
    const { failureJson, failureOf, failureText } = await import('./cli/error/failure.js')
    const found = failureOf(error)
    const failure = { ...found, message: messages.redacted(found.message) }
    if (wantsJson) io.stderr.write(failureJson(failure, messages.held()))
    else {
      const color = colorOf(io.stderr, flags(), io.env)
      io.stderr.write(failureText(failure, { color, columns: io.stderr.columns }))
      if (flags().debug && error instanceof Error) {
        io.stderr.write(`${messages.redacted(error.stack ?? '')}\n`)
      }
    }
    return failure.exitCode
  }
}

async function parse(program: Command, argv: readonly string[]): Promise<void> {
  if (argv.length === 0) return program.outputHelp()
  try {
    await program.parseAsync([...argv], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Help and version end the parsing by throwing too.
    if (error.exitCode !== 0) throw usageErrorOf(error, { program, argv })
  }
}

/** Watches an output for errors: a closed pipe, which is not a failure, and others such as a full device. */
function watch(output: Output) {
  let broken: NodeJS.ErrnoException | undefined
  output.on('error', (error) => {
    broken ??= error
  })
  return {
    isClosed: () => broken?.code === 'EPIPE',
    /** Resolves when everything is written, or the pipe is closed. */
    drained: () =>
      new Promise<void>((resolve, reject) => {
        const end = (error: unknown) => {
          if (error && !isOfClosedPipe(error)) reject(error)
          else resolve()
        }
        if (broken) end(broken)
        else output.write('', end)
      }),
  }
}

/** True when a failure is printed as JSON. Inspects the arguments unparsed, because parsing the command line may fail. */
function asksForJsonErrors(argv: readonly string[]): boolean {
  return argv.some(
    (word, index) =>
      word === '--json-errors' ||
      word === '-ojson' ||
      word === '--output=json' ||
      (word === 'json' && /^(-o|--output)$/.test(argv[index - 1] ?? '')),
  )
}
