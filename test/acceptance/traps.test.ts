import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Served, served } from '../support/served.js'

// Cases in which the engine silently deviates from the language: a test for each of
// the traps listed in the inventory.

let service: Served

beforeAll(async () => {
  service = await served()
  await service.ingest('t', [
    '{"_time":"2026-01-01T00:00:01Z","n":5,"s":"404","name":"x","any":5}',
    '{"_time":"2026-01-01T00:00:02Z","n":12,"s":"abc","any":"5"}',
    '{"_time":"2026-01-01T00:00:03Z","name":"Über den Wolken"}',
  ])
})

afterAll(async () => {
  await service.close()
  expect([...service.reported.values()]).toEqual([])
})

/** The rows of a query, or its error message. */
async function rows(apl: string): Promise<unknown> {
  const reply = await service.ask(apl)
  if (!('rows' in reply)) return `${reply.status} ${reply.error.message}`
  return reply.rows.map((row) => row.map((cell) => JSON.parse(cell)))
}

/** The values of one row of expressions. */
async function values(...expressions: readonly string[]): Promise<unknown> {
  const named = expressions.map((expression, i) => `x${i} = ${expression}`)
  const found = await rows(`print ${named.join(', ')}`)
  return Array.isArray(found) ? found[0] : found
}

describe('a name that is assigned twice', () => {
  it('does not capture the column that it is computed from (1)', async () => {
    expect(
      await rows(
        't | where isnotnull(n) | summarize most = max(n) by n = bin(n, 10) | sort by n asc',
      ),
    ).toEqual([
      [0, 5],
      [10, 12],
    ])
    expect(await rows('t | where n == 5 | extend n = n * 2, m = n + 1 | project n, m')).toEqual([
      [10, 6],
    ])
  })
})

describe('a null', () => {
  it('differs from every value, so `!=` keeps its row (2)', async () => {
    expect(await rows('t | where name != "x" | count')).toEqual([[2]])
    expect(await rows('t | where name !in ("x", "y") | count')).toEqual([[2]])
  })

  it('is empty in a concatenation of strings, and ignored by extremes (6)', async () => {
    expect(await values('strcat("a", string(null))', 'max_of(1, int(null))')).toEqual(['a', 1])
  })

  it('comes last in descending order and first in ascending order (16)', async () => {
    expect(await rows('t | sort by n desc | project n')).toEqual([[12], [5], [null]])
    expect(await rows('t | sort by n asc | project n')).toEqual([[null], [5], [12]])
  })
})

describe('whole numbers', () => {
  it('are divided without a fraction and do not overflow (3)', async () => {
    expect(await values('7 / 2', '-7 % 3', '7 / 2.0')).toEqual([3, -1, 3.5])
    expect(await rows('t | project x = (n + 2147483643) * 2147483648 * 4')).toMatch(
      /exceeds 64 bits/,
    )
  })

  it('are rounded half away from zero (4)', async () => {
    expect(await values('round(2.5)', 'round(-2.5)')).toEqual([3, -3])
    const reply = await service.ask('print ceiling(7.2), floor(7.2)')
    expect('table' in reply && reply.table.fields.map(({ type }) => type)).toEqual([
      'integer',
      'integer',
    ])
  })
})

describe('strings', () => {
  it('that are numbers compare with numbers numerically (5)', async () => {
    expect(await rows('t | where s >= 400 | project s')).toEqual([['404']])
    expect(await rows('t | where any == 5 | count')).toEqual([[2]])
  })

  it('have terms and letter case beyond ASCII (7)', async () => {
    expect(await rows('t | where name has "über" | count')).toEqual([[1]])
    expect(await values('"a—b" has "a"', '"ab" has "a"')).toEqual([true, false])
  })

  it('extract null, not an empty string, without a match (8)', async () => {
    expect(await values('extract("(z)", 1, "abc")', 'extract("(z?)", 1, "abc")')).toEqual([
      null,
      '',
    ])
  })

  it('keep the host of an address that has a password (9)', async () => {
    expect(
      await rows(
        'print u = parse_url("https://u:p@h.com:8080/p") | project u.host, tostring(u.port)',
      ),
    ).toEqual([['h.com', '8080']])
  })

  it('keep their slashes in JSON (10)', async () => {
    expect(await values('tostring(bag_pack("u", "/a"))', 'quote("/a")')).toEqual([
      '{"u":"/a"}',
      '"/a"',
    ])
  })
})

describe('values of any type', () => {
  it('keep dots in their keys (11)', async () => {
    expect(
      await values(
        `parse_json('{"c":{"d.e":2}}')["c"]["d.e"]`,
        `dynamic_to_json(dynamic({"d.e":2}))`,
      ),
    ).toEqual([2, '{"d.e":2}'])
  })

  it('keep numbers as numbers in a list with strings (12)', async () => {
    expect(await values('pack_array(1, "x", 2.5)')).toEqual([[1, 'x', 2.5]])
  })

  it('keep their order, with nulls where elements were shifted in (13)', async () => {
    expect(
      await values(
        'array_shift_left(dynamic([1,2,3]), 1)',
        'set_intersect(dynamic([3,1,2]), dynamic([2,3]))',
        'set_union(dynamic([3,1]), dynamic([2,1]))',
      ),
    ).toEqual([
      [2, 3, null],
      [3, 2],
      [3, 1, 2],
    ])
  })
})

describe('aggregations and joins', () => {
  it('include every row, also nulls and large numbers (14)', async () => {
    expect(await rows('t | where n > 0 | summarize arg_max(n, name)')).toEqual([[12, null]])
    expect(
      await rows('datatable(n:long)[1234567890123, 1234567890124] | summarize percentile(n, 50)'),
    ).toEqual([[1_234_567_890_123]])
    expect(
      await rows(
        'datatable(k:long, l:string)[1, "a", 1, "b"] | join kind=innerunique (datatable(k:long, r:string)[1, "x", 1, "y"]) on k | project l, r | sort by l asc',
      ),
    ).toEqual([
      ['a', 'x'],
      ['b', 'x'],
    ])
  })

  it('fill missing columns of joined tables with null only (20)', async () => {
    expect(
      await rows(
        'union (datatable(a:long)[1]), (datatable(b:bool)[true]) | sort by a desc | project a, b',
      ),
    ).toEqual([
      [1, null],
      [null, true],
    ])
    expect(await rows('t | project n | getschema | project ColumnName')).toEqual([['n']])
  })
})

describe('times', () => {
  it('have exact differences, and durations can be multiplied (15)', async () => {
    expect(
      await values(
        'datetime(2025-01-02T00:00:00.000000001Z) - datetime(2025-01-01)',
        '2 * 1h',
        '1h / 2',
        '1d / 1h',
      ),
    ).toEqual([86_400_000_000_001, 7_200_000_000_000, 1_800_000_000_000, 24])
  })

  it('have weeks that begin on Sunday, in every supported year (17)', async () => {
    expect(
      await values(
        'datetime_diff("week", datetime(2025-01-12), datetime(2025-01-11))',
        'datetime_diff("week", datetime(2025-01-13), datetime(2025-01-12))',
        'startofweek(datetime(2201-01-07))',
        'startofweek(datetime(1950-01-05))',
      ),
    ).toEqual([1, 0, '2201-01-04T00:00:00Z', '1950-01-01T00:00:00Z'])
  })

  it('have one instant for `now()` in a whole query (18)', async () => {
    expect(
      await rows(
        'union (print t = now()), (print t = now()) | extend u = now() | distinct t, u | count',
      ),
    ).toEqual([[1]])
  })

  it('outside the supported range are rejected, not wrapped (19)', async () => {
    expect(await rows('print datetime(2300-01-01)')).toMatch(/^400 .*2262|^400 /)
    for (const late of [
      'datetime(2262-04-01) + 100d',
      'datetime_add("year", 1, datetime(2262-04-01))',
    ]) {
      const found = await values(late)
      expect(typeof found === 'string' ? found.slice(0, 3) : found, late).toEqual(
        typeof found === 'string' ? '400' : [null],
      )
    }
  })
})

describe('a regular expression', () => {
  it('is rejected with a reason when it has a look-ahead (21)', async () => {
    expect(await rows('t | where s matches regex "a(?=b)"')).toMatch(/^400 .*[Ll]ook-around/)
  })
})
