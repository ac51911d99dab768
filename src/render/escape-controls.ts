import { unicodeEscape } from '../text/control-escapes.js'

// Events contain untrusted text. Characters that move the cursor, change colors or reverse the text direction are shown as escapes.

/**
 * The control characters except line feeds and tabs, and the noncharacters that XML does not allow, as the content of a class in a
 * regular expression.
 */
export const CONTROLS =
  '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff\\ufffe\\uffff'

const CONTROL = new RegExp(`[${CONTROLS}\\t\\n]`, 'g')

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Escapes all control characters, line ends included: for a cell, a label, a message. */
export function escapeControls(text: string): string {
  return text.replace(CONTROL, (character) => SHORT[character] ?? unicodeEscape(character))
}

/** Returns a text with spaces in place of tabs, which `escapeControls` would escape. */
export function withoutTabs(text: string): string {
  return text.replaceAll('\t', '    ')
}
