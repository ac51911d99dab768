import { describe, expect, it } from 'vitest'
import { AGGREGATES } from '../../src/apl/aggregate/aggregates.js'
import { FUNCTION_ALIASES, FUNCTIONS } from '../../src/apl/function/functions.js'
import {
  FUNCTION_HABITS,
  INFIX_HABITS,
  OPERATOR_HABITS,
  QUERY_FUNCTION_HABITS,
  UNSUPPORTED_FUNCTIONS,
} from '../../src/apl/problem/habits.js'
import { parse } from '../../src/apl/syntax/parser.js'

const FUNCTION_WORDS = [...Object.keys(FUNCTIONS), ...Object.keys(FUNCTION_ALIASES)]
const HABITS = {
  ...OPERATOR_HABITS,
  ...INFIX_HABITS,
  ...FUNCTION_HABITS,
  ...QUERY_FUNCTION_HABITS,
  ...UNSUPPORTED_FUNCTIONS,
}

describe('word tables', () => {
  it('list no supported function as unsupported', () => {
    const here = new Set<string>([...FUNCTION_WORDS, ...Object.keys(AGGREGATES)])
    expect(Object.keys(UNSUPPORTED_FUNCTIONS).filter((word) => here.has(word))).toEqual([])
    expect(Object.keys(FUNCTION_HABITS).filter((word) => here.has(word))).toEqual([])
  })

  it('have one meaning per word', () => {
    const all = [
      ...FUNCTION_WORDS,
      ...Object.keys(AGGREGATES),
      ...Object.keys(UNSUPPORTED_FUNCTIONS),
      ...Object.keys(FUNCTION_HABITS),
    ]
    expect(all.filter((word, i) => all.indexOf(word) !== i)).toEqual([])
  })

  it('contain only valid APL in the help for other languages', () => {
    const examples = Object.values(HABITS).flatMap((help) =>
      [...help.matchAll(/`([^`]+)`/g)]
        .map((match) => match[1]!)
        .filter((text) => / |\(/.test(text)),
    )
    expect(examples.length).toBeGreaterThan(50)
    expect(examples.filter((text) => !isApl(text))).toEqual([])
  })

  it('describe each function in one line', () => {
    for (const { summary } of [...Object.values(FUNCTIONS), ...Object.values(AGGREGATES)]) {
      expect(summary).toMatch(/^[^\n.]+$/)
    }
  })
})

function isApl(text: string): boolean {
  const ways = [text, `logs | ${text}`, `logs | where ${text}`, `logs | where a ${text} b`]
  return ways.some((query) => parse(query).problems.length === 0)
}
