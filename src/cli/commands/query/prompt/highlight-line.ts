import type { Highlight, HighlightKind } from '../../../../apl/language.js'
import type { Paint, Tone } from '../../../../render/paint.js'

const TONES: Readonly<Record<HighlightKind, Tone>> = {
  operator: 'heading',
  function: 'number',
  word: 'truth',
  string: 'notice',
  number: 'warning',
  comment: 'faint',
}

/** Colors the last line of a query, whose previous lines determine the colors too. */
export function highlightLine(
  lines: readonly string[],
  { paint, highlights }: { paint: Paint; highlights: (text: string) => readonly Highlight[] },
): string {
  const text = lines.join('\n')
  const start = text.length - (lines.at(-1)?.length ?? 0)
  if (lines.length === 1 && /^\s*\\/.test(text)) return paint('number', text)
  let shown = ''
  let at = start
  for (const { kind, span } of highlights(text)) {
    if (span.end <= start) continue
    const from = Math.max(span.start, start)
    shown += text.slice(at, from) + paint(TONES[kind], text.slice(from, span.end))
    at = span.end
  }
  return shown + text.slice(at)
}
