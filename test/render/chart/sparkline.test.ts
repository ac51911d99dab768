import { describe, expect, it } from 'vitest'
import { chartsOf } from '../../../src/render/chart/chart.js'
import { rendered, tableOf } from '../support.js'

const TABLE = tableOf(
  ['host', 'string', ['"a"', '"b\\u0007"', '""', 'null']],
  ['mean', 'float', ['0.123456', '12', 'null', '1e-9']],
  ['took', 'timespan', ['1500000000', '0', 'null', '1']],
  ['values', 'array', ['[0,1,2,7]', '[-2,0,2]', 'null', '[5,null,5]']],
)

describe('a column of arrays of numbers', () => {
  it('is drawn as a line of blocks per row, each with its own scale', async () => {
    expect(await rendered('chart', [TABLE], { width: 80 })).toBe(
      [
        ' mean  took        host',
        '0.123  1.5s  ▁▂▃█  a',
        '   12    0s  ▁▅█   b\\u0007',
        '                   ""',
        ' 1e-9   1ns  █▁█   null',
        '',
      ].join('\n'),
    )
  })

  it('is condensed to the width, each block with the largest of its values', async () => {
    const values = Array.from({ length: 400 }, (_, i) => (i === 399 ? 9 : 0))
    const drawn = await rendered('chart', [tableOf(['v', 'array', [`[${values}]`]])], { width: 40 })
    expect(drawn).toBe('\n▁▁▁▁▁▁▁▁▁█  ""\n')
  })

  it('shows at most 50 rows', async () => {
    const cells = new Array<string>(53).fill('[1]')
    const drawn = await rendered('chart', [tableOf(['v', 'array', cells])])
    expect(drawn.split('\n')).toHaveLength(53)
    expect(drawn).toContain('… and 3 more rows')
  })

  it('is not drawn when an array has other values, or several columns have arrays', () => {
    const mixed = tableOf(['v', 'array', ['[1]', '["x"]']], ['n', 'integer', ['1', '2']])
    expect(chartsOf(mixed)).toMatchObject([{ kind: 'bars' }])
    const two = tableOf(['v', 'array', ['[1]']], ['w', 'array', ['[1]']])
    expect(chartsOf(two)).toEqual({ reason: 'No column has numbers to draw.' })
  })
})
