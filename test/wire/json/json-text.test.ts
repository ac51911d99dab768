import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonReader } from '../../../src/wire/json/json-text.js'
import '../../support/runs.js'

function elements(text: string): string[] {
  const reader = new JsonReader(text)
  const found: string[] = []
  reader.array(() => found.push(reader.raw()))
  reader.end()
  return found
}

describe('JsonReader', () => {
  it('returns values as received', () => {
    expect(elements('[9007199254740993,1.0,-1E+5,true,null,"a\\"]b","\\\\"]')).toEqual([
      '9007199254740993',
      '1.0',
      '-1E+5',
      'true',
      'null',
      '"a\\"]b"',
      '"\\\\"',
    ])
  })

  it('skips white space around values', () => {
    expect(elements(' [ 1 ,\n\t"a" , [ 2 , {} ] ]\r\n')).toEqual(['1', '"a"', '[ 2 , {} ]'])
  })

  it('ignores brackets inside strings inside arrays', () => {
    expect(elements('[{"a":"]}"},["[\\"{"]]')).toEqual(['{"a":"]}"}', '["[\\"{"]'])
  })

  it('reads every value that JSON can write', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue()),
        fc.constantFrom(undefined, 1, '\t'),
        (values, indent) => {
          const texts = elements(JSON.stringify(values, undefined, indent))
          expect(texts.map((text) => JSON.parse(text))).toEqual(
            values.map((value) => JSON.parse(JSON.stringify(value))),
          )
        },
      ),
    )
  })
})

describe('malformed JSON', () => {
  it.each([
    ['', 'it ends too early'],
    ['[1,2', 'it ends too early'],
    ['["abc', 'the end of a string expected'],
    ['[1 2]', '`]` expected at character 4'],
    ['[,]', 'a value expected at character 2'],
    ['[1] 2', 'the end expected at character 5'],
    ['<html>', '`[` expected at character 1'],
  ])('%s is rejected with the position', (text, words) => {
    expect(() => elements(text)).toThrow(words)
  })

  it('truncated anywhere is rejected', () => {
    const whole = '[{"a":[1,"x\\"y"]},null,"z",12]'
    for (let length = 0; length < whole.length; length++) {
      expect(() => elements(whole.slice(0, length)), whole.slice(0, length)).toThrow()
    }
  })
})
