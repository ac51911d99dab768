import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { engineJson } from '../../../src/render/transpose/engine-json.js'
import { RUNS } from '../../support/runs.js'

describe('JSON as the engine writes it', () => {
  it.each([
    ['no white space', '{ "a" : [ 1 ,\t2 ],\r\n"b c" : null }', '{"a":[1,2],"b c":null}'],
    ['the shortest form of doubles', '[1.50,0.25,1e5,1E+300,1.0]', '[1.5,0.25,100000,1e300,1]'],
    ['integers of any length', '[12345678901234567890,-7]', '[12345678901234567890,-7]'],
    ['a zero without a sign, unless it is a double', '[-0,-0.0]', '[0,-0]'],
    ['characters in place of escapes', '"a\\u00e9\\/b"', '"aé/b"'],
    ['the escapes that it needs', '"\\"\\\\\\n\\u001f\u2028"', '"\\"\\\\\\n\\u001F\\u2028"'],
    ['digits, signs and spaces in strings', '["1.50 - \\n2.50",1.50]', '["1.50 - \\n2.50",1.5]'],
  ])('has %s', (_, json, expected) => {
    expect(engineJson(json)).toBe(expected)
  })

  it('has the digits of the double that a decimal number stands for', () => {
    const digits = fc.stringMatching(/^\d{1,10}$/)
    fc.assert(
      fc.property(
        fc.constantFrom('', '-'),
        fc.nat(2_000_000_000),
        digits,
        (sign, whole, decimals) => {
          const number = `${sign}${whole}.${decimals}1`
          expect(engineJson(number)).toBe(String(Number(number)))
          expect(engineJson(`${sign}0.${decimals}1`)).toBe(String(Number(`${sign}0.${decimals}1`)))
        },
      ),
      { numRuns: 20 * RUNS },
    )
  })

  it('has no negative zero inside an object', () => {
    expect(engineJson('[-0.0,-0]', { isInside: true })).toBe('[0,0]')
  })
})
