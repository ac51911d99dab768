import { describe, expect, it } from 'vitest'
import { chartsOf } from '../../../src/render/chart/chart.js'
import { scaleOf } from '../../../src/render/chart/scale.js'
import { width } from '../../../src/text/width.js'
import type { Table } from '../../../src/wire/http/tabular-result.js'
import { rendered, tableOf } from '../support.js'

const at = (minute: number) => `"2026-01-31T10:${String(minute).padStart(2, '0')}:00Z"`

function lines(text: string): readonly string[] {
  return text.split('\n')
}

/** The result of `summarize count() by bin(_time, 1m), service`. */
const BY_TIME: Table = {
  ...tableOf(
    ['_time', 'datetime', [at(0), at(0), at(1), at(1), at(2)]],
    ['service', 'string', ['"cart"', '"shop"', '"cart"', '"shop"', '"cart"']],
    ['count_', 'integer', ['0', '100', '50', '100', '100']],
  ),
  groups: [{ name: 'service' }],
  buckets: { field: '_time', size: 60_000_000_000 },
}

const BY_GROUP: Table = {
  ...tableOf(
    ['status', 'integer', ['200', '404', '500']],
    ['count_', 'integer', ['80', '40', 'null']],
  ),
  groups: [{ name: 'status' }],
}

describe('a chart of numbers near the limits of doubles', () => {
  const numbers = ['1e308', '-1e308', '1e999', '5e-324', '1e-310', '0', '-2', '3']
  const names = numbers.map((_, i) => `"n${i}"`)
  const times = numbers.map((_, i) => at(i))

  it.each([
    ['bars', tableOf(['name', 'string', names], ['n', 'float', numbers])],
    [
      'bars of tiny numbers',
      tableOf(['name', 'string', names], ['n', 'float', names.map(() => '5e-324')]),
    ],
    ['lines', tableOf(['_time', 'datetime', times], ['n', 'float', numbers])],
    ['sparklines', tableOf(['n', 'array', [`[${numbers.join(',')}]`]])],
  ])('leaves out what cannot be drawn: %s', async (_, table) => {
    expect(await rendered('chart', [table])).not.toMatch(/NaN|undefined|Infinity/)
    if (table.fields[0]!.name !== 'n') {
      expect(await rendered('svg', [table])).not.toMatch(/NaN|undefined|Infinity/)
    }
  })
})

describe('chartsOf', () => {
  it('returns lines for a table with times, one per group', () => {
    expect(chartsOf(BY_TIME)).toMatchObject([
      {
        kind: 'lines',
        name: 'count_',
        times: [{ after: 0 }, { after: 60_000 }, { after: 120_000 }],
        lines: [
          { name: 'cart', values: [0, 50, 100] },
          { name: 'shop', values: [100, 100, undefined] },
        ],
      },
    ])
  })

  it('returns bars for a table without times or with a single one', () => {
    expect(chartsOf(BY_GROUP)).toMatchObject([
      {
        kind: 'bars',
        bars: [
          { name: '200', value: 80 },
          { name: '404', value: 40 },
          { name: '500', value: undefined },
        ],
      },
    ])
    const once = tableOf(
      ['_time', 'datetime', [at(0), at(0)]],
      ['service', 'string', ['"cart"', '"shop"']],
      ['count_', 'integer', ['1', '2']],
    )
    expect(chartsOf(once)).toMatchObject([
      { kind: 'bars', bars: [{ name: 'cart' }, { name: 'shop' }] },
    ])
  })

  it('returns one chart per column of numbers', () => {
    const table = tableOf(
      ['service', 'string', ['"cart"', '"shop"']],
      ['count_', 'integer', ['1', '2']],
      ['p95', 'timespan', ['1500000', 'null']],
    )
    expect(chartsOf(table)).toMatchObject([
      { name: 'count_', unit: 'number' },
      { name: 'p95', unit: 'timespan', bars: [{ text: '1.5ms' }, { value: undefined }] },
    ])
  })

  it('unfolds the arrays of make-series', () => {
    const table = tableOf(
      ['service', 'string', ['"cart"', '"shop"']],
      ['count_', 'array', ['[1,2]', '[3,null]']],
      ['_time', 'array', [`[${at(0)},${at(1)}]`, `[${at(0)},${at(1)}]`]],
    )
    expect(chartsOf(table)).toMatchObject([
      {
        kind: 'lines',
        lines: [
          { name: 'cart', values: [1, 2] },
          { name: 'shop', values: [3, undefined] },
        ],
      },
    ])
  })

  it.each<[string, Table, string]>([
    ['no rows', tableOf(['n', 'integer', []]), 'no rows'],
    ['no numbers', tableOf(['s', 'string', ['"1"']]), 'No column has numbers'],
    [
      'one row of numbers',
      tableOf(['a', 'integer', ['1']], ['b', 'integer', ['2']]),
      'more than one row',
    ],
    [
      'events as they came',
      tableOf(
        ['_time', 'datetime', [at(0), at(1), at(2)]],
        ['message', 'string', ['"a"', '"b"', '"c"']],
        ['status', 'integer', ['200', '200', '500']],
      ),
      'a separate line',
    ],
    [
      'several rows of a time',
      tableOf(['_time', 'datetime', [at(0), at(0), at(1)]], ['n', 'integer', ['1', '2', '3']]),
      'the same time',
    ],
  ])('gives the reason when a table has %s', async (_, table, words) => {
    const notes: string[] = []
    const text = await rendered('chart', [table], { note: (sentence) => notes.push(sentence) })
    expect(text).toBe(await rendered('table', [table]))
    expect(notes).toEqual([expect.stringContaining(words)])
  })
})

describe('a bar chart', () => {
  it('has bars as long as their values, on an axis', async () => {
    // 17 columns: 3 for the names, 2 for the values, 4 around them, and 8 for the largest bar.
    expect(await rendered('chart', [BY_GROUP], { width: 17 })).toBe(
      [
        'count_',
        '200 │████████ 80',
        '404 │████ 40',
        '500 │',
        '    ┼────┴───',
        '    0   50',
        '',
      ].join('\n'),
    )
  })

  it('shortens names so that lines with long values fit into 40 columns', async () => {
    const table = tableOf(
      ['name', 'string', ['"connected to the database"', '"done"']],
      ['m', 'float', ['99.9961060974049', '9']],
    )
    const lines = (await rendered('chart', [table], { width: 40 })).split('\n')
    expect(lines[1]).toMatch(/^connected.*… │█+ 99\.9961060974049$/)
    for (const line of lines) expect(width(line)).toBeLessThanOrEqual(40)
  })

  it('has bars with fractions of a cell', async () => {
    const table = tableOf(
      ['s', 'string', ['"a"', '"b"', '"c"']],
      ['n', 'integer', ['64', '13', '1']],
    )
    expect(lines(await rendered('chart', [table], { width: 15 })).slice(1, 4)).toEqual([
      'a │████████ 64',
      'b │█▋ 13',
      'c │▏ 1',
    ])
  })

  it('has bars on both sides of 0', async () => {
    const table = tableOf(['s', 'string', ['"a"', '"b"']], ['n', 'integer', ['6', '-2']])
    expect(lines(await rendered('chart', [table], { width: 15 })).slice(0, 3)).toEqual([
      'n',
      'a   │██████ 6',
      'b ██│ -2',
    ])
  })

  it.each([
    [1_060, '… and 1,010 more rows'],
    [51, '… and 1 more row'],
  ])('counts the bars after the fiftieth of %i', async (length, rest) => {
    const rows = Array.from({ length }, (_, row) => String(row))
    const table = tableOf(['s', 'string', rows.map((row) => `"${row}"`)], ['n', 'integer', rows])
    const drawn = lines(await rendered('chart', [table]))
    expect(drawn).toHaveLength(1 + 50 + 2 + 1 + 1)
    expect(drawn.at(-2)).toBe(rest)
  })
})

/** True for a line of a chart with dots. */
const isDrawn = (line: string) => /[⠁-⣿]/.test(line)

describe('a line chart', () => {
  it('has symbols for its lines without color', async () => {
    const drawn = lines(await rendered('chart', [BY_TIME], { width: 36 }))
    expect(drawn[0]).toBe('count_')
    // `shop`, which is larger, stays at 100 until the middle; `cart` rises from 0 to 100.
    expect(drawn[1]).toMatch(/^100 ┤●{16} +▲$/)
    expect(drawn[14]).toMatch(/^ {2}0 ┤▲/)
    expect(drawn.slice(15)).toEqual([
      // 30 columns: the times are at 0, 15 and 29.
      '    └┬──────────────┬─────────────┬',
      '     10:00        10:01       10:02',
      '● shop  ▲ cart',
      '',
    ])
    for (const line of drawn) expect(line.length).toBeLessThanOrEqual(36)
  })

  it('has colors for its lines, and a fixed one for errors', async () => {
    const table = tableOf(
      ['_time', 'datetime', [at(0), at(0), at(1), at(1)]],
      ['level', 'string', ['"info"', '"error"', '"info"', '"error"']],
      ['count_', 'integer', ['5', '1', '6', '2']],
    )
    const text = await rendered('chart', [table], { width: 40, color: 'plain' })
    expect(text).toContain('\u001b[31m━\u001b[39m error')
    expect(text.replaceAll('\u001b', '^')).toMatch(/\^\[31m[\u2801-\u28ff]/)
  })

  it('alternates between overlapping lines', async () => {
    const table = tableOf(
      ['_time', 'datetime', [at(0), at(0), at(1), at(1)]],
      ['s', 'string', ['"a"', '"b"', '"a"', '"b"']],
      ['n', 'integer', ['1', '1', '1', '1']],
    )
    expect(await rendered('chart', [table], { width: 20 })).toContain('●▲●▲●▲●▲')
  })

  it('has gaps for missing values', async () => {
    const table = tableOf(
      ['_time', 'datetime', [0, 1, 2, 3, 4].map(at)],
      ['n', 'integer', ['1', '1', 'null', '1', '1']],
    )
    const drawn = lines(await rendered('chart', [table], { width: 22 }))
    // 18 columns of chart: the values are at 0, 4, (8 or 9,) 13 and 17.
    expect(drawn.find(isDrawn)).toMatch(/[⠁-⣿]{5} {8}[⠁-⣿]{5}$/)
  })

  it('has gaps for time intervals without events', async () => {
    const table = tableOf(
      ['_time', 'datetime', [0, 1, 3, 4].map(at)],
      ['n', 'integer', ['1', '1', '1', '1']],
    )
    const drawn = async (shown: Table) =>
      lines(await rendered('chart', [shown], { width: 22 })).find(isDrawn)
    expect(await drawn(table)).toMatch(/[⠁-⣿]{18}$/)
    const minutes = { ...table, buckets: { field: '_time', size: 60e9 } }
    expect(await drawn(minutes)).toMatch(/[⠁-⣿]{5} {8}[⠁-⣿]{5}$/)
  })

  it('shows the eight largest lines and counts the rest', async () => {
    const names = Array.from({ length: 10 }, (_, number) => `"s${number}"`)
    const table = tableOf(
      ['_time', 'datetime', [...names.map(() => at(0)), ...names.map(() => at(1))]],
      ['s', 'string', [...names, ...names]],
      ['n', 'integer', [...names, ...names].map((_, index) => String(index % 10))],
    )
    const text = await rendered('chart', [table])
    expect(text).toContain('● s9  ▲ s8')
    expect(text).not.toContain('s1')
    expect(lines(text).at(-2)).toBe('… and 2 smaller ones')
  })
})

describe('the value axis', () => {
  it.each<[readonly number[], 'number' | 'timespan', readonly string[]]>([
    [[0, 97], 'number', ['0', '20', '40', '60', '80', '100']],
    [[0.2, 0.43], 'number', ['0', '0.1', '0.2', '0.3', '0.4', '0.5']],
    [[1_000_001, 1_000_004], 'number', ['1,000,001', '1,000,002', '1,000,003', '1,000,004']],
    [[0, 4_200_000], 'number', ['0', '1M', '2M', '3M', '4M', '5M']],
    [[-30, 70], 'number', ['-40', '-20', '0', '20', '40', '60', '80']],
    [[0, 270e9], 'timespan', ['0s', '1m0s', '2m0s', '3m0s', '4m0s', '5m0s']],
    [
      [0, 9 * 86_400e9],
      'timespan',
      ['0s', '48h0m0s', '96h0m0s', '144h0m0s', '192h0m0s', '240h0m0s'],
    ],
    [[7, 7], 'number', ['0', '2', '4', '6', '8']],
    [[0, 0], 'number', ['0', '1']],
    [[0, 1, 2], 'number', ['0', '1', '2']],
    [[0, 0.5, 2], 'number', ['0', '0.5', '1', '1.5', '2']],
    [[0, 1e100], 'number', ['0', '2e99', '4e99', '6e99', '8e99', '1e100']],
    [[-3e-9, 0], 'number', ['-3e-9', '-2e-9', '-1e-9', '0']],
  ])('has round numbers for %j %s', (values, unit, expected) => {
    const { ticks, label } = scaleOf(values, { unit, steps: 5, tight: false })
    expect(ticks.map(label)).toEqual(expected)
  })
})

describe('the time axis', () => {
  const clock = (minute: number) =>
    `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

  it.each<[string, readonly number[], readonly string[]]>([
    [
      'every hour for half hours',
      Array.from({ length: 12 }, (_, i) => 240 + i * 30),
      ['04:00', '05:00', '06:00', '07:00', '08:00', '09:00'],
    ],
    [
      'every hour for quarters of an hour',
      Array.from({ length: 24 }, (_, i) => 240 + i * 15),
      ['04:00', '05:00', '06:00', '07:00', '08:00', '09:00'],
    ],
    ['all of few', [240, 300, 360], ['04:00', '05:00', '06:00']],
    ['wherever there is room, where they are not even', [0, 10, 600], ['00:00', '10:00']],
  ])('is labeled %s', async (_, minutes, expected) => {
    const table = tableOf(
      ['_time', 'datetime', minutes.map((minute) => `"2026-01-31T${clock(minute)}:00Z"`)],
      ['n', 'integer', minutes.map((_minute, index) => String(index))],
    )
    const drawn = lines(await rendered('chart', [table], { width: 80 }))
    expect(drawn.at(-2)?.match(/\d\d:\d\d/g)).toEqual(expected)
  })

  it('has fractions of seconds in a range of a few seconds', async () => {
    const times = ['09:59:59.9', '10:00:00', '10:00:00.25'].map((text) => `"2026-01-31T${text}Z"`)
    const table = tableOf(['_time', 'datetime', times], ['n', 'integer', ['1', '2', '3']])
    const drawn = lines(await rendered('chart', [table], { width: 80 }))
    expect(drawn.at(-2)?.trim().split(/ +/)).toEqual(['09:59:59.9', '10:00:00', '10:00:00.25'])
  })
})
