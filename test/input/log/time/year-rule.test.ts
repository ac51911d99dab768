import { expect, it } from 'vitest'
import { yearOf } from '../../../../src/input/log/time/year-rule.js'

it.each([1900, 1969, 1970, 1999, 2000, 2001, 2023, 2024, 2025, 2100, 2262])(
  'the first and the last second of %s are in this year',
  (year) => {
    expect(yearOf(Date.UTC(year, 0, 1) / 1000)).toBe(year)
    expect(yearOf(Date.UTC(year, 11, 31, 23, 59, 59) / 1000)).toBe(year)
  },
)
