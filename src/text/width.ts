const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u
const NARROW = /^[\x20-\x7e]*$/
const INVISIBLE = /^(?:\p{Mark}|\u200b|\u200c|\u200d|\u2060)+$/u

let segmenter: Intl.Segmenter | undefined

/** What a reader sees as one character each: letters with their accents, whole emoji. */
export function graphemes(text: string): readonly string[] {
  if (NARROW.test(text)) return [...text]
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), (part) => part.segment)
}

/** How many columns of a terminal a text takes. */
export function width(text: string): number {
  if (NARROW.test(text)) return text.length
  let columns = 0
  for (const grapheme of graphemes(text)) columns += graphemeWidth(grapheme)
  return columns
}

function graphemeWidth(grapheme: string): number {
  if (INVISIBLE.test(grapheme)) return 0
  return WIDE.test(grapheme) ? 2 : 1
}
