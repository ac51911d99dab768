/** Escape sequences of terminals: colors and other attributes (CSI), titles and links (OSC), and character sets. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one.
const SEQUENCE = /\x1b(?:\[[0-?]{0,64}[ -/]{0,4}[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)|[()][0-9AB])/g
/** A color whose escape character rsyslog has written as a number, as it does with control characters by default. */
const ESCAPED_COLOR = /#033\[[\d;]{0,64}[mK]/g

/** True when a text may have colors that rsyslog has written. */
export function hasEscapedColors(text: string | Buffer): boolean {
  return text.includes('#033[')
}

export function withoutColors(text: string): string {
  const plain = hasEscapedColors(text) ? text.replace(ESCAPED_COLOR, '') : text
  return plain.includes('\x1b') ? plain.replace(SEQUENCE, '') : plain
}
