import { graphemes, width as textWidth } from '../text/width.js'

/** Fits text into exactly `width` terminal columns: longer text is truncated with `…`, shorter text is padded; `paint` colors it. */
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
  // No character is wider than two columns and few have more than four code units, so the rest cannot fit.
  for (const grapheme of graphemes(text.slice(0, width * 8))) {
    used += textWidth(grapheme)
    if (used > width - 1) break
    kept += grapheme
  }
  return `${kept}…`
}
