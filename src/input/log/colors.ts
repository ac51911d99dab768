/** Escape sequences of terminals: colors and other attributes (CSI), titles and links (OSC), and character sets. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one.
const SEQUENCE = /\x1b(?:\[[0-?]{0,64}[ -/]{0,4}[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)|[()][0-9AB])/g

/** Returns a text without the colors of a terminal. */
export function withoutColors(text: string): string {
  return text.includes('\x1b') ? text.replace(SEQUENCE, '') : text
}
