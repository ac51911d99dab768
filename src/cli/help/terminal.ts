import { width } from '../../text/width.js'
import { wrapText } from '../../text/wrap.js'
import type { Block } from './block.js'

/** The maximum width of a term with its text on the same line, on a screen that has room for such a text. */
const WIDEST_TERM = 30
const LEAST_TEXT = 20

/** Formats a topic as text of at most `columns` columns, except for lines of code, which are at most 56 wide, and long words. */
export function topicText(title: string, blocks: readonly Block[], columns: number): string {
  const widest = Math.min(WIDEST_TERM, columns - LEAST_TEXT - '    '.length)
  const terms = blocks.map((block) => (block.kind === 'term' ? width(block.term) : 0))
  const termWidth = Math.max(0, ...terms.filter((term) => term <= widest))
  const lines = [...wrapText(title, columns).split('\n'), '']
  let previous: Block | undefined
  for (const block of blocks) {
    const isRun = previous?.kind === block.kind && (block.kind === 'item' || block.kind === 'term')
    if (previous !== undefined && !isRun && previous.kind !== 'heading') lines.push('')
    lines.push(...blockLines(block, { columns, termWidth }))
    previous = block
  }
  return `${lines.join('\n')}\n`
}

function blockLines(
  block: Block,
  { columns, termWidth }: { readonly columns: number; readonly termWidth: number },
): readonly string[] {
  switch (block.kind) {
    case 'heading':
      return [`${block.text}:`]
    case 'paragraph':
      return wrapText(block.text, columns).split('\n')
    case 'item':
      return hanging('  - ', block.text, columns)
    case 'code':
      return block.lines.map((line) => `    ${line}`)
    case 'term': {
      const lead = `  ${block.term.padEnd(termWidth)}  `
      if (width(block.term) <= termWidth) return hanging(lead, block.text, columns)
      return [
        ...hanging('  ', block.term, columns),
        ...hanging(' '.repeat(termWidth + 4), block.text, columns),
      ]
    }
    default:
      return block satisfies never
  }
}

/** Formats a text with a hanging indent after `lead`. */
function hanging(lead: string, text: string, columns: number): readonly string[] {
  const indent = width(lead)
  return wrapText(text, Math.max(LEAST_TEXT, columns - indent))
    .split('\n')
    .map((line, i) => (i === 0 ? lead + line : ' '.repeat(indent) + line))
}
