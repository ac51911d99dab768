import { width } from './width.js'

/** A word with the blanks before it. What stands in backticks is there to be copied, and one word. */
const WORD = /(\s*)((?:`[^`]*`|[^\s`]|`)+)/g

/** A sentence in lines of so many columns, broken between words; a word that is longer stays whole. */
export function wrapText(text: string, columns: number | undefined): string {
  if (columns === undefined || columns === 0 || width(text) <= columns) return text
  const lines: string[] = []
  let line = ''
  for (const [longer, , word = ''] of text.matchAll(WORD)) {
    if (line === '' || width(line + longer) <= columns) line += longer
    else {
      lines.push(line)
      line = word
    }
  }
  return [...lines, line].join('\n')
}
