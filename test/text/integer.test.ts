import { expect, it } from 'vitest'
import { formatInteger } from '../../src/text/integer.js'

it('formats integers with thousands separators', () => {
  const integers = [0, 7, 999, 1000, 123_456, 1_234_567, -1, -999, -1000, 2 ** 53]
  const shown = integers.map(formatInteger)
  expect(shown).toEqual([
    '0',
    '7',
    '999',
    '1,000',
    '123,456',
    '1,234,567',
    '-1',
    '-999',
    '-1,000',
    '9,007,199,254,740,992',
  ])
  expect(formatInteger(18_446_744_073_709_551_615n)).toBe('18,446,744,073,709,551,615')
})
