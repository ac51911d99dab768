import fc from 'fast-check'

/** A JSON string, in which each character is written in one of the ways that JSON allows. */
export function writtenAsJson(value: string): fc.Arbitrary<string> {
  return fc.tuple(...[...value].map(spellings)).map((parts) => `"${parts.join('')}"`)
}

function spellings(character: string): fc.Arbitrary<string> {
  const plain = JSON.stringify(character).slice(1, -1)
  const code = inEscapes(character)
  const slashed = character === '/' ? ['\\/'] : []
  return fc.constantFrom(
    plain,
    plain,
    plain,
    code,
    code.toUpperCase().replaceAll('\\U', '\\u'),
    ...slashed,
  )
}

/** Returns the text of a JSON string, without quotes, in which each unit is an escape. */
export function inEscapes(text: string): string {
  const units = Array.from({ length: text.length }, (_, i) => text.charCodeAt(i))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
