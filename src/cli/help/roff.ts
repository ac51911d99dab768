import type { Block } from './block.js'

/** Formats a topic as lines of the manual page. */
export function roffLines(blocks: readonly Block[]): readonly string[] {
  return blocks.flatMap(blockLines)
}

function blockLines(block: Block): readonly string[] {
  switch (block.kind) {
    case 'heading':
      return ['.SS', escaped(block.text)]
    case 'paragraph':
      return ['.PP', escaped(block.text)]
    case 'item':
      return ['.IP \\(bu 2', escaped(block.text)]
    case 'code':
      return ['.PP', '.RS', '.nf', ...block.lines.map(escaped), '.fi', '.RE']
    case 'term':
      return ['.TP', `\\fB${escaped(block.term)}\\fR`, escaped(block.text)]
    default:
      return block satisfies never
  }
}

/** Escapes a text so that roff prints it literally. */
export function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('`', '\\(ga')
    .replaceAll("'", '\\(aq')
    .replaceAll('…', '...')
    .replace(
      /[^\0-\x7f]/gu,
      (sign) => `\\[u${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`,
    )
    .replace(/^\./gm, '\\&.')
}
