import { describe, expect, it } from 'vitest'
import { readPipeline } from '../../src/cli/commands/page/pipeline.js'

describe('a query that can be paged', () => {
  it.each([
    ["['logs']", { apl: "['logs']" }],
    ["['logs'] | where a == '| count' // | count", { apl: "['logs'] | where a == '| count'" }],
    ["['logs'] | sort by _time asc", { apl: "['logs']", direction: 'asc' }],
    ["['logs'] | sort by _time", { apl: "['logs']", direction: 'desc' }],
    [
      "['logs'] | order by ['_time'] asc | take 5;",
      { apl: "['logs']", direction: 'asc', limit: 5 },
    ],
    ["['logs'] | limit 7", { apl: "['logs']", limit: 7 }],
    ["['logs'] | top 3 by _time", { apl: "['logs']", direction: 'desc', limit: 3 }],
    [
      "['logs'] | sort by _time asc | extend b = a + 1",
      { apl: "['logs'] | sort by _time asc | extend b = a + 1", direction: 'asc' },
    ],
    [
      "let n = 1;\n['logs'] | where a > n // more\n| limit 2 // two",
      { apl: "let n = 1;\n['logs'] | where a > n", limit: 2 },
    ],
    [
      "union ['a'], (['b'] | where x > 1) | where y < 2",
      { apl: "union ['a'], (['b'] | where x > 1) | where y < 2" },
    ],
    ["['a'] | mv-expand b", { apl: "['a'] | mv-expand b", isExpanding: true }],
    ["['a'] | reduce kind=source by b", { apl: "['a'] | reduce kind=source by b" }],
    ["['it\\'s | count']", { apl: "['it\\'s | count']" }],
    ["['a'] | where s == @'\\' | limit 1", { apl: "['a'] | where s == @'\\'", limit: 1 }],
  ])('is %s', (text, pipeline) => {
    expect(readPipeline(text)).toEqual({ isExpanding: false, ...pipeline })
  })
})

describe('a query that cannot be paged', () => {
  it.each([
    ["['logs'] | summarize count() by bin(_time, 1h)", '`summarize`'],
    [
      "['logs'] | summarize count() by host",
      'Use `evq query`, where `-n` sets the number of rows.',
    ],
    ["['logs'] | count", '`count`'],
    ["['logs'] | reduce by message", '`reduce`'],
    ["['logs'] | limit 5 | where a > 1", '`limit` in the middle'],
    ["['logs'] | top 5 by status", '`top`'],
    ["['logs'] | sort by status | limit 5", '`sort by status`'],
    ["['logs'] | sort by _time asc, status", '`sort by _time asc, status`'],
    ["['logs'] | where id in ((['bad'] | distinct id))", 'A query with a subquery'],
    ["let bad = ['bad'] | project id; ['logs'] | where id in (bad)", 'A query with a subquery'],
    ["union ['a'], (['b'] | limit 5)", 'A query with a subquery'],
    ["['a'] | join (['b'] | where x > 1) on id", 'A query with a subquery'],
  ])('is rejected: %s', (text, words) => {
    expect(() => readPipeline(text)).toThrow(words)
  })
})
