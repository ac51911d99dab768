import { graphemes, width as textWidth } from '../text/width.js'

/** A text in exactly `width` columns of a terminal: a longer one ends in `…`, a shorter one is filled up. */
export function fitText(text: string, width: number, align: 'left' | 'right'): string {
  const natural = textWidth(text)
  const shown = natural <= width ? text : cut(text, width)
  const space = ' '.repeat(width - (shown === text ? natural : textWidth(shown)))
  return align === 'left' ? shown + space : space + shown
}

/** A text in at most `width` columns of a terminal; what is cut ends in `…`. */
export function cutText(text: string, width: number): string {
  return textWidth(text) <= width ? text : cut(text, width)
}

function cut(text: string, width: number): string {
  let kept = ''
  let used = 0
  // No character is wider than two columns, so those far behind the end can't be among the kept.
  for (const grapheme of graphemes(text.slice(0, width * 8))) {
    used += textWidth(grapheme)
    if (used > width - 1) break
    kept += grapheme
  }
  return `${kept}…`
}
