import { describe, expect, it } from 'vitest'
import { complaints } from './support.js'

describe('error recovery', () => {
  it('reports all problems at once, in source order', () => {
    expect(
      complaints('logs | where statsu > 5 | limit 0 | extend a = -method | sort by b'),
    ).toEqual([
      'unknown-field: statsu',
      'bad-count: 0',
      'wrong-operand: method',
      'unknown-field: b',
    ])
  })

  it('finds problems after a step with a syntax error', () => {
    expect(complaints('logs | where status = 5 | where statsu > 5 | limit x')).toEqual([
      'other-language: =',
      'unknown-field: statsu',
      'bad-count: x',
    ])
  })

  it('reports each problem in one expression', () => {
    expect(complaints('logs | where foo > 1 and strlen() > bar')).toEqual([
      'unknown-field: foo',
      'wrong-argument-count: strlen',
      'unknown-field: bar',
    ])
  })

  it('reports at most ten problems', () => {
    const steps = Array.from({ length: 30 }, (_, i) => `| where unknown${i} > 1`)
    expect(complaints(`logs ${steps.join(' ')}`)).toHaveLength(10)
  })
})

describe('consequences of a problem', () => {
  it('reports an unknown name once, although it is used twice', () => {
    expect(complaints('logs | where statsu > 5 | project statsu, x = statsu + 1')).toEqual([
      'unknown-field: statsu',
    ])
  })

  it('knows the columns that a step with a problem would have added', () => {
    expect(complaints('logs | extend a = foo + 1 | where a > 5 | summarize max(a) by a')).toEqual([
      'unknown-field: foo',
    ])
    expect(complaints('logs | summarize n = sum(method) by s = foo | where n > s')).toEqual([
      'wrong-argument: method',
      'unknown-field: foo',
    ])
  })

  it('knows the index and the pattern of a column that has a problem', () => {
    const list = 'logs | summarize list = make_list(foo)'
    expect(complaints(`${list} | mv-expand with_itemindex=n list | where n > 1`)).toEqual([
      'unknown-field: foo',
    ])
    expect(complaints("logs | reduce kind=source by foo | where pattern == 'a'")).toEqual([
      'unknown-field: foo',
    ])
  })

  it('reports nothing about the parts of a column that has a problem', () => {
    expect(complaints('logs | extend shop.item = foo | where shop.item.name == "x"')).toEqual([
      'unknown-field: foo',
    ])
  })

  it('reports nothing about columns after a broken step that defines columns', () => {
    expect(complaints('logs | extend a = 5 b = 6 | where a > c')).toEqual(['syntax: b'])
    expect(complaints('logs | parse message | where a > 5 and status > x')).toEqual(['syntax: |'])
  })

  it('reports nothing about the fields of an unknown dataset', () => {
    expect(complaints('nothing | where a > 5 | summarize max(b) by c | where d > 1')).toEqual([
      'unknown-dataset: nothing',
      'unknown-field: d',
    ])
  })

  it('checks the outer query after a problem in a nested query', () => {
    expect(
      complaints("logs | join (['http-logs'] | where a = 5 | limit x) on b | limit 0"),
    ).toEqual(['other-language: =', 'bad-count: x', 'unknown-field: b', 'bad-count: 0'])
    expect(complaints('logs | union (logs | where (ok, (logs | limit 0)) | limit x)')).toEqual([
      'other-language: (',
      'bad-count: x',
    ])
  })

  it('reports nothing about the columns of a join side with a problem', () => {
    expect(complaints("logs | join (['x']) on status | where a > 5 | limit 0")).toEqual([
      "unknown-dataset: ['x']",
      'bad-count: 0',
    ])
  })

  it('reports nothing about the name of a statement with a problem', () => {
    expect(complaints('let a = b; let c = logs | where x; c | where a > 5 | limit 0')).toEqual([
      'unknown-name: b',
      'unknown-field: x',
      'bad-count: 0',
    ])
    expect(complaints('let a = = 5; logs | where status == a | limit 0')).toEqual([
      'syntax: =',
      'bad-count: 0',
    ])
  })
})
