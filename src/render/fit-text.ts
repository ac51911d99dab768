import { graphemes, width as textWidth } from '../text/width.js'

/** Fits text into exactly `width` terminal columns: truncates longer text with `…`, pads shorter text; `paint` colors the text. */
export function fitText(
  text: string,
  width: number,
  align: 'left' | 'right',
  paint = (shown: string) => shown,
): string {
  const natural = textWidth(text)
  const shown = natural <= width ? text : cut(text, width)
  const space = ' '.repeat(width - (shown === text ? natural : textWidth(shown)))
  return align === 'left' ? paint(shown) + space : space + paint(shown)
}

/** Truncates text to `width` terminal columns; truncated text ends with `…`. */
export function cutText(text: string, width: number): string {
  return textWidth(text) <= width ? text : cut(text, width)
}

function cut(text: string, width: number): string {
  let kept = ''
  let used = 0
  // Few characters have more than eight code units, so the rest would not fit.
  for (const grapheme of graphemes(text.slice(0, width * 8))) {
    used += textWidth(grapheme)
    if (used > width - 1) break
    kept += grapheme
  }
  return `${kept}…`
}
