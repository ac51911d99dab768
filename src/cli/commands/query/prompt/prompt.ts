import type { Highlight, HighlightKind } from '../../../../apl/language.js'
import { FORMAT_NAMES } from '../../../../render/format.js'
import { type Paint, paintOf, type Tone } from '../../../../render/paint.js'
import { wrapText } from '../../../../text/wrap.js'
import type { Context } from '../../../context.js'
import { failureOf, failureText } from '../../../error/failure.js'
import { UsageError } from '../../../error/usage-error.js'
import { EXIT, type ExitCode } from '../../../exit-code.js'
import { type Completions, completionsOf } from '../../../query/completion.js'
import { readTextFile } from '../../../query/query-text.js'
import { colorOf } from '../../../terminal/color.js'
import { ignoreSignal, listenForInterrupt } from '../../../terminal/interrupt.js'
import { COMMAND_REFERENCE } from './command-reference.js'
import { type CommandContext, runCommand } from './commands.js'
import { type History, openHistory } from './history.js'
import { isExit, type PromptInput, readLine, readText } from './input.js'
import { type LineEditor, openLineEditor } from './line-editor.js'
import type { PromptQueries } from './queries.js'

const GREETING = 'A query ends with ; or an empty line. \\h helps, \\q or Ctrl-D leaves.'
const EXIT_IN_QUERY = 'This line is part of the query. Ctrl-C drops the query, and \\q leaves.'
const PRIMARY_PROMPT = 'evq> '
const CONTINUATION_PROMPT = '...> '
/** The maximum depth of files that run files. */
const MAX_DEPTH = 10

/**
 * Runs the prompt of `evq query`: one query after the other until the user leaves, or a signal other than Ctrl-C ends the prompt.
 */
export async function runPrompt(queries: PromptQueries): Promise<ExitCode> {
  const listenForCtrlC = ignoreSignal('SIGINT')
  const interrupt = listenForInterrupt(['SIGHUP', 'SIGQUIT', 'SIGTERM'])
  try {
    await readQueries(queries, interrupt.signal)
    return interrupt.exitCode() ?? EXIT.done
  } finally {
    interrupt.release()
    listenForCtrlC()
  }
}

async function readQueries(queries: PromptQueries, signal: AbortSignal): Promise<void> {
  const { context } = queries
  const { stdout, env } = context.io
  const history = await openHistory(env)
  const prompt = new Prompt(queries, history)
  const lines = openLineEditor(context, {
    history,
    signal,
    color: await lineColor(() => prompt.draft, context),
    complete: (line) => prompt.complete(line),
  })
  stdout.write(`${wrapText(GREETING, stdout.columns)}\n`)
  await prompt.read(lines)
  lines.close()
  await prompt.reportErrors(async () => queries.file?.close())
}

const COMMAND_WORDS = Object.entries(COMMAND_REFERENCE).map(
  ([name, { form }]) => `\\${name}${form && ' '}`,
)

class Prompt {
  /** The lines typed so far. */
  draft: readonly string[] = []
  /** The text that the next line begins with. */
  private text = ''
  private readonly queries: PromptQueries
  private readonly history: History
  private readonly context: Context

  constructor(queries: PromptQueries, history: History) {
    this.queries = queries
    this.history = history
    this.context = queries.context
  }

  async complete(line: string): Promise<Completions> {
    const { APL_WORDS } = await import('../../../../apl/language.js')
    const known = { ...APL_WORDS, commands: COMMAND_WORDS, formats: FORMAT_NAMES }
    return await completionsOf([...this.draft, line].join('\n'), known, this.queries.names)
  }

  /** Reads and runs queries and commands until the user leaves. */
  async read(lines: LineEditor): Promise<void> {
    for (;;) {
      const isContinued = this.draft.length > 0
      const prompt = isContinued ? CONTINUATION_PROMPT : PRIMARY_PROMPT
      const line = await lines.next(prompt, { text: this.text, isContinued })
      this.text = ''
      if (line.kind === 'left') return void this.context.io.stdout.write('\n')
      if (line.kind === 'dropped') {
        this.history.keep([...this.draft, line.text].join('\n'))
        this.draft = []
        continue
      }
      const input = readLine(this.draft, line.text)
      if (input.kind === 'more') {
        this.draft = input.draft
        if (isContinued && isExit(line.text)) this.context.warn(EXIT_IN_QUERY)
        continue
      }
      await this.history.add(input.kind === 'query' ? input.apl : line.text)
      const isLeaving = await lines.away(() => this.run(input))
      if (isLeaving) return
    }
  }

  /** Runs a query or a command. Returns true when the user leaves. */
  private async run(input: Exclude<PromptInput, { kind: 'more' }>): Promise<boolean> {
    if (input.kind === 'query') {
      this.draft = []
      await this.runQuery(input.apl)
      return false
    }
    const outcome = await this.reportErrors(() => runCommand(input, this.commandContext(0)))
    if (outcome?.kind === 'leave') return true
    if (outcome !== undefined) this.draft = []
    if (outcome?.kind === 'edit') this.text = outcome.text
    if (outcome?.kind === 'run') {
      this.context.io.stdout.write(`${outcome.apl};\n`)
      await this.history.add(outcome.apl)
      await this.runQuery(outcome.apl)
    }
    return false
  }

  /** Runs a query and reports its failure. Returns true if the query succeeded. */
  private async runQuery(apl: string): Promise<boolean> {
    const { queries } = this
    const startedAt = performance.now()
    const exitCode = await this.reportErrors(() => queries.run(apl))
    const elapsed = Math.round((queries.respondedAt ?? performance.now()) - startedAt)
    if (queries.isTimed) this.context.warn(`Time: ${elapsed} ms`)
    queries.names.forget()
    return exitCode === EXIT.done
  }

  /** Runs the queries and commands of a file up to the first one that fails. */
  private async runFile(path: string, depth: number): Promise<void> {
    if (depth > MAX_DEPTH) throw new UsageError(`\`${path}\` runs itself.`)
    for (const input of readText(await readTextFile(path, 'The query'))) {
      if (input.kind === 'command') {
        if ((await runCommand(input, this.commandContext(depth))) !== undefined) return
      } else if (!(await this.runQuery(input.apl))) return
    }
  }

  /** Returns the state for commands; files that run files are nested up to a depth. */
  private commandContext(depth: number): CommandContext {
    const { queries, draft, history } = this
    const latest = history.entries.find((entry) => !entry.startsWith('\\')) ?? ''
    const runFile = (path: string) => this.runFile(path, depth + 1)
    return { queries, draft: draft.join('\n'), latest, runFile }
  }

  /** Runs `work` and reports its failure, which does not end the prompt. */
  async reportErrors<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    const { io, flags } = this.context
    try {
      return await work()
    } catch (error) {
      const color = colorOf(io.stderr, flags(), io.env)
      io.stderr.write(failureText(failureOf(error), { color, columns: io.stderr.columns }))
      return undefined
    }
  }
}

/** Returns the function that colors a line after the lines of the same query. */
async function lineColor(
  earlier: () => readonly string[],
  { io, flags }: Context,
): Promise<(line: string) => string> {
  const color = colorOf(io.stdout, flags(), io.env)
  if (color === 'none') return (line) => line
  const paint = paintOf(color)
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
