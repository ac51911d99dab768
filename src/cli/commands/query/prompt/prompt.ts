import { type CompleterResult, createInterface, type Interface } from 'node:readline'
import type { Context } from '../../../context.js'
import { failureOf, failureText } from '../../../error/failure.js'
import { EXIT, type ExitCode } from '../../../exit-code.js'
import { usesColor } from '../../../terminal/color.js'
import { ignoreSignal, listenForInterrupt } from '../../../terminal/interrupt.js'
import { type Completions, completionsOf, type Names } from './completion.js'
import { type History, openHistory } from './history.js'
import { EMPTY_BUFFER, type QueryBuffer, readLine, unterminatedLine } from './input.js'

/** Runs one query, on the events since a time if there is one. */
type RunPromptQuery = (apl: string, since: string | undefined) => Promise<ExitCode>

const PRIMARY_PROMPT = 'evq> '
const CONTINUATION_PROMPT = '...> '

const HELP = `A query ends with ; or an empty line. Tab completes names and words,
up and down go through the history.
  \\since 7d   query events since then; \\since alone restores the range of the start
  \\h          print this help
  \\q          quit, like Ctrl-D
Ctrl-C discards the typed lines, or cancels the running query.
`

/**
 * Runs the prompt of `evq query`: one query after the other until the user leaves, or SIGTERM or SIGHUP ends it.
 * Ctrl-C never does.
 */
export async function runPrompt(asking: PromptOptions, context: Context): Promise<ExitCode> {
  const listenForCtrlC = ignoreSignal('SIGINT')
  const interrupt = listenForInterrupt(['SIGHUP', 'SIGTERM'])
  try {
    const exitCode = await readQueries(asking, interrupt.signal, context)
    return interrupt.exitCode() ?? exitCode
  } finally {
    interrupt.release()
    listenForCtrlC()
  }
}

interface PromptOptions {
  readonly ask: RunPromptQuery
  /** Throws a `UsageError` when the start of a range is invalid. */
  readonly checkSince: (since: string) => void
  readonly names: Names & { forget(): void }
}

async function readQueries(
  { ask, checkSince, names }: PromptOptions,
  signal: AbortSignal,
  context: Context,
): Promise<ExitCode> {
  const { io } = context
  const history = await openHistory(io.env)
  const lines = openLines(context, {
    history,
    signal,
    complete: async (line) => {
      const { APL_WORDS } = await import('../../../../apl/language.js')
      return completionsOf([...draft.lines, line].join('\n'), APL_WORDS, names)
    },
  })
  io.stdout.write('A query ends with ; or an empty line. \\h helps, \\q or Ctrl-D leaves.\n')
  let draft: QueryBuffer = EMPTY_BUFFER
  let since: string | undefined
  for (;;) {
    const line = await lines.next(draft.lines.length === 0 ? PRIMARY_PROMPT : CONTINUATION_PROMPT)
    if (line.kind === 'left') {
      io.stdout.write('\n')
      return EXIT.done
    }
    if (line.kind === 'dropped') {
      draft = EMPTY_BUFFER
      continue
    }
    const found = readLine(draft, line.text)
    if (found.kind === 'more') draft = found.draft
    else if (found.kind === 'query') {
      draft = EMPTY_BUFFER
      await history.add(found.apl)
      await lines.away(() => reportErrors(() => ask(found.apl, since), context, found.apl))
      names.forget()
    } else {
      const { name, argument } = found
      switch (name) {
        case 'q':
          lines.close()
          return EXIT.done
        case 'since':
          await reportErrors(async () => {
            if (argument !== '') checkSince(argument)
            since = argument === '' ? undefined : argument
          }, context)
          break
        case '':
        case '?':
        case 'h':
          io.stdout.write(HELP)
          break
        default:
          context.warn(`There is no command \`\\${name}\`. \`\\h\` lists the commands.`)
      }
    }
  }
}

/** Does work and reports its failure, which does not end the prompt. `apl` is the query that it runs, if any. */
async function reportErrors(
  work: () => Promise<unknown>,
  { io, flags, warn }: Context,
  apl = '',
): Promise<void> {
  try {
    await work()
  } catch (error) {
    const color = usesColor(io.stderr, flags(), io.env)
    const failure = failureOf(error)
    io.stderr.write(failureText(failure, { color, columns: io.stderr.columns }))
    const line = failure.exitCode === EXIT.usage ? unterminatedLine(apl) : undefined
    if (line === undefined) return
    warn(
      `Line ${line} looks like a new query, but line ${line - 1} does not end one: a query ends with \`;\` or an empty line.`,
    )
  }
}

type Line =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'dropped' }
  | { readonly kind: 'left' }

/** Opens the line editor. Lines of pasted text are queued until they are read. */
function openLines(
  { io }: Context,
  {
    history,
    signal,
    complete,
  }: {
    readonly history: History
    /** Aborting it ends the lines. */
    readonly signal: AbortSignal
    complete(line: string): Promise<Completions>
  },
) {
  const waiting: Line[] = []
  let wake: (() => void) | undefined
  const readline = createInterface({
    input: io.stdin,
    output: io.stdout,
    terminal: true,
    history: [...history.entries],
    historySize: 1_000,
    completer: (line: string, done: (error: null, result: CompleterResult) => void) => {
      const respond = ({ candidates, written }: Completions) =>
        done(null, [[...candidates], written])
      complete(line).then(respond, () => respond({ candidates: [], written: line }))
    },
  })
  function arrived(line: Line): void {
    waiting.push(line)
    wake?.()
  }
  readline.on('line', (text) => arrived({ kind: 'line', text }))
  readline.on('close', () => arrived({ kind: 'left' }))
  // Closing restores the mode of the terminal.
  signal.addEventListener('abort', () => readline.close(), { once: true })
  readline.on('SIGINT', () => {
    io.stdout.write('^C\n')
    // The discarded line was never entered.
    readline.write(null, { ctrl: true, name: 'e' })
    readline.write(null, { ctrl: true, name: 'u' })
    arrived({ kind: 'dropped' })
  })
  return {
    async next(prompt: string): Promise<Line> {
      readline.setPrompt(prompt)
      if (waiting.length === 0) readline.prompt()
      while (waiting.length === 0 && !signal.aborted)
        await new Promise<void>((resolve) => (wake = resolve))
      return signal.aborted ? { kind: 'left' } : waiting.shift()!
    },
    /** Releases the keyboard while `work` runs: Ctrl-C is a signal again, and a pager can read. */
    async away(work: () => Promise<void>): Promise<void> {
      readline.pause()
      setRawMode(io.stdin, false)
      await work()
      if (signal.aborted) return
      remember(readline, history)
      setRawMode(io.stdin, true)
      readline.resume()
    },
    close: () => readline.close(),
  }
}

function setRawMode(stdin: Context['io']['stdin'], isRaw: boolean): void {
  const { setRawMode: set } = stdin as { setRawMode?: (isRaw: boolean) => void }
  set?.call(stdin, isRaw)
}

/** Replaces the lines in the readline history with whole queries. */
function remember(readline: Interface, { entries }: History): void {
  const { history } = readline as unknown as { readonly history: string[] }
  history.splice(0, history.length, ...entries)
}
