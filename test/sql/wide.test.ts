import { describe, expect, it } from 'vitest'
import { analyze } from '../../src/apl/analyze.js'
import type { CheckedPipeline } from '../../src/apl/check/checked.js'
import type { Field } from '../../src/apl/schema.js'
import { compile } from '../../src/sql/compile.js'
import type { FieldLayout, Layout } from '../../src/sql/layout.js'

interface Datasets {
  readonly schema: {
    readonly datasets: readonly string[]
    fields(dataset: string): readonly Field[] | undefined
  }
  layout(dataset: string): Layout
}

/** Datasets with a `_time`, a `level` and this number of distinct fields. */
function datasets(count: number, fieldsEach: number): Datasets {
  const layouts = new Map(
    Array.from({ length: count }, (_, d) => {
      const own = Array.from({ length: fieldsEach }, (_, i): FieldLayout => {
        const name = `d${d}_${i}`
        const isTyped = i % 2 === 0
        return isTyped ? typed(name) : { name, type: 'dynamic', wireType: '', paths: [[name]] }
      })
      const table = `ds${d}`
      const time: FieldLayout = { ...typed('_time'), type: 'datetime', wireType: 'datetime' }
      return [table, { table, fields: [time, typed('level'), ...own] }] as const
    }),
  )
  const fields = new Map(
    [...layouts].map(([name, layout]) => [
      name,
      layout.fields.map(({ name, type }) => ({ name, type })),
    ]),
  )
  return {
    schema: { datasets: [...layouts.keys()], fields: (name) => fields.get(name) },
    layout: (name) => layouts.get(name)!,
  }
}

function typed(name: string): FieldLayout {
  return { name, type: 'string', wireType: 'string', column: name, paths: [[name]] }
}

/** The length of the statement, and the number of dataset columns that were created for it. */
function work(apl: string, { schema, layout }: Datasets): { length: number; columns: number } {
  const analyzed = analyze(apl, { schema, now: 0n })
  if ('problems' in analyzed) throw new Error(analyzed.problems[0]!.message)
  const { statement } = compile(analyzed.query, { layout, range: {}, limit: 1_001n, cursors: {} })
  return { length: statement.text.length, columns: columnsOf(analyzed.query) }
}

function columnsOf({ source }: CheckedPipeline): number {
  if (source.kind === 'dataset') return source.columns.length
  if (source.kind !== 'union') return 0
  return source.parts.reduce((sum, { pipeline }) => sum + columnsOf(pipeline), 0)
}

function problems(apl: string, { schema }: Datasets): readonly string[] {
  const analyzed = analyze(apl, { schema, now: 0n })
  return 'problems' in analyzed ? analyzed.problems.map(({ message }) => message) : []
}

describe('a search in thousands of fields', () => {
  /** The expressions that read a field from the text of an event: the engine plans each of them. */
  const reads = (apl: string, fields: number): number => {
    const { schema, layout } = datasets(1, fields)
    const analyzed = analyze(apl, { schema, now: 0n })
    if ('problems' in analyzed) throw new Error(analyzed.problems[0]!.message)
    const { statement } = compile(analyzed.query, { layout, range: {}, limit: 1n, cursors: {} })
    return statement.text.split('mapValues(h').length - 1
  }

  it.each(["search 'root' | count", "ds0 | search 'root*' | count"])(
    'reads the fields of a text with one expression: %s',
    (apl) => {
      expect(reads(apl, 4_000)).toBe(1)
    },
  )
})

/** The statement for a dataset of 1,000 fields. */
function statement(apl: string): string {
  const { schema, layout } = datasets(1, 1_000)
  const analyzed = analyze(apl, { schema, now: 0n })
  if ('problems' in analyzed) throw new Error(analyzed.problems[0]!.message)
  return compile(analyzed.query, { layout, range: {}, limit: 1n, cursors: {} }).statement.text
}

describe('the distinct events of a thousand fields', () => {
  it('are neither grouped nor sorted by a thousand keys, which takes long to plan', () => {
    const all = statement('ds0 | distinct *')
    expect(all).toContain('SELECT DISTINCT')
    expect(all).not.toContain('GROUP BY')
    expect(all.split(' NULLS FIRST').length - 1).toBe(1)
  })
})

describe('the events with the largest values, of thousands of fields', () => {
  it('are compared once for all of their fields', () => {
    const all = statement('ds0 | summarize arg_max(_time, *) by level')
    expect(all.split('argMaxIf(').length - 1).toBe(1)
  })

  it('have only the fields that later operators use', () => {
    const used = statement('ds0 | summarize arg_max(_time, *) by level | project level, d0_8')
    expect(new Set(used.match(/d0_\d+/g))).toEqual(new Set(['d0_8']))
  })
})

describe('queries over 60 datasets with 10,000 distinct fields each', () => {
  const wide = datasets(60, 10_000)

  it.each([
    ["union * | where level == 'error' | count", 1],
    ["union * | where level has 'error' | project _time, level | take 5", 2],
    ['union * | extend a = level | project-rename b = level | where b == a | count', 1],
    ['union * | project-away d* | take 5', 2],
    ['union * | project-keep level, _t* | sort by level asc', 2],
    ['union * | project-reorder level, * | summarize count() by level', 1],
    ["search level:'error' | summarize count() by bin(_time, 1h)", 2],
    ['union withsource=dataset * | where _time > ago(1h) | summarize count() by dataset', 1],
  ])('use only the named fields: %s', (apl, fields) => {
    const { length, columns } = work(apl, wide)
    expect(columns).toBe(60 * fields)
    // A constant for each dataset, independent of its other fields.
    expect(length).toBeLessThan(60 * 600)
  })

  it.each([
    'union * | take 5',
    "search 'root' | count",
    'union * | distinct *',
    'union * | getschema',
  ])('refuse to select all fields: %s', (apl) => {
    expect(problems(apl, wide)).toEqual(['The query uses more than 5,120 fields of its datasets.'])
  })

  it('compare only some of the fields with a misspelled name', () => {
    expect(problems('union * | where levl == 1', wide)).toEqual([
      'There is no field `levl` at this point of the query.',
    ])
  })
})

describe('a query of all fields', () => {
  it('names each field once in the searched text', () => {
    const { length, columns } = work("search 'root' | count", datasets(60, 40))
    expect(length / columns).toBeLessThan(100)
  })

  it.each(['union * | take 5', "search 'root' | count", "search 'root' | take 5"])(
    'grows with the number of datasets: %s',
    (apl) => {
      const [few, many] = [work(apl, datasets(15, 40)), work(apl, datasets(60, 40))]
      expect(many.columns).toBe(60 * 42)
      expect(few.columns).toBe(15 * 42)
      // Four times the datasets, and column ids with one more digit.
      expect(many.length / few.length).toBeLessThan(4.5)
    },
  )

  it.each(['ds0 | take 5', "ds0 | search 'root' | count"])(
    'grows with the number of fields: %s',
    (apl) => {
      const [few, many] = [work(apl, datasets(1, 1_250)), work(apl, datasets(1, 5_000))]
      expect(many.columns).toBe(5_002)
      expect(many.length / few.length).toBeLessThan(4.5)
    },
  )
})
