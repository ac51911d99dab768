import { describe, expect, it } from 'vitest'
import { rendered, tableOf } from './support.js'

const TABLE = tableOf(
  ['id', 'integer', ['9007199254740993', 'null', '1']],
  ['a\tb', 'string', ['"one\\ttwo\\nthree\\r\\\\four"', '""', 'null']],
  ['tags', 'array', ['[1,"x\\ty"]', '{}', 'null']],
)

describe('TSV output', () => {
  it('escapes tabs, line ends and backslashes, and distinguishes null from an empty string', async () => {
    expect(await rendered('tsv', [TABLE])).toBe(
      'id\ta\\tb\ttags\n' +
        '9007199254740993\tone\\ttwo\\nthree\\r\\\\four\t[1,"x\\\\ty"]\n' +
        '\\N\t\t{}\n' +
        '1\t\\N\t\\N\n',
    )
  })

  it('has no header when it is turned off', async () => {
    const table = tableOf(['a', 'integer', ['1']])
    expect(await rendered('tsv', [table], { header: false })).toBe('1\n')
  })

  it('repeats the header when the columns change', async () => {
    const tables = [1, 2].map((n) => tableOf(['a', 'integer', [String(n)]]))
    const other = tableOf(['b', 'integer', ['3']])
    expect(await rendered('tsv', [...tables, other])).toBe('a\n1\n2\nb\n3\n')
  })
})
