// The package string-width returns the same in nearly all cases, but segments all text that is not ASCII, which takes
// 20 to 40 µs for each cell of a table; the range tests below take 0.1 µs.

/** Characters that do not combine, so that the code point decides the width: Latin, Greek, Cyrillic, kana, ideographs, Hangul. */
const ALONE =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u0370-\u0482\u048a-\u0560\u2010-\u2015\u2018-\u201f\u2026\u2500-\u259f\u3000-\u3029\u3041-\u3096\u30a1-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]*$/
const NARROW = /^[\x20-\x7e]*$/
let classes: ReturnType<typeof characterClasses> | undefined
let segmenter: Intl.Segmenter | undefined

/** Splits text into grapheme clusters: letters with their accents, whole emoji. */
export function graphemes(text: string): readonly string[] {
  if (ALONE.test(text)) return [...text]
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), (part) => part.segment)
}

/** Returns the width of text in columns of a terminal. */
export function width(text: string): number {
  if (NARROW.test(text)) return text.length
  let columns = 0
  if (ALONE.test(text)) {
    // Among characters that do not combine, the wide ones begin here.
    for (let at = 0; at < text.length; at++) columns += text.charCodeAt(at) < 0x3000 ? 1 : 2
    return columns
  }
  for (const grapheme of graphemes(text)) columns += graphemeWidth(grapheme)
  return columns
}

/** An emoji sequence counts once; other code points in a cluster are added up. */
function graphemeWidth(grapheme: string): number {
  classes ??= characterClasses()
  if (classes.picture.test(grapheme)) return 2
  let columns = 0
  for (const sign of grapheme) {
    if (!classes.invisible.test(sign)) columns += classes.wide.test(sign) ? 2 : 1
  }
  return columns
}

/** Parsing these expressions takes a millisecond, so they are created on first use. */
function characterClasses() {
  return {
    /** Characters of two columns: https://www.unicode.org/reports/tr11/ */
    wide: /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u,
    /** Emoji, including flags, joined sequences and characters with an emoji variation selector. */
    picture: /\p{Emoji_Presentation}|\ufe0f|\p{Extended_Pictographic}.*\u200d/u,
    /** Combining marks and format characters. */
    invisible: /[\p{Mn}\p{Me}\p{Cf}]/u,
  }
}
