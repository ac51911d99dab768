import { describe, expect, it } from 'vitest'
import { compare } from '../../../../src/cli/commands/diff/compare.js'
import { UsageError } from '../../../../src/cli/error/usage-error.js'
import type { Table } from '../../../../src/wire/http/tabular-result.js'
import { tableOf } from '../../../render/support.js'

const COUNT = { name: 'count', fields: [], args: [] }
const HOUR = 3_600_000_000_000n

/** The result of `summarize count_ = count() by service`. */
function counts(...rows: readonly (readonly [service: string, count: string])[]): Table {
  const table = tableOf(
    ['service', 'string', rows.map(([service]) => service)],
    ['count_', 'integer', rows.map(([, count]) => count)],
  )
  return {
    ...table,
    fields: [table.fields[0]!, { ...table.fields[1]!, agg: COUNT }],
    groups: [{ name: 'service' }],
  }
}

function rowsOf({ fields, columns }: Table): readonly (readonly string[])[] {
  return [
    fields.map(({ name }) => name),
    ...columns[0]!.map((_, row) => columns.map((column) => column[row]!)),
  ]
}

describe('a comparison', () => {
  it('has new groups first, then those that vanished, then the largest differences', () => {
    const before = counts(['"a"', '10'], ['"b"', '5'], ['"gone"', '1'], ['"lost"', '7'])
    const after = counts(['"a"', '11'], ['"b"', '1'], ['"new"', '2'], ['null', '3'])
    const { table, ...numbers } = compare(before, after, 0n)
    expect(rowsOf(table)).toEqual([
      ['service', 'before', 'after', 'difference', 'ratio'],
      ['null', '0', '3', '3', 'null'],
      ['"new"', '0', '2', '2', 'null'],
      ['"lost"', '7', '0', '-7', '0'],
      ['"gone"', '1', '0', '-1', '0'],
      ['"b"', '5', '1', '-4', '0.2'],
      ['"a"', '10', '11', '1', '1.1'],
    ])
    expect(numbers).toEqual({ added: 2, vanished: 2, changed: 2, others: [] })
  })

  it('takes the number of distinct values of a missing group as 0', () => {
    const distinct = (service: string, count: string): Table => {
      const table = counts([service, count])
      const agg = { name: 'distinct', fields: ['user_id'], args: [] }
      return { ...table, fields: [table.fields[0]!, { ...table.fields[1]!, agg }] }
    }
    const { table } = compare(distinct('"a"', '1'), distinct('"b"', '2'), 0n)
    expect(rowsOf(table).slice(1)).toEqual([
      ['"b"', '0', '2', '2', 'null'],
      ['"a"', '1', '0', '-1', '0'],
    ])
  })

  it('is exact for integers beyond doubles', () => {
    const { table } = compare(
      counts(['"a"', '-9007199254740993']),
      counts(['"a"', '9007199254740992']),
      0n,
    )
    expect(rowsOf(table)[1]?.[3]).toBe('18014398509481985')
  })

  it('has columns of each aggregation when there are several, and none for what is no number', () => {
    const of = (count: string, mean: string, last: string): Table => ({
      ...tableOf(
        ['service', 'string', ['"a"']],
        ['count_', 'integer', [count]],
        ['avg_ms', 'float', [mean]],
        ['path', 'string', [last]],
      ),
      groups: [{ name: 'service' }],
    })
    const { table, others } = compare(of('2', '1.5', '"/x"'), of('3', 'null', '"/y"'), 0n)
    expect(rowsOf(table)).toEqual([
      [
        'service',
        ...['before_count_', 'after_count_', 'difference_count_', 'ratio_count_'],
        ...['before_avg_ms', 'after_avg_ms', 'difference_avg_ms', 'ratio_avg_ms'],
      ],
      ['"a"', '2', '3', '1', '1.5', '1.5', 'null', 'null', 'null'],
    ])
    expect(others).toEqual(['path'])
  })

  it('has null for a mean of no rows, and a ratio of null for 0', () => {
    const of = (service: string, mean: string): Table => ({
      ...tableOf(['service', 'string', [service]], ['avg_ms', 'float', [mean]]),
      groups: [{ name: 'service' }],
    })
    expect(rowsOf(compare(of('"a"', '2'), of('"b"', '3'), 0n).table).slice(1)).toEqual([
      ['"b"', 'null', '3', 'null', 'null'],
      ['"a"', '2', 'null', 'null', 'null'],
    ])
    expect(rowsOf(compare(of('"a"', '0.0'), of('"a"', '3'), 0n).table)[1]?.[4]).toBe('null')
  })

  it('moves the times of the earlier result, and is in order of time', () => {
    const of = (...hours: readonly string[]): Table => ({
      ...tableOf(
        ['_time', 'datetime', hours.map((hour) => `"2026-01-01T${hour}:00:00Z"`)],
        ['count_', 'integer', hours.map((_, i) => String(i + 1))],
      ),
      buckets: { field: '_time', size: Number(HOUR) },
    })
    const { table } = compare(of('01', '02'), of('11', '12', '13'), 10n * HOUR)
    expect(rowsOf(table)).toEqual([
      ['_time', 'before', 'after', 'difference', 'ratio'],
      ['"2026-01-01T11:00:00Z"', '1', '1', '0', '1'],
      ['"2026-01-01T12:00:00Z"', '2', '2', '0', '1'],
      ['"2026-01-01T13:00:00Z"', 'null', '3', 'null', 'null'],
    ])
    expect(table.buckets).toEqual({ field: '_time', size: Number(HOUR) })
    expect(() => compare(of('01'), of('11'), HOUR / 2n)).toThrow(/not a multiple of the time bins/)
  })

  it('of results without groups is one row', () => {
    const count = (value: string) => tableOf(['Count', 'integer', [value]])
    expect(rowsOf(compare(count('4'), count('6'), 0n).table)).toEqual([
      ['before', 'after', 'difference', 'ratio'],
      ['4', '6', '2', '1.5'],
    ])
  })

  it('of two empty results is empty', () => {
    expect(rowsOf(compare(counts(), counts(), 0n).table)).toEqual([
      ['service', 'before', 'after', 'difference', 'ratio'],
    ])
  })

  it('is refused with the reason', () => {
    const events = tableOf(['_time', 'datetime', ['"x"', '"y"']], ['n', 'integer', ['1', '2']])
    expect(() => compare(events, events, 0n)).toThrow(/has no `summarize`/)
    // `--json-errors` then has the code `usage`, as for other failures with exit code 2.
    expect(() => compare(events, events, 0n)).toThrow(UsageError)
    const other = { ...counts(['"a"', '1']), groups: [] }
    expect(() => compare(other, counts(['"a"', '1']), 0n)).toThrow(
      'The two results have different groups: none before, `service` after.',
    )
    const twice = counts(['"a"', '1'], ['"a"', '2'])
    expect(() => compare(twice, counts(), 0n)).toThrow(/`before` has several rows with service="a"/)
    const texts: Table = {
      ...tableOf(['service', 'string', ['"a"']]),
      groups: [{ name: 'service' }],
    }
    expect(() => compare(texts, texts, 0n)).toThrow(/no column of numbers to compare/)
  })
})
