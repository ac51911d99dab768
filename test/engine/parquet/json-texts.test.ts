import { describe, expect, it } from 'vitest'
import { ColumnType } from '../../../src/engine/parquet/column.js'
import { addLines, TextColumn } from '../../../src/engine/parquet/json-texts.js'

/** Each text follows its length, which is less than 128 here. */
const texts = (...values: readonly string[]) =>
  Buffer.concat(
    values.map((value) => Buffer.from([Buffer.byteLength(value), ...Buffer.from(value)])),
  )

const columnsOf = (count: number, rows: number) =>
  Array.from({ length: count }, () => new TextColumn(new ColumnType('')).begin(rows))

describe('lines of JSON values', () => {
  it('are texts by columns', () => {
    const columns = columnsOf(2, 3)
    const lines = Buffer.from('\0"é"\0null}\n\0"\\u00e9\\n"\0{"a": "}"}}\n')
    expect(addLines(columns, lines, 0)).toBe(2)
    expect(addLines(columns, Buffer.from('\0null\0null}\n'), 2)).toBe(3)
    expect(columns[0]?.pieces).toEqual([Buffer.from([0, 0, 1]), texts('é', 'é\n', '')])
    expect(columns[1]?.pieces).toEqual([Buffer.from([1, 0, 1]), texts('', '{"a": "}"}', '')])
  })

  it('are texts of one block after another', () => {
    const column = new TextColumn(new ColumnType(''))
    addLines([column.begin(2)], Buffer.from('\0"longer"}\n\0true}\n'), 0)
    addLines([column.begin(3)], Buffer.from('\0null}\n\0"a"}\n\0null}\n'), 0)
    expect(column.pieces).toEqual([Buffer.from([1, 0, 1]), texts('', 'a', '')])
  })

  it.each([60, 63, 64, 65, 66, 100])('have values of %d bytes', (length) => {
    const plain = 'p'.repeat(length - 2)
    const escaped = '\\\\'.padStart(length - 2, 'e')
    const array = `[${'1'.repeat(length - 2)}]`
    const columns = columnsOf(3, 2)
    const lines = [
      `\0"${plain}"\0"${escaped}"\0${array}}\n`,
      `\0${array}\0"${plain}"\0"${escaped}"}\n`,
    ]
    expect(addLines(columns, Buffer.from(lines.join('')), 0)).toBe(2)
    expect(columns.map(({ pieces }) => pieces[1])).toEqual([
      texts(plain, array),
      texts(escaped.slice(0, -1), plain),
      texts(array, escaped.slice(0, -1)),
    ])
  })

  it('tell the types of their columns', () => {
    const types = [new ColumnType('integer|float'), new ColumnType('')]
    const columns = types.map((type) => new TextColumn(type).begin(2))
    addLines(columns, Buffer.from('\x001\0null}\n\x000.5\0true}\n'), 0)
    expect(types.map(({ type }) => type)).toEqual(['Float64', 'Bool'])
  })

  it.each([
    ['\0"a\0b"\0"c"}\n', 2],
    ['\0"a\nb"\0"c"}\n', 2],
    ['\0"a\nb"}\n', 1],
    [`\0"${'a'.repeat(70)}\nb"\0"c"}\n`, 2],
    [`\0"${'a'.repeat(70)}\nb"}\n`, 1],
    [`\0"${'a'.repeat(70)}\0b"}\n`, 1],
    ['\0nil\0"c"}\n', 2],
    ['\0"a', 1],
  ])('%j is refused, because it is not JSON', (lines, columns) => {
    const added = () => addLines(columnsOf(columns, 2), Buffer.from(lines), 0)
    expect(added).toThrow('its values are not JSON')
  })
})
