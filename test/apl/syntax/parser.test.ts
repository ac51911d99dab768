import { describe, expect, it } from 'vitest'
import { formatQuery } from '../../../src/apl/syntax/format.js'
import { parse, wholeQuery } from '../../../src/apl/syntax/parser.js'

/** Parses a condition and formats it again. */
function understood(predicate: string): string {
  const parsed = parse(`logs | where ${predicate}`)
  const query = wholeQuery(parsed)
  if (query === undefined) throw new Error(parsed.problems.map(({ message }) => message).join('\n'))
  return formatQuery(query).replace('["logs"]\n| where ', '')
}

/** Expects two conditions to parse to the same tree. */
function same(one: string, other: string): void {
  expect(understood(one)).toBe(understood(other))
}

describe('precedence', () => {
  it('puts and before or', () => {
    same('a or b and c', 'a or (b and c)')
    expect(understood('(a or b) and c')).toBe('(a or b) and c')
  })

  it('puts comparisons before and', () => same('a == 1 and b > 2', '(a == 1) and (b > 2)'))
  it('puts sums before comparisons', () => same('a + 1 > b - 2', '(a + 1) > (b - 2)'))
  it('puts products before sums', () => same('a + b * c', 'a + (b * c)'))
  it('puts unary signs before products', () => same('-a * b', '(-a) * b'))
  it('puts not before binary operators', () => same('not a and b', '(not(a)) and b'))
  it('puts members and elements before unary signs', () => same('-a.b[0]', '-(a.b[0])'))

  it('associates to the left', () => {
    same('a - b - c', '(a - b) - c')
    expect(understood('a - (b - c)')).toBe('a - (b - c)')
    same('a / b * c', '(a / b) * c')
  })

  it('is the same for string operators and comparisons', () => {
    same(
      'a has "x" and b in (1) or c between (1 .. 2)',
      '((a has "x") and (b in (1))) or (c between (1 .. 2))',
    )
    same('a + 1 in (2) and b', '((a + 1) in (2)) and b')
  })
})

describe('formatQuery', () => {
  it('puts each step on a line and quotes names where necessary', () => {
    const text =
      "['http-logs']|where not(a)|summarize n=count(),max(['b c']) by bin(_time,60m)|order by n asc nulls last|take 5"
    expect(formatQuery(wholeQuery(parse(text))!)).toBe(
      [
        '["http-logs"]',
        '| where not(a)',
        '| summarize n = count(), max(["b c"]) by bin(_time, 1h)',
        '| sort by n asc nulls last',
        '| limit 5',
      ].join('\n'),
    )
  })

  it('writes members with a dot where their names need no quotes', () => {
    const members = 'user.name.größe == tags[0].a and user["by"]["b c"].d == $left.id'
    expect(understood(members)).toBe(members)
  })

  it('preserves numbers, times and strings', () => {
    expect(
      understood('x in (-5, 2.0, 1e21, 90s, datetime(2026-01-31), "a\\"b", @"\\d", int(null))'),
    ).toBe(
      'x in (-5, 2.0, 1e+21, 90s, datetime(2026-01-31T00:00:00Z), "a\\"b", "\\\\d", int(null))',
    )
  })
})

describe('a chain of 1,000 conditions', () => {
  const chain = Array.from({ length: 1_000 }, (_, i) => `a == ${i}`).join(' or ')

  it('is written without parentheses', () => expect(understood(chain)).toBe(chain))

  it('keeps the precedence of its operators', () => {
    expect(understood(`${chain} and b or c`)).toBe(`${chain} and b or c`)
    expect(understood(`(${chain}) and b`)).toBe(`(${chain}) and b`)
  })

  it('covers the source text', () => {
    const text = `logs | where ${chain} | count`
    const where = wholeQuery(parse(text))?.operators[0]
    const { start, end } = (where?.kind === 'where' && where.predicate.span) || {}
    expect(text.slice(start, end)).toBe(chain)
  })
})

describe('spans', () => {
  it('cover the source text', () => {
    const text = 'logs | where status >= 500 and tolower(method) == "get"'
    const where = wholeQuery(parse(text))?.operators[0]
    const predicate = where?.kind === 'where' ? where.predicate : undefined
    const written = (span?: { start: number; end: number }) => text.slice(span?.start, span?.end)
    expect(written(where?.span)).toBe('where status >= 500 and tolower(method) == "get"')
    expect(written(predicate?.span)).toBe('status >= 500 and tolower(method) == "get"')
    const right = predicate?.kind === 'binary' ? predicate.right : undefined
    expect(written(right?.span)).toBe('tolower(method) == "get"')
  })
})
