import type { Highlight, HighlightKind } from '../../../../apl/language.js'
import { FORMAT_NAMES } from '../../../../render/format.js'
import { type Paint, paintOf, type Tone } from '../../../../render/paint.js'
import { wrapText } from '../../../../text/wrap.js'
import type { Context } from '../../../context.js'
import { failureOf, failureText } from '../../../error/failure.js'
import { UsageError } from '../../../error/usage-error.js'
import { EXIT, type ExitCode } from '../../../exit-code.js'
import { completionsOf, type Names } from '../../../query/completion.js'
import { readTextFile } from '../../../query/query-text.js'
import { colorOf } from '../../../terminal/color.js'
import { ignoreSignal, listenForInterrupt } from '../../../terminal/interrupt.js'
import { COMMAND_REFERENCE } from './command-reference.js'
import { type CommandContext, type PromptTarget, runCommand } from './commands.js'
import { openHistory } from './history.js'
import { readLine, readText } from './input.js'
import { openLineEditor } from './line-editor.js'

const GREETING = 'A query ends with ; or an empty line. \\h helps, \\q or Ctrl-D leaves.'
const PRIMARY_PROMPT = 'evq> '
const CONTINUATION_PROMPT = '...> '
/** The maximum depth of files that run files. */
const MAX_DEPTH = 10

interface PromptOptions extends PromptTarget {
  readonly ask: (apl: string) => Promise<ExitCode>
  readonly names: Names & { forget(): void }
}

/**
 * Runs the prompt of `evq query`: one query after the other until the user leaves, or SIGTERM or SIGHUP ends the prompt. Ctrl-C
 * does not end it.
 */
export async function runPrompt(options: PromptOptions, context: Context): Promise<ExitCode> {
  const listenForCtrlC = ignoreSignal('SIGINT')
  const interrupt = listenForInterrupt(['SIGHUP', 'SIGTERM'])
  try {
    await readQueries(options, interrupt.signal, context)
    return interrupt.exitCode() ?? EXIT.done
  } finally {
    interrupt.release()
    listenForCtrlC()
  }
}

async function readQueries(
  options: PromptOptions,
  signal: AbortSignal,
  context: Context,
): Promise<void> {
  const { settings, ask, names } = options
  const { io, flags } = context
  const history = await openHistory(io.env)
  const words = Object.entries(COMMAND_REFERENCE).map(
    ([name, { form }]) => `\\${name}${form && ' '}`,
  )
  let draft: readonly string[] = []
  let text = ''
  const lines = openLineEditor(context, {
    history,
    signal,
    color: await lineColor(() => draft, context),
    complete: async (line) => {
      const { APL_WORDS } = await import('../../../../apl/language.js')
      const known = { ...APL_WORDS, commands: words, formats: FORMAT_NAMES }
      return completionsOf([...draft, line].join('\n'), known, names)
    },
  })

  /** Runs `work` and reports its failure, which does not end the prompt. */
  async function reportErrors<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work()
    } catch (error) {
      const color = colorOf(io.stderr, flags(), io.env)
      io.stderr.write(failureText(failureOf(error), { color, columns: io.stderr.columns }))
      return undefined
    }
  }

  /** Runs a query and reports its failure. Returns true if the query succeeded. */
  async function runQuery(apl: string): Promise<boolean> {
    const startedAt = performance.now()
    const exitCode = await reportErrors(() => ask(apl))
    if (settings.isTimed) context.warn(`Time: ${Math.round(performance.now() - startedAt)} ms`)
    names.forget()
    return exitCode === EXIT.done
  }

  /** Returns the state for commands; files that run files are nested up to a depth. */
  function commandContext(depth: number): CommandContext {
    const latest = history.entries.find((entry) => !entry.startsWith('\\')) ?? ''
    const runNested = (path: string) => runFile(path, depth + 1)
    return { ...options, context, draft: draft.join('\n'), latest, runFile: runNested }
  }

  /** Runs the queries and commands of a file up to the first one that fails. */
  async function runFile(path: string, depth: number): Promise<void> {
    if (depth > MAX_DEPTH) throw new UsageError(`\`${path}\` runs itself.`)
    for (const input of readText(await readTextFile(path, 'The query'))) {
      if (input.kind === 'command') {
        if ((await runCommand(input, commandContext(depth))) !== undefined) return
      } else if (!(await runQuery(input.apl))) return
    }
  }

  io.stdout.write(`${wrapText(GREETING, io.stdout.columns)}\n`)
  for (;;) {
    const isContinued = draft.length > 0
    const prompt = isContinued ? CONTINUATION_PROMPT : PRIMARY_PROMPT
    const line = await lines.next(prompt, { text, isContinued })
    text = ''
    if (line.kind === 'left') {
      io.stdout.write('\n')
      break
    }
    if (line.kind === 'dropped') {
      history.keep([...draft, line.text].join('\n'))
      draft = []
      continue
    }
    const input = readLine(draft, line.text)
    if (input.kind === 'more') {
      draft = input.draft
      continue
    }
    await history.add(input.kind === 'query' ? input.apl : line.text)
    let isLeaving = false
    await lines.away(async () => {
      if (input.kind === 'query') {
        draft = []
        await runQuery(input.apl)
        return
      }
      await reportErrors(async () => {
        const outcome = await runCommand(input, commandContext(0))
        if (outcome === undefined) return
        if (outcome.kind === 'leave') isLeaving = true
        else draft = []
        if (outcome.kind === 'edit') text = outcome.text
        if (outcome.kind !== 'run') return
        io.stdout.write(`${outcome.apl};\n`)
        await history.add(outcome.apl)
        await runQuery(outcome.apl)
      })
    })
    if (isLeaving) break
  }
  lines.close()
  await reportErrors(async () => settings.file?.close())
}

/** Returns the function that colors a line after the lines of the same query. */
async function lineColor(
  earlier: () => readonly string[],
  { io, flags }: Context,
): Promise<(line: string) => string> {
  const paint = paintOf(colorOf(io.stdout, flags(), io.env))
  if (paint === undefined) return (line) => line
  const { highlights } = await import('../../../../apl/language.js')
  return (line) => highlightLine([...earlier(), line], { paint, highlights })
}

const TONES: Readonly<Record<HighlightKind, Tone>> = {
  operator: 'heading',
  function: 'number',
  word: 'truth',
  string: 'notice',
  number: 'warning',
  comment: 'faint',
}

/** Colors the last line of a query, whose previous lines determine the colors too. */
function highlightLine(
  lines: readonly string[],
  { paint, highlights }: { paint: Paint; highlights: (text: string) => readonly Highlight[] },
): string {
  const text = lines.join('\n')
  const start = text.length - (lines.at(-1)?.length ?? 0)
  if (lines.length === 1 && /^\s*\\/.test(text)) return paint('number', text)
  let shown = ''
  let at = start
  for (const { kind, span } of highlights(text)) {
    if (span.end <= start) continue
    const from = Math.max(span.start, start)
    shown += text.slice(at, from) + paint(TONES[kind], text.slice(from, span.end))
    at = span.end
  }
  return shown + text.slice(at)
}
