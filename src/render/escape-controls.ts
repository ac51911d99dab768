// Events are other people's text. What could move a terminal's cursor, recolour it, or turn the
// direction of what stands beside it is shown as an escape instead.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that must not pass
const STEERING = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Text as it may be sent to a terminal: on one line, with nothing in it that steers. */
export function escapeControls(text: string): string {
  return text.replace(STEERING, (character) => SHORT[character] ?? escaped(character))
}

/** The same for JSON text and CSV, whose own line ends and tabs stay. */
export function escapeControlsInLines(text: string): string {
  return text.replace(STEERING, (character) =>
    character === '\n' || character === '\t' ? character : escaped(character),
  )
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
