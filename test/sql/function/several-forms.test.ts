import { describe, expect, it } from 'vitest'
import { hasSeveralForms } from '../../../src/sql/function/term-search.js'

/** Letters outside ASCII with two other forms, by the case mappings of Unicode. */
function lettersWithSeveralForms(): readonly string[] {
  const groups = new Map<string, Set<string>>()
  for (let code = 0; code < 0x20000; code++) {
    const letter = String.fromCodePoint(code)
    const upper = letter.toUpperCase()
    const forms = groups.get(upper) ?? new Set([upper])
    groups.set(upper, forms.add(letter).add(letter.toLowerCase()))
  }
  // `ı` is a letter of its own, except in Turkish.
  groups.delete('I')
  const single = (form: string) => [...form].length === 1
  return [...groups.values()]
    .map((forms) => [...forms].filter(single))
    .filter(({ length }) => length > 2)
    .flat()
    .filter((letter) => letter > '\x7f')
}

describe('letters with several forms', () => {
  it('are those of which Unicode has more than an upper and a lower case', () => {
    const letters = lettersWithSeveralForms()
    expect(letters).toEqual(expect.arrayContaining(['ς', 'µ', 'ſ', 'ǅ']))
    expect(letters.filter((letter) => !hasSeveralForms(letter))).toEqual([])
  })

  it('are rare in other scripts, and not looked for in ASCII', () => {
    expect(['ö', 'é', '中', 'ж', 'ж中', 'ks'].filter(hasSeveralForms)).toEqual([])
  })
})
