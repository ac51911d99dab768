// Events contain untrusted text. Characters that move the cursor, change colors or reverse the text direction are shown
// as escapes.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that must not pass
const STEERING = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Escapes all control characters, line ends included. */
export function escapeControls(text: string): string {
  return text.replace(STEERING, (character) => SHORT[character] ?? escaped(character))
}

/** Escapes control characters except line feeds and tabs, for JSON and CSV. */
export function escapeControlsInLines(text: string): string {
  return text.replace(STEERING, (character) =>
    character === '\n' || character === '\t' ? character : escaped(character),
  )
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
