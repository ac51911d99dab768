import { describe, expect, it } from 'vitest'
import { lex } from '../../../src/apl/syntax/lexer.js'

/** Returns tokens in short form: a literal as its type and value, other tokens as their text. */
function tokens(text: string): readonly unknown[] {
  return lex(text)
    .tokens.filter((token) => token.kind !== 'end')
    .map((token) => (token.kind === 'literal' ? [token.type, token.value] : token.text))
}

function literal(text: string): unknown {
  const all = tokens(text)
  expect(lex(text).problems).toEqual([])
  expect(all).toHaveLength(1)
  return all[0]
}

describe('numbers', () => {
  it.each([
    ['0', ['int', 0n]],
    ['11', ['int', 11n]],
    ['9223372036854775807', ['int', 9_223_372_036_854_775_807n]],
    ['1.5', ['real', 1.5]],
    ['1000.0', ['real', 1000]],
    ['1e3', ['real', 1000]],
    ['2.5E-1', ['real', 0.25]],
    ['int(5)', ['int', 5n]],
    ['long( -3 )', ['int', -3n]],
    ['long(-9223372036854775808)', ['int', -9_223_372_036_854_775_808n]],
    ['real(2)', ['real', 2]],
    ['double(1e2)', ['real', 100]],
  ])('%s', (text, value) => {
    expect(literal(text)).toEqual(value)
  })

  it('end in front of `..`', () => {
    expect(tokens('1..5')).toEqual([['int', 1n], '..', ['int', 5n]])
    expect(tokens('1.5 .. 2.5')).toEqual([['real', 1.5], '..', ['real', 2.5]])
  })
})

describe('timespans', () => {
  const second = 1_000_000_000n

  it.each([
    ['2d', 172_800n * second],
    ['1w', 604_800n * second],
    ['1.5h', 5_400n * second],
    ['24h', 86_400n * second],
    ['30m', 1_800n * second],
    ['10min', 600n * second],
    ['10s', 10n * second],
    ['1sec', second],
    ['0.1s', second / 10n],
    ['500ms', second / 2n],
    ['15us', 15_000n],
    ['7ns', 7n],
    ['timespan(15s)', 15n * second],
    ['timespan(-2d)', -172_800n * second],
    ["time('1h')", 3_600n * second],
    ['0.123456789123s', 123_456_789n],
  ])('%s', (text, value) => {
    expect(literal(text)).toEqual(['timespan', value])
  })
})

describe('datetimes', () => {
  // Seconds since 1970 counted by hand: 2019-11-30 is day 18,230, 2015-12-31 day 16,800.
  it.each([
    ['datetime(2015-12-31)', 16_800n * 86_400_000_000_000n],
    ['datetime(2019-11-30 23:59:59.9)', (18_231n * 86_400n - 1n) * 1_000_000_000n + 900_000_000n],
    ['datetime(2019-11-30T23:59)', (18_231n * 86_400n - 60n) * 1_000_000_000n],
    ['datetime(2015-12-31T00:00:00Z)', 16_800n * 86_400_000_000_000n],
    ["datetime('2015-12-31')", 16_800n * 86_400_000_000_000n],
    ['datetime("2015-12-31T02:30:00+02:30")', 16_800n * 86_400_000_000_000n],
    ['datetime(2015-12-30T22:00:00-02:00)', 16_800n * 86_400_000_000_000n],
    ['date(1970-01-01T00:00:00.000000001Z)', 1n],
    ['datetime(1969-12-31T23:59:59.999999999Z)', -1n],
    ['datetime(1900-01-01)', -25_567n * 86_400_000_000_000n],
    ['datetime(2262-04-11T23:47:16.854775807Z)', 9_223_372_036_854_775_807n],
  ])('%s', (text, value) => {
    expect(literal(text)).toEqual(['datetime', value])
  })
})

describe('strings', () => {
  it.each([
    ['"a b"', 'a b'],
    ["'a b'", 'a b'],
    [String.raw`"say \"hi\"\n"`, 'say "hi"\n'],
    [String.raw`'it\'s\ta\\b'`, "it's\ta\\b"],
    [String.raw`"\u00e4\x41"`, 'äA'],
    [String.raw`@"\d+\"`, '\\d+\\'],
    [String.raw`@'c:\temp'`, String.raw`c:\temp`],
    ['"// no comment | no pipe"', '// no comment | no pipe'],
    ['string("x")', 'x'],
    ['"\u{1f600}"', '\u{1f600}'],
  ])('%s', (text, value) => {
    expect(literal(text)).toEqual(['string', value])
  })
})

describe('other literals', () => {
  it.each([
    ['bool(true)', ['bool', true]],
    ['boolean(false)', ['bool', false]],
    ...['bool', 'datetime', 'dynamic', 'int', 'real', 'string', 'timespan'].map(
      (type) => [`${type}(null)`, [type, null]] as const,
    ),
    ['long(null)', ['int', null]],
    ['double(null)', ['real', null]],
    ['time(null)', ['timespan', null]],
    ['dynamic(6)', ['dynamic', '6']],
    ['dynamic([3, 4, "bye"])', ['dynamic', '[3,4,"bye"]']],
    [`dynamic({'os': 'Win"dows', "b": {"a": 2}})`, ['dynamic', '{"os":"Win\\"dows","b":{"a":2}}']],
    ['dynamic([ ")" , true, null ])', ['dynamic', '[")",true,null]']],
    ['dynamic(12345678901234567890.10)', ['dynamic', '12345678901234567890.10']],
  ] as const)('%s', (text, value) => {
    expect(literal(text)).toEqual(value)
  })
})

describe('words and signs', () => {
  it('are separated without spaces between them', () => {
    expect(tokens("a!contains'x'")).toEqual(['a', '!contains', ['string', 'x']])
    expect(tokens('a!in~(b)')).toEqual(['a', '!in~', '(', 'b', ')'])
    expect(tokens('a in~ (b)')).toEqual(['a', 'in~', '(', 'b', ')'])
    expect(tokens('a=~b!~c!=d==e<=f')).toEqual([
      'a',
      '=~',
      'b',
      '!~',
      'c',
      '!=',
      'd',
      '==',
      'e',
      '<=',
      'f',
    ])
    expect(tokens('!index')).toEqual(['!', 'index'])
  })

  it('may contain letters of any alphabet', () => {
    expect(tokens('größe _x 名前')).toEqual(['größe', '_x', '名前'])
  })

  it('include the name of a type without a parenthesis after it', () => {
    expect(tokens('time == 5')).toEqual(['time', '==', ['int', 5n]])
  })

  it('may have comments between them', () => {
    expect(tokens('a // b | c\n| d')).toEqual(['a', '|', 'd'])
  })

  it('end directly after the last token', () => {
    expect(lex('ab  // c\n').tokens.at(-1)).toEqual({ kind: 'end', span: { start: 2, end: 2 } })
  })

  it('have spans in UTF-16 code units', () => {
    const { tokens: found } = lex('"\u{1f600}" ab')
    expect(found.map(({ span }) => [span.start, span.end])).toEqual([
      [0, 4],
      [5, 7],
      [7, 7],
    ])
  })
})

describe('the limits of a query', () => {
  const codes = (text: string) => lex(text).problems.map(({ code, span }) => [code, span.start])

  it('are 262,144 characters', () => {
    expect(codes(`logs${' '.repeat(262_140)}`)).toEqual([])
    expect(codes(`logs${' '.repeat(262_141)}`)).toEqual([['query-too-long', 262_144]])
    expect(lex('a'.repeat(262_145)).tokens).toEqual([])
  })

  it('are 50,000 tokens', () => {
    expect(codes('1,'.repeat(25_000))).toEqual([])
    expect(codes(`${'1,'.repeat(25_000)}1`)).toEqual([['query-too-long', 50_000]])
  })

  it('count each value inside a dynamic literal', () => {
    // The literal is one token and 49,999 additional values.
    expect(codes(`dynamic([${'1,'.repeat(49_999)}1])`)).toEqual([])
    expect(codes(`dynamic([${'1,'.repeat(50_000)}1])`)).toEqual([['query-too-long', 0]])
    expect(codes(`dynamic(["${','.repeat(60_000)}"])`)).toEqual([])
  })

  it('stop lexing when they are exceeded', () => {
    const { tokens, problems } = lex('1,'.repeat(100_000))
    expect(tokens).toEqual([])
    expect(problems[0]).toMatchObject({
      message: 'The query has more than 50,000 tokens.',
      span: { start: 50_000, end: 50_001 },
    })
  })
})
