import type { Interface } from 'node:readline'
import { internalsOf, type Key } from './readline-internals.js'

interface Search {
  readonly pattern: string
  /** The index of the match in the history; undefined while no entry matches. */
  readonly match: number | undefined
}

/** The line editor before the search. */
interface Before {
  readonly prompt: string
  readonly line: string
  readonly cursor: number
}

/**
 * Adds the backward search with Ctrl-R, which looks for the text typed after it. Enter brings the match to the prompt, where it
 * can be changed before it runs; Ctrl-C, Ctrl-G and Escape return to the line as it was.
 */
export function searchHistory(readline: Interface, entries: () => readonly string[]): void {
  const found = internalsOf(readline)
  if (found === undefined) return
  const editor = found
  const type = editor._ttyWrite.bind(editor)
  let before: Before | undefined
  let search: Search = { pattern: '', match: undefined }

  editor._ttyWrite = (text, key = {}) => {
    if (before !== undefined) searchKey(text, key)
    else if (key.ctrl && key.name === 'r') {
      before = { prompt: readline.getPrompt(), line: editor.line, cursor: editor.cursor }
      find('', 0)
    } else type(text, key)
  }

  function searchKey(text: string | undefined, key: Key): void {
    const { pattern, match } = search
    if (key.ctrl && key.name === 'r') find(pattern, match === undefined ? 0 : match + 1)
    else if (key.name === 'backspace') find(pattern.slice(0, -1), 0)
    else if ((key.ctrl && (key.name === 'c' || key.name === 'g')) || key.name === 'escape') cancel()
    else if (key.name === 'return' || key.name === 'enter') accept()
    else if (text !== undefined && text >= ' ' && !key.ctrl && !key.meta && key.name !== 'tab') {
      find(pattern + text, match ?? 0)
    } else {
      accept()
      type(text, key)
    }
  }

  function find(pattern: string, from: number): void {
    const all = entries()
    const at = all.findIndex((entry, i) => i >= from && pattern !== '' && entry.includes(pattern))
    // After the oldest match, Ctrl-R keeps that match.
    const isOldest = at === -1 && from > 0 && pattern === search.pattern
    const match = isOldest ? search.match : at === -1 ? undefined : at
    search = { pattern, match }
    const line = match === undefined ? '' : all[match]!
    const state = pattern !== '' && match === undefined ? 'no match' : 'search'
    show({ prompt: `(${state}: ${pattern}) `, line, cursor: Math.max(0, line.indexOf(pattern)) })
  }

  function accept(): void {
    const { prompt, line } = before!
    before = undefined
    const chosen = search.match === undefined ? line : editor.line
    show({ prompt, line: chosen, cursor: chosen.length })
  }

  function cancel(): void {
    const state = before!
    before = undefined
    show(state)
  }

  function show({ prompt, line, cursor }: Before): void {
    readline.setPrompt(prompt)
    editor.line = line
    editor.cursor = cursor
    editor._refreshLine()
  }
}
