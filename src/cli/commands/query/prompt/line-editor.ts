import { type CompleterResult, createInterface, Interface } from 'node:readline'
import type { Context, Output } from '../../../context.js'
import type { Completions } from '../../../query/completion.js'
import { drawLine } from './drawn-line.js'
import type { History } from './history.js'
import { searchHistory } from './history-search.js'
import { internalsOf } from './readline-internals.js'

/** An action of the user at the prompt. */
type Line =
  | { readonly kind: 'line'; readonly text: string }
  /** Ctrl-C discarded a line. */
  | { readonly kind: 'dropped'; readonly text: string }
  | { readonly kind: 'left' }

interface LineOptions {
  /** The text that the line begins with. */
  readonly text: string
  /** True for a further line of the same query. */
  readonly isContinued: boolean
}

interface EditorOptions {
  readonly history: History
  /** Ends the input when aborted. */
  readonly signal: AbortSignal
  complete(line: string): Promise<Completions>
  color(line: string): string
}

export type LineEditor = ReturnType<typeof openLineEditor>

/** Opens the line editor. Lines of pasted text are queued until they are read. */
export function openLineEditor(
  { io }: Context,
  { history, signal, complete, color }: EditorOptions,
) {
  const waiting: Line[] = []
  let wake: (() => void) | undefined
  const readline = createInterface({
    input: io.stdin,
    output: editorOutput(io),
    terminal: true,
    history: [...history.entries],
    historySize: 1_000,
    completer: (line: string, done: (error: null, result: CompleterResult) => void) => {
      const respond = ({ candidates, written }: Completions) =>
        done(null, [[...candidates], written])
      complete(line).then(respond, () => respond({ candidates: [], written: line }))
    },
  })
  drawLine(readline, color)
  dropRepeatedTabs(readline)
  searchHistory(readline, () => history.entries)
  function arrived(line: Line): void {
    waiting.push(line)
    wake?.()
  }
  readline.on('line', (text) => arrived({ kind: 'line', text }))
  readline.on('close', () => arrived({ kind: 'left' }))
  // After Ctrl-Z, Node continues with the keyboard paused.
  readline.on('SIGCONT', () => readline.resume())
  // Closing restores the mode of the terminal.
  signal.addEventListener('abort', () => readline.close(), { once: true })
  readline.on('SIGINT', () => {
    const { line: text } = readline
    const editor = internalsOf(readline)
    // `^C` is written at the end of the line, which is discarded without being entered.
    editor?._refreshLine()
    readline.write(null, { ctrl: true, name: 'e' })
    io.stdout.write('^C')
    editor?.clearLine()
    arrived({ kind: 'dropped', text })
  })
  return {
    async next(prompt: string, { text, isContinued }: LineOptions): Promise<Line> {
      readline.setPrompt(prompt)
      if (!isContinued) remember(readline, history)
      if (waiting.length === 0) {
        // The next line may have begun already: its keys arrived together with Enter.
        readline.prompt(true)
        if (text !== '') readline.write(text)
      }
      while (waiting.length === 0 && !signal.aborted)
        await new Promise<void>((resolve) => (wake = resolve))
      return signal.aborted ? { kind: 'left' } : waiting.shift()!
    },
    /** Releases the keyboard while `work` runs: Ctrl-C is a signal again, and a pager can read. */
    async away<Result>(work: () => Promise<Result>): Promise<Result> {
      readline.pause()
      setRawMode(io.stdin, false)
      const result = await work()
      if (!signal.aborted) {
        setRawMode(io.stdin, true)
        readline.resume()
      }
      return result
    },
    close: () => readline.close(),
  }
}

/** Returns the unfiltered terminal, in which a line editor can move the cursor, if the output of the editor can be escaped. */
function editorOutput({ stdout }: Context['io']): Output {
  const canEscape = internalsOf(Interface.prototype) !== undefined
  return (canEscape ? stdout.unfiltered : undefined) ?? stdout
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

/**
 * Drops Tab keys that repeat the last one and arrive together with other keys. Keys that are pressed while names are looked up
 * arrive together afterwards, like pasted text: Node would insert a Tab among them.
 */
function dropRepeatedTabs(readline: Interface): void {
  const editor = internalsOf(readline)
  if (editor === undefined) return
  const type = editor._ttyWrite.bind(editor)
  let wasCompletion = false
  editor._ttyWrite = (text, key = {}) => {
    const isTab = key.name === 'tab'
    if (isTab && wasCompletion && !editor.isCompletionEnabled) return
    wasCompletion = isTab && editor.isCompletionEnabled
    type(text, key)
  }
}
