import { describe, expect, it } from 'vitest'
import { BatchIds } from '../../../../src/cli/ingest/checkpoint/batch-ids.js'

const RUN = 'b2d7a9c4-1f6e-4c8b-9a53-7d0e2f418c66'

describe('batch ids', () => {
  it('of a run are one range, however often they are added', () => {
    const ids = new BatchIds()
    for (const number of [1, 2, 3, 2, 1, 4, 5]) ids.add(`${RUN}-${number}`)
    expect(ids.encode()).toEqual([[`${RUN}-`, 1, 5]])
  })

  it('are complete and distinct in chunks after they were encoded twice', () => {
    const added = [
      `${RUN}-1`,
      `${RUN}-2`,
      `${RUN}-9`,
      `${RUN}-9.0+5`,
      `${RUN}-9.5+5`,
      'x-01',
      'x-1',
      'x',
    ]
    const ids = new BatchIds()
    for (const id of [...added, ...added]) ids.add(id)
    const again = new BatchIds(JSON.parse(JSON.stringify(ids.encode())))
    again.addAll(ids.encode())
    const chunks = [...again.chunks(3)]
    expect(chunks.map((chunk) => chunk.length)).toEqual([3, 3, 2])
    expect(chunks.flat().sort()).toEqual([...added].sort())
  })

  it('are empty at first', () => {
    const ids = new BatchIds()
    expect([ids.isEmpty, ids.encode(), [...ids.chunks(3)]]).toEqual([true, [], []])
    ids.add('part')
    expect(ids.isEmpty).toBe(false)
  })
})
