import { describe, expect, it } from 'vitest'
import { complaints } from './support.js'

describe('several problems', () => {
  it('are told all at once, in the order of the text', () => {
    expect(
      complaints('logs | where statsu > 5 | limit 0 | extend a = -method | sort by b'),
    ).toEqual([
      'unknown-field: statsu',
      'bad-count: 0',
      'wrong-operand: method',
      'unknown-field: b',
    ])
  })

  it('are found behind a step that cannot be read', () => {
    expect(complaints('logs | where status = 5 | where statsu > 5 | limit x')).toEqual([
      'other-language: =',
      'unknown-field: statsu',
      'bad-count: x',
    ])
  })

  it('in one expression are each told', () => {
    expect(complaints('logs | where foo > 1 and strlen() > bar')).toEqual([
      'unknown-field: foo',
      'wrong-argument-count: strlen',
      'unknown-field: bar',
    ])
  })

  it('are ten at most', () => {
    const steps = Array.from({ length: 30 }, (_, i) => `| where unknown${i} > 1`)
    expect(complaints(`logs ${steps.join(' ')}`)).toHaveLength(10)
  })
})

describe('a problem', () => {
  it('is told once for a name used again', () => {
    expect(complaints('logs | where statsu > 5 | project statsu, x = statsu + 1')).toEqual([
      'unknown-field: statsu',
    ])
  })

  it('does not make the columns unknown that it would have made', () => {
    expect(complaints('logs | extend a = foo + 1 | where a > 5 | summarize max(a) by a')).toEqual([
      'unknown-field: foo',
    ])
    expect(complaints('logs | summarize n = sum(method) by s = foo | where n > s')).toEqual([
      'wrong-argument: method',
      'unknown-field: foo',
    ])
  })

  it('in a step that makes columns says nothing of those behind it', () => {
    expect(complaints('logs | extend a = 5 b = 6 | where a > c')).toEqual(['syntax: b'])
    expect(complaints('logs | parse message | where a > 5 and status > x')).toEqual(['syntax: |'])
  })

  it('in an unknown dataset says nothing of its fields', () => {
    expect(complaints('nothing | where a > 5 | summarize max(b) by c | where d > 1')).toEqual([
      'unknown-dataset: nothing',
      'unknown-field: d',
    ])
  })

  it('in a query in parentheses does not end what is around it', () => {
    expect(
      complaints("logs | join (['http-logs'] | where a = 5 | limit x) on b | limit 0"),
    ).toEqual(['other-language: =', 'bad-count: x', 'unknown-field: b', 'bad-count: 0'])
    expect(complaints('logs | union (logs | where (ok, (logs | limit 0)) | limit x)')).toEqual([
      'syntax: ,',
      'bad-count: x',
    ])
  })

  it('of a side says nothing of the columns that it would have given', () => {
    expect(complaints("logs | join (['x']) on status | where a > 5 | limit 0")).toEqual([
      "unknown-dataset: ['x']",
      'bad-count: 0',
    ])
  })

  it('in a statement says nothing of its name', () => {
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
