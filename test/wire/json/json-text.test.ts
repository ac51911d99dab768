import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonReader } from '../../../src/wire/json/json-text.js'

function elements(text: string): string[] {
  const reader = new JsonReader(text)
  const found: string[] = []
  reader.array(() => found.push(reader.raw()))
  reader.end()
  return found
}

describe('the text of JSON values', () => {
  it('stays what it was on the wire', () => {
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

  it('leaves out the white space around values', () => {
    expect(elements(' [ 1 ,\n\t"a" , [ 2 , {} ] ]\r\n')).toEqual(['1', '"a"', '[ 2 , {} ]'])
  })

  it('is found for brackets inside strings inside arrays', () => {
    expect(elements('[{"a":"]}"},["[\\"{"]]')).toEqual(['{"a":"]}"}', '["[\\"{"]'])
  })

  it('is found for every value that JSON can write', () => {
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

describe('text that is no JSON', () => {
  it.each([
    ['', 'it ends too soon'],
    ['[1,2', 'it ends too soon'],
    ['["abc', 'it should have the end of a string'],
    ['[1 2]', 'at character 4 it should have `]`'],
    ['[,]', 'at character 2 it should have a value'],
    ['[1] 2', 'at character 5 it should have the end'],
    ['<html>', 'at character 1 it should have `[`'],
  ])('%s is refused with the place', (text, words) => {
    expect(() => elements(text)).toThrow(words)
  })

  it('cut off anywhere is refused', () => {
    const whole = '[{"a":[1,"x\\"y"]},null,"z",12]'
    for (let length = 0; length < whole.length; length++) {
      expect(() => elements(whole.slice(0, length)), whole.slice(0, length)).toThrow()
    }
  })
})
