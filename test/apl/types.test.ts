import { describe, expect, it } from 'vitest'
import { complaints, firstOperator, typeOf } from './support.js'

describe('type of an expression', () => {
  it.each([
    ['status + 1', 'int'],
    ['status / 2', 'int'],
    ['status % 2', 'int'],
    ['-status', 'int'],
    ['status * 1.5', 'real'],
    ['duration - status', 'real'],
    ['attributes.n + 1', 'real'],
    ['-attributes.n', 'real'],
    ['attributes.n', 'dynamic'],
    ['_time - 1h', 'datetime'],
    ['1h + _time', 'datetime'],
    ['_time - ago(1d)', 'timespan'],
    ['1h + 30m', 'timespan'],
    ['2 * 1h', 'timespan'],
    ['1h * 1.5', 'timespan'],
    ['1h / 2', 'timespan'],
    ['1h / 30m', 'real'],
    ['1h % 25m', 'timespan'],
    ['-(1h)', 'timespan'],
    ['status > 1 and ok', 'bool'],
    ['not(ok)', 'bool'],
    ['message contains "x"', 'bool'],
    ['bin(_time, 1h)', 'datetime'],
    ['bin(status, 10)', 'int'],
    ['bin(status, 0.5)', 'real'],
    ['iff(ok, 1, 2)', 'int'],
    ['iff(ok, 1, 2.5)', 'real'],
    ['iff(ok, 1, "two")', 'dynamic'],
    ['case(ok, "a", status > 1, "b", "c")', 'string'],
    ['coalesce(service, "none")', 'string'],
    ['parse_json(message).a', 'dynamic'],
    ['int(null)', 'int'],
    ['null', 'dynamic'],
    ['5', 'int'],
    ['5e1', 'real'],
    ['"x"', 'string'],
    ['true', 'bool'],
    ['1.5h', 'timespan'],
    ['datetime(2026-01-01)', 'datetime'],
    ['dynamic([1])', 'dynamic'],
  ])('of %s is %s', (expression, type) => {
    expect(typeOf(expression)).toBe(type)
  })
})

describe('comparing', () => {
  it.each([
    'status == 5.5',
    'status == duration',
    'service == 200',
    '200 <= service',
    'attributes.n > 5',
    'attributes.n == "x"',
    'tags == _time',
    'status == int(null)',
    'status == null',
    'ok == true',
    '_time between (ago(1h) .. now())',
    '_time in ("2026-01-01", datetime(2026-01-02))',
    'status in (dynamic([200, 204]))',
    'service in ("a", 5)',
    'duration between (1 .. 2.5)',
    'message has_any ("a", "b")',
    'message =~ uri',
  ])('is possible in %s', (predicate) => {
    expect(complaints(`logs | where ${predicate}`)).toEqual([])
  })

  it('converts a quoted datetime', () => {
    // 2026-01-31T12:00:00Z is 1,769,860,800 seconds after 1970.
    const constant = { kind: 'constant', type: 'datetime', value: 1_769_860_800_000_000_000n }
    for (const text of ['2026-01-31T12:00:00Z', '2026-01-31 12:00', '2026-01-31T14:00:00+02:00']) {
      expect(firstOperator(`where _time > "${text}"`)).toMatchObject({
        predicate: { arguments: [{ kind: 'reference' }, constant] },
      })
    }
    expect(firstOperator('where "2026-01-31 12:00" < _time')).toMatchObject({
      predicate: { arguments: [constant, { kind: 'reference' }] },
    })
  })

  it('converts a quoted number compared with a numeric field', () => {
    expect(firstOperator('where status in ("200", "2.5")')).toMatchObject({
      predicate: {
        arguments: [{}, { type: 'int', value: 200n }, { type: 'real', value: 2.5 }],
      },
    })
  })

  it('converts every quoted 64-bit integer to an integer', () => {
    const least = '-9223372036854775808'
    expect(firstOperator(`where status in ("${least}", "9223372036854775807")`)).toMatchObject({
      predicate: {
        arguments: [
          {},
          { type: 'int', value: BigInt(least) },
          { type: 'int', value: 9223372036854775807n },
        ],
      },
    })
  })

  it('keeps a number compared with a string field', () => {
    expect(firstOperator('where service >= 500')).toMatchObject({
      predicate: { arguments: [{ type: 'string' }, { type: 'int', value: 500n }] },
    })
  })
})

describe('regexes', () => {
  it.each([
    String.raw`^/api/v\d+/(?:users|items)/[^/]+$`,
    '(?i)error|warn(?:ing)?',
    String.raw`[[:alpha:]]+[]x][^]y][\]z]`,
    String.raw`(?P<name>a){2,3}\Q(*\E`,
    String.raw`a+?b*?\(`,
    '',
    String.raw`\pL\x{10FFFF}`,
    'x{',
  ])('are accepted if RE2 accepts them: %s', (regex) => {
    const quoted = `@"${regex}"`
    expect(complaints(`logs | where uri matches regex ${quoted}`)).toEqual([])
  })

  it.each(['(?!a)', '(?<=a)b', '(a', 'a)', '+a', '[a', 'a|*', 'a\\'])(
    'are rejected if RE2 rejects them: %s',
    (regex) => {
      const quoted = `@'${regex}'`
      expect(complaints(`logs | where uri matches regex ${quoted}`)).toEqual([
        `bad-regex: ${quoted}`,
      ])
    },
  )
})
