/** Escape sequences of terminals: colors and other attributes (CSI), titles and links (OSC), and character sets. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one.
const SEQUENCE = /\x1b(?:\[[0-?]{0,64}[ -/]{0,4}[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)|[()][0-9AB])/g
/**
 * Colors whose escape character was replaced: rsyslog writes its number, `cat -v` writes `^[`, and the console of Windows an arrow, in
 * latin1.
 */
const REPLACED = /(?:#033|\^\[|\xe2\x86\x90)\[[\d;]{0,64}[mK]/g
/**
 * Colors without an escape character, which browsers do not copy. `[30m]`, `[30ms]` and `[1m 5s]` are rather durations, and an escape
 * in the notation of a string is a part of the message.
 */
const BARE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one.
  /(?<!\x1b|\\u001[bB]|\\x1[bB]|\\033|\\e)\[(?:[01]|2[1-4]|(?:[0-5];){0,2}(?:[34][0-79]|9[0-7])|[34]8;[25](?:;\d{1,3}){1,3})m(?!\]|s\b| ?\d+s\b)/g
/** The ends of colors without an escape character. */
const ENDS = ['[0m', '[39m']
const REPLACED_BEGINNINGS = ['#033[', '^[[', '\x90[']
const MARKS = ['\x1b', ...REPLACED_BEGINNINGS, ...ENDS]

/** True when a text, in latin1, may have colors. */
export function mayHaveColors(text: string | Buffer): boolean {
  return MARKS.some((mark) =>
    typeof text === 'string' ? text.includes(mark) : text.includes(mark, 0, 'latin1'),
  )
}

export function withoutColors(text: string): string {
  const bare = text.includes('\x1b') ? text.replace(SEQUENCE, '') : text
  // All other marks have a bracket; searching takes less time than an expression.
  if (!bare.includes('[')) return bare
  const includesOne = (marks: readonly string[], line: string) =>
    marks.some((mark) => line.includes(mark))
  const plain = includesOne(REPLACED_BEGINNINGS, bare) ? bare.replace(REPLACED, '') : bare
  return includesOne(ENDS, plain) ? plain.replace(BARE, '') : plain
}
