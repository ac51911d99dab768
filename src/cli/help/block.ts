/** A part of a help topic, laid out for a terminal or for the manual page. */
export type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'item'; readonly text: string }
  /** Lines that users copy, so they are neither wrapped nor filled. */
  | { readonly kind: 'code'; readonly lines: readonly string[] }
  /** A term and its meaning. */
  | { readonly kind: 'term'; readonly term: string; readonly text: string }

/**
 * Reads the small markup of the topics: blank lines separate paragraphs, `## ` begins a heading, `- ` an item,
 * four spaces a line of code, and `term :: text` a definition.
 */
export function blocksOf(markup: string): readonly Block[] {
  return markup
    .trim()
    .split(/\n{2,}/)
    .flatMap(paragraphBlocks)
}

function paragraphBlocks(paragraph: string): readonly Block[] {
  const lines = paragraph.split('\n')
  if (lines.every((line) => line.startsWith('    '))) {
    return [{ kind: 'code', lines: lines.map((line) => line.slice(4)) }]
  }
  if (paragraph.startsWith('## ')) return [{ kind: 'heading', text: paragraph.slice(3) }]
  if (paragraph.startsWith('- ')) {
    return paragraph
      .split(/\n(?=- )/)
      .map((item) => ({ kind: 'item', text: joined(item.slice(2)) }))
  }
  if (/^\S.*? :: /.test(paragraph)) return paragraph.split(/\n(?=\S.*? :: )/).map(term)
  return [{ kind: 'paragraph', text: joined(paragraph) }]
}

function term(text: string): Block {
  const at = text.indexOf(' :: ')
  return { kind: 'term', term: text.slice(0, at), text: joined(text.slice(at + 4)) }
}

function joined(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ')
}
