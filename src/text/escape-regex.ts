/** Escapes a text for a regular expression of JavaScript or of RE2, outside of brackets. */
export function escapeRegex(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&').replaceAll('\0', '\\x00')
}
