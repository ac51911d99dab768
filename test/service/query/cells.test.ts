import { describe, expect, it } from 'vitest'
import { Cells } from '../../../src/service/query/cells.js'
import { ByteWriter } from '../../../src/wire/bytes/byte-writer.js'

/** The first values of a column, as written. */
function written(column: string, count: number): string {
  const out = new ByteWriter(16)
  const cells = new Cells(Buffer.from(column))
  for (let i = 0; i < count; i++) {
    cells.next().addTo(out)
    out.addLatin1(cells.isNull ? '. ' : ' ')
  }
  return out.written.toString()
}

describe('the values of a column', () => {
  it('are returned one after the other', () => {
    expect(written('[1, null,"a,]\\\\\\"",[2,{"b":"]"}], true]', 5)).toBe(
      '1 null. "a,]\\\\\\"" [2,{"b":"]"}] true ',
    )
  })

  it('are null after the last one', () => {
    expect(written('[1]', 3)).toBe('1 null. null. ')
    expect(written('[]', 2)).toBe('null. null. ')
  })
})
