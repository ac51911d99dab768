import { expect, it } from 'vitest'
import { firstColumns, lastColumns, withoutColumns } from '../../src/render/fit-text.js'

// Each ideograph has two columns, the letter with an accent one.
const MIXED = 'a日e\u0301本z'

it('takes as much of the beginning of a text as fits', () => {
  expect(firstColumns(MIXED, 2)).toBe('a')
  expect(firstColumns(MIXED, 4)).toBe('a日e\u0301')
  expect(firstColumns(MIXED, 5)).toBe('a日e\u0301')
  expect(firstColumns(MIXED, 7)).toBe(MIXED)
  expect(firstColumns('plain', 3)).toBe('pla')
  expect(firstColumns('cafe\u0301s', 4)).toBe('cafe\u0301')
})

it('takes as much of the end of a text as fits', () => {
  expect(lastColumns(MIXED, 0)).toBe('')
  expect(lastColumns(MIXED, 2)).toBe('z')
  expect(lastColumns(MIXED, 3)).toBe('本z')
  expect(lastColumns(MIXED, 4)).toBe('e\u0301本z')
  expect(lastColumns('plain', 3)).toBe('ain')
})

it('leaves columns out, and half a wide character is a space', () => {
  expect(withoutColumns(MIXED, 0)).toBe(MIXED)
  expect(withoutColumns(MIXED, 1)).toBe('日e\u0301本z')
  expect(withoutColumns(MIXED, 2)).toBe(' e\u0301本z')
  expect(withoutColumns(MIXED, 4)).toBe('本z')
  expect(withoutColumns(MIXED, 9)).toBe('')
  expect(withoutColumns('plain', 3)).toBe('in')
})
