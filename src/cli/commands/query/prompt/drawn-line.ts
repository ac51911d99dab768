import type { Interface } from 'node:readline'
import { terminalText } from '../../../../render/terminal-text.js'
import { internalsOf } from './readline-internals.js'

const NOWHERE = { rows: 0, cols: 0 }

/**
 * Draws the line of a line editor as a whole after each change, with colors. Pasted text is inserted at the cursor; Node would
 * append it, and draw a long line in the wrong row. `color` changes only colors, not the text. The line and the list of completions
 * are escaped, because their names come from events.
 */
export function drawLine(readline: Interface, color: (line: string) => string): void {
  const editor = internalsOf(readline)
  if (editor === undefined) return
  const write = editor._writeToOutput.bind(editor)
  const refresh = editor._refreshLine.bind(editor)
  const insert = editor._insertString.bind(editor)
  const end = editor.clearLine.bind(editor)
  const position = readline.getCursorPos.bind(readline)
  let isInserting = false
  let scheduled: NodeJS.Immediate | undefined

  editor._writeToOutput = (text) => {
    if (isInserting) return
    const prompt = readline.getPrompt()
    const isLine = editor.line !== '' && text === prompt + editor.line
    write(safeLines(isLine ? prompt + color(editor.line) : text))
  }
  editor._refreshLine = () => {
    // When the size of the terminal changes, Node would draw the line over a pager or the progress of a query.
    if (isInserting || editor.paused) return
    clearImmediate(scheduled)
    scheduled = undefined
    refresh()
  }
  // Node compares the position in front of an inserted character with the position after it, and measures the whole line for each.
  readline.getCursorPos = () => (isInserting ? NOWHERE : position())
  // Pasted characters arrive one by one; the line is drawn when all have arrived.
  editor._insertString = (text) => {
    const { isCompletionEnabled } = editor
    editor.isCompletionEnabled = true
    isInserting = true
    insert(text.replaceAll('\t', '  '))
    isInserting = false
    editor.isCompletionEnabled = isCompletionEnabled
    scheduled ??= setImmediate(() => editor._refreshLine())
  }
  editor.clearLine = () => {
    if (scheduled !== undefined) editor._refreshLine()
    end()
  }
}

/** Escapes a text of the line editor, with the line ends of a terminal in raw mode. */
function safeLines(text: string): string {
  return text.split('\r\n').map(terminalText).join('\r\n')
}
