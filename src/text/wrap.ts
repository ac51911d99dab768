import { width } from './width.js'

/** A word with the blanks in front of it. Text in backticks is meant to be copied and counts as one word. */
const WORD = /(\s*)((?:`[^`]*`|[^\s`]|`)+)/g

/**
 * Wraps text at `columns`, between words; longer words are not broken, and all lines are indented as the first. Returns the text
 * unchanged without a width.
 */
export function wrapText(text: string, columns: number | undefined): string {
  if (columns === undefined || columns === 0 || width(text) <= columns) return text
  const [indent] = /^ */.exec(text)!
  const lines: string[] = []
  let line = ''
  for (const [longer, , word = ''] of text.matchAll(WORD)) {
    if (line === '' || width(line + longer) <= columns) line += longer
    else {
      lines.push(line)
      line = indent + word
    }
  }
  return [...lines, line].join('\n')
}
