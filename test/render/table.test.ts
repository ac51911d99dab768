import { describe, expect, it } from 'vitest'
import { layOutTable } from '../../src/render/table-layout.js'
import { rendered, tableOf } from './support.js'

const SERVICES = tableOf(
  ['service', 'string', ['"checkout"', '"注文"', 'null', '""']],
  ['count_', 'integer', ['12', '9007199254740993', '0', 'null']],
)

describe('a table', () => {
  it('aligns strings left and numbers right, and is empty for null', async () => {
    expect(await rendered('table', [SERVICES])).toBe(
      [
        '┌──────────┬──────────────────┐',
        '│ service  │           count_ │',
        '├──────────┼──────────────────┤',
        '│ checkout │               12 │',
        '│ 注文     │ 9007199254740993 │',
        '│          │                0 │',
        '│ ""       │                  │',
        '└──────────┴──────────────────┘',
        '',
      ].join('\n'),
    )
  })

  it('formats timespans like APL and other values as received', async () => {
    const table = tableOf(['took', 'timespan', ['80000000000', 'null', '-1500000']])
    expect(await rendered('table', [table], { header: false })).toBe(
      '┌────────┐\n│  1m20s │\n│        │\n│ -1.5ms │\n└────────┘\n',
    )
    expect(await rendered('csv', [table])).toBe('took\n80000000000\n\n-1500000\n')
  })

  it('has a title when it is one of several', async () => {
    const table = tableOf(['a', 'integer', ['1']])
    const tables = [table, { ...table, name: 'slow\u001b' }]
    const grid = '┌───┐\n│ 1 │\n└───┘\n'
    expect(await rendered('table', tables, { header: false })).toBe(
      `Table 1 of 2\n${grid}\nTable 2 of 2: slow\\u001b\n${grid}`,
    )
  })

  it('has no heading when it is turned off', async () => {
    const table = tableOf(['a', 'integer', ['1']])
    expect(await rendered('table', [table], { header: false })).toBe('┌───┐\n│ 1 │\n└───┘\n')
  })

  it('needs no room for a heading that is turned off', async () => {
    const table = tableOf(['elapsed_milliseconds', 'integer', ['1', '20']])
    expect(await rendered('table', [table], { header: false })).toBe(
      '┌────┐\n│  1 │\n│ 20 │\n└────┘\n',
    )
  })

  it('escapes control characters', async () => {
    const table = tableOf(['s', 'string', ['"a\\u001b[2J\\nb\\u202e"']])
    expect(await rendered('table', [table])).toContain('│ a\\u001b[2J\\nb\\u202e │')
  })

  it('has a bold heading in color', async () => {
    const table = tableOf(['a', 'integer', ['1']])
    expect(await rendered('table', [table], { color: 'plain' })).toContain('\u001b[1ma\u001b[22m')
    expect(await rendered('table', [table])).not.toContain('\u001b')
  })

  it('has colors for numbers, times and levels', async () => {
    const table = tableOf(
      ['_time', 'datetime', ['"2026-01-01T00:00:00Z"', 'null', 'null']],
      ['log.Level', 'string', ['"ERROR"', '"warn"', '"all"']],
      ['error', 'string', ['"error"', 'null', 'null']],
      ['n', 'integer', ['1', '-2', 'null']],
    )
    for (const format of ['table', 'record'] as const) {
      const text = (await rendered(format, [table], { color: 'plain' })).replaceAll('\u001b', '^')
      expect(text).toContain('^[2m2026-01-01T00:00:00Z^[22m')
      expect(text).toMatch(/\^\[31mERROR ?\^\[39m/)
      expect(text).toMatch(/\^\[33mwarn *\^\[39m/)
      expect(text).toContain('all')
      expect(text).not.toMatch(/\^\[3\dm(all|error)/)
      expect(text).toMatch(/\^\[36m *1\^\[39m/)
      expect(text.replace(/\^\[\d+m/g, '')).toBe(await rendered(format, [table]))
    }
  })

  it('colors numeric levels only in level fields', async () => {
    const numbers = ['3', '30', '50', '404']
    const table = tableOf(['severity', 'integer', numbers], ['status', 'integer', numbers])
    const lines = (await rendered('table', [table], { color: 'plain', header: false }))
      .replaceAll('\u001b', '^')
      .split('\n')
    expect(lines.slice(1, 5)).toEqual([
      '│   ^[31m3^[39m │   ^[36m3^[39m │',
      '│  ^[32m30^[39m │  ^[36m30^[39m │',
      '│  ^[31m50^[39m │  ^[36m50^[39m │',
      '│ 404 │ ^[36m404^[39m │',
    ])
  })

  it('is drawn the same with many rows', async () => {
    const cells = Array.from({ length: 1000 }, (_, row) => String(row))
    const text = await rendered('table', [tableOf(['n', 'integer', cells])])
    const lines = text.trimEnd().split('\n')
    expect(lines).toHaveLength(1004)
    expect(lines.slice(0, 5)).toEqual(['┌─────┐', '│   n │', '├─────┤', '│   0 │', '│   1 │'])
    expect(lines.slice(-2)).toEqual(['│ 999 │', '└─────┘'])
  })

  it('has lines of equal width with combining marks, emoji and wide characters', async () => {
    const texts = ['e\u0301', '👩‍👩‍👧', '❤️', 'ｗｉｄｅ', 'नमस्ते', '\u200b', 'x', '🇩🇪', '한국']
    const lines = (
      await rendered('table', [tableOf(['s', 'string', texts.map((text) => JSON.stringify(text))])])
    ).split('\n')
    // Widths counted by hand: 1, 2, 2, 8, and so on; the widest is 8.
    expect(lines[3]).toBe('│ e\u0301        │')
    expect(lines[4]).toBe('│ 👩‍👩‍👧       │')
    expect(lines[5]).toBe('│ ❤️       │')
    expect(lines[6]).toBe('│ ｗｉｄｅ │')
    expect(lines[9]).toBe('│ x        │')
    expect(lines[10]).toBe('│ 🇩🇪       │')
    expect(lines[11]).toBe('│ 한국     │')
  })
})

describe('a table wider than the terminal', () => {
  const wide = tableOf(
    ['_time', 'datetime', ['"2026-01-01T00:00:00.000000001Z"']],
    ['status', 'integer', ['500']],
    ['message', 'string', [`"${'abcdefghij'.repeat(10)}"`]],
  )

  it('has truncated strings, but complete times and numbers', async () => {
    expect(await rendered('table', [wide], { width: 68 })).toBe(
      [
        '┌────────────────────────────────┬────────┬────────────────────────┐',
        '│ _time                          │ status │ message                │',
        '├────────────────────────────────┼────────┼────────────────────────┤',
        '│ 2026-01-01T00:00:00.000000001Z │    500 │ abcdefghijabcdefghija… │',
        '└────────────────────────────────┴────────┴────────────────────────┘',
        '',
      ].join('\n'),
    )
  })

  it('uses the whole width', async () => {
    // 30, 6 and 100 columns of text, and 10 around them.
    const natural = 146
    for (let width = 60; width < 150; width++) {
      const [first = ''] = (await rendered('table', [wide], { width })).split('\n')
      expect(first.length).toBe(Math.min(width, natural))
    }
  })

  it('becomes records when its columns would be unreadable', async () => {
    expect(layOutTable(wide, { header: true, width: 58 })).toBeDefined()
    expect(layOutTable(wide, { header: true, width: 57 })).toBeUndefined()
    expect(await rendered('table', [wide], { width: 30 })).toBe(
      [
        '── 1 ─────────────────────────',
        '_time    2026-01-01T00:00:00.000000001Z',
        'status   500',
        `message  ${'abcdefghij'.repeat(10)}`,
        '',
      ].join('\n'),
    )
  })

  it('is not truncated when the width is unknown', async () => {
    expect(await rendered('table', [wide])).toContain('abcdefghij'.repeat(10))
  })

  it('is truncated between whole characters', async () => {
    const table = tableOf(['s', 'string', [`"${'漢'.repeat(20)}"`]])
    // 14 columns inside: six wide characters, the ellipsis, and one unused column.
    expect(await rendered('table', [table], { width: 18 })).toContain(`│ ${'漢'.repeat(6)}…  │`)
  })
})

describe('records', () => {
  it('are numbered across all tables', async () => {
    const tables = [tableOf(['a', 'integer', ['1', '2']]), tableOf(['b', 'integer', ['3']])]
    const text = await rendered('record', tables, { width: 10 })
    expect(text).toBe('── 1 ─────\na  1\n── 2 ─────\na  2\n── 3 ─────\nb  3\n')
  })

  it('omit fields without a value and count them', async () => {
    const table = tableOf(
      ['a', 'integer', ['1', 'null']],
      ['a long name', 'integer', ['null', 'null']],
      ['s', 'string', ['""', 'null']],
    )
    expect(await rendered('record', [table], { width: 10 })).toBe(
      [
        '── 1 ─────',
        'a  1',
        's  ""',
        '… and 1 field without a value',
        '── 2 ─────',
        '… and 3 fields without a value',
        '',
      ].join('\n'),
    )
  })
})

describe('a narrow table of patterns', () => {
  it('shows more of the pattern than of the example', () => {
    const text = JSON.stringify('Compiling src/a/long/path.ts in a build'.repeat(2))
    const fields = ['pattern', 'count_', 'example'].map((name) => ({ name, type: 'string' }))
    const parts = { name: '0', sources: [], order: [], groups: [], fields }
    const table = { ...parts, columns: [[text], ['12'], [text]] }
    // 60 columns without 10 for borders, 6 for the count and 12 for the example.
    const widths = layOutTable(table, { header: true, width: 60 })?.columns.map(
      ({ width }) => width,
    )
    expect(widths).toEqual([32, 6, 12])
  })
})
