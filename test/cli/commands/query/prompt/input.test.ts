import { describe, expect, it } from 'vitest'
import { onOneLine } from '../../../../../src/cli/commands/query/prompt/history.js'
import { type PromptInput, readLine } from '../../../../../src/cli/commands/query/prompt/input.js'

/** Returns the result of entering the last of the lines. */
function typedLines(...lines: string[]): PromptInput {
  let input: PromptInput = { kind: 'more', draft: [] }
  for (const line of lines) input = readLine(input.kind === 'more' ? input.draft : [], line)
  return input
}

describe('the lines of a query, joined', () => {
  it.each([
    ["['logs'] // it's everything\n| count", "['logs'] | count"],
    [
      "['logs'] | where url == 'http://a' // \"all\"\n| count",
      "['logs'] | where url == 'http://a' | count",
    ],
    ['where a == @"c:\\" // path\n| count', 'where a == @"c:\\" | count'],
    ["where a == 'it\\'s // here'\n\n| count", "where a == 'it\\'s // here' | count"],
    ['// first\n| count//last', '| count'],
  ])('have no comments: %j', (query, joined) => {
    expect(onOneLine(query)).toBe(joined)
  })
})

it('reads a line that is the name of an inherited member of objects as a part of a query', () => {
  expect(typedLines('constructor')).toEqual({ kind: 'more', draft: ['constructor'] })
})

describe('lines at the prompt', () => {
  it.each([
    [["['logs'] | count;"], "['logs'] | count"],
    [["['logs'] | count ;  "], "['logs'] | count "],
    [["['logs']", '| count', ''], "['logs']\n| count"],
    [['', '  ', "['logs'];"], "['logs']"],
    [['let n = 5;', "['logs'] | limit n;"], "let n = 5;\n['logs'] | limit n"],
    [["let n = 5; ['logs'] | limit n;"], "let n = 5; ['logs'] | limit n"],
    [
      ['declare query_parameters (n: long = 1);', 'print n;'],
      'declare query_parameters (n: long = 1);\nprint n',
    ],
  ])('%j are a query', (lines, apl) => {
    expect(typedLines(...lines)).toEqual({ kind: 'query', apl })
  })

  it.each([[[]], [['']], [["['logs']"]], [["['logs'] |", '| where a']], [['let n = 5;']], [[';']]])(
    '%j are not a complete query yet',
    (lines) => {
      expect(typedLines(...lines)).toMatchObject({ kind: 'more' })
    },
  )

  it.each([
    ['\\q', 'q', ''],
    ['  \\since  7d ', 'since', '7d'],
    ['\\', '', ''],
    ['exit', 'q', ''],
    ['quit;', 'q', ''],
  ])('%j is a command', (line, name, argument) => {
    expect(readLine([], line)).toEqual({ kind: 'command', name, argument })
  })
})

describe('the argument of a command', () => {
  const argument = (line: string) => {
    const input = typedLines(line)
    return input.kind === 'command' ? input.argument : undefined
  }

  it.each([
    ['\\d logs', 'logs'],
    ['\\d logs ;', 'logs'],
    ['\\d logs;  ', 'logs'],
    ['\\d a;b', 'a;b'],
    ['\\d ;', ''],
  ])('has no semicolon at its end: %j', (line, expected) => {
    expect(argument(line)).toBe(expected)
  })

  // Quadratic time would exceed the limit of a test by far.
  it('may contain many spaces', () => {
    const text = `a${' '.repeat(1_000_000)}b`
    expect(argument(`\\d ${text} ;`)).toBe(text)
  })
})
