import { describe, expect, it } from 'vitest'
import { cellsIn, encodeCells, readJsonRows } from '../../../src/engine/parquet/json-texts.js'

/** Each text follows its length, which is less than 128 here. */
const texts = (...values: readonly string[]) =>
  Buffer.concat(
    values.map((value) => Buffer.from([Buffer.byteLength(value), ...Buffer.from(value)])),
  )

describe('lines of JSON values', () => {
  it('are read by columns', () => {
    const rows = readJsonRows(Buffer.from('\0"é"\0null}\n\0"\\u00e9\\n"\0{"a": "}"}}\n'), 2)
    expect(rows.rows).toBe(2)
    expect(cellsIn(rows, 0)).toEqual(['"é"', '"\\u00e9\\n"'])
    expect(cellsIn(rows, 1)).toEqual(['null', '{"a": "}"}'])
    const nulls = Buffer.alloc(2)
    expect(encodeCells(rows, 0, nulls)).toEqual(texts('é', 'é\n'))
    expect(nulls).toEqual(Buffer.from([0, 0]))
    expect(encodeCells(rows, 1, nulls)).toEqual(texts('', '{"a": "}"}'))
    expect(nulls).toEqual(Buffer.from([1, 0]))
  })

  it.each([
    ['\0"a\0b"\0"c"}\n', 2],
    ['\0"a\nb"\0"c"}\n', 2],
    ['\0"a\nb"}\n', 1],
  ])('%j is refused, because strings of JSON have no such characters', (lines, columns) => {
    expect(() => readJsonRows(Buffer.from(lines), columns)).toThrow('its values are not JSON')
  })
})
