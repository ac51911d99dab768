import { setFlagsFromString } from 'node:v8'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { patternRegExp } from '../../../../src/input/log/pattern/compile-regex.js'
import { linearRepeats } from '../../../../src/input/log/pattern/linear-repeats.js'
import '../../../support/runs.js'

// With this flag, V8 accepts expressions with the flag `l` only if its linear engine executes them.
setFlagsFromString('--enable-experimental-regexp-engine')

const SINGLE = fc.constantFrom('a', '[ab]', '\\x61', 'b', '[^)\\]]')
const SIGN = fc.constantFrom('', '*', '+?', '{17}', '{0,18}', '{3,20}', '{17,}', '{2,19}?', '{5}')

/** A part of one to three characters, repeated. */
const SHORT = fc
  .array(fc.tuple(SINGLE, SIGN), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.flat().join(''))
const GROUP = fc
  .tuple(SHORT, SHORT, SIGN)
  .map(([first, second, sign]) => `(?:${first}|${second})${sign}`)
const REGEX = fc
  .tuple(fc.array(GROUP, { minLength: 1, maxLength: 2 }), fc.constantFrom('', '+', '{2}'))
  .map(([groups, sign]) => `(?:${groups.join('')})${sign}`)

describe('repetitions of regular expressions', () => {
  it.each([
    ['^((?:a+){20})$', `^(${'(?:a+)'.repeat(20)})$`],
    ['a{1,20}', `a${'(?:a'.repeat(19)}${')?'.repeat(19)}`],
    ['[)]{0,17}?', `${'(?:[)]'.repeat(17)}${')??'.repeat(17)}`],
    ['\\x61{16,}', `${'\\x61'.repeat(16)}\\x61*`],
    ['(?:(?:b{4}){4}){2}', '(?:(?:b{4}){4})(?:(?:b{4}){4})'],
  ])('are written out where the linear engine copies a part too often: %s', (source, written) => {
    expect(linearRepeats(source)).toBe(written)
  })

  it.each(['a{16}(?:b+)+', '(a){20}', '(?=a)b{30}', '(a)\\1{20}', 'a{99999}'])(
    'are kept where that is not needed or not possible: %s',
    (source) => expect(linearRepeats(source)).toBe(source),
  )

  it.each([
    ['of many parts', 'a'.repeat(120_000)],
    ['of deeply nested groups', `${'(?:'.repeat(20_000)}a{20}${')'.repeat(20_000)}`],
    ['of groups nested as deeply as they may be', `${'(?:'.repeat(2_499)}a${')'.repeat(2_499)}`],
  ])('are kept in an expression %s', (_, source) => expect(linearRepeats(source)).toBe(source))

  it('match the same text, in linear time', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'a', 'a', 'b'), maxLength: 60 })
    fc.assert(
      fc.property(REGEX, text, (source, value) => {
        const linear = linearRepeats(source)
        expect(new RegExp(linear).exec(value)).toEqual(new RegExp(source).exec(value))
        expect(() => new RegExp(linear, 'l')).not.toThrow()
      }),
    )
  })

  it('of a pattern of lines do not keep it from linear time', () => {
    const { source } = patternRegExp('^(\\w{1,100}) ((?:a+)+)$')
    expect(() => new RegExp(source, 'l')).not.toThrow()
  })
})
