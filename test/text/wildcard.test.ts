import { describe, expect, it } from 'vitest'
import { matchesWildcard } from '../../src/text/wildcard.js'

describe('matchesWildcard', () => {
  it.each([
    ['logs', 'logs'],
    ['logs', '*'],
    ['', '*'],
    ['http-logs', 'http*'],
    ['http-logs', '*logs'],
    ['http-logs', 'h*-*s'],
    ['abab', 'ab*ab'],
    ['a.b', 'a.*b'],
    ['a\nb', 'a*b'],
  ])('finds %j by %j', (name, pattern) => {
    expect(matchesWildcard(name, pattern)).toBe(true)
  })

  it.each([
    ['logs', 'log'],
    ['logs', ''],
    ['http-logs', 'logs*'],
    ['aba', 'ab*ba'],
    ['abc', 'a*c*b*c'],
    ['axb', 'a.b'],
  ])('does not find %j by %j', (name, pattern) => {
    expect(matchesWildcard(name, pattern)).toBe(false)
  })
})
