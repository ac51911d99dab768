import type { Type } from '../../src/apl/type.js'
import { aggregation, expression, type Known, predicate } from './expression.js'
import { LITERALS } from './literals.js'
import type { Random } from './random.js'

/** The queried datasets, and their fields in APL syntax. */
export const DATASETS: Readonly<Record<string, readonly Known[]>> = {
  http: [
    ...known('datetime', '_time', '_sysTime'),
    ...known('int', 'status', 'id'),
    ...known('real', 'ms'),
    ...known('string', 'method', 'path', 'service', 'message', "['geo.city']"),
    ...known('bool', 'ok'),
    ...known('dynamic', 'tags', 'mixed', 'geo'),
  ],
  numbers: [
    ...known('datetime', '_time'),
    ...known('int', 'n', 'd'),
    ...known('real', 'x'),
    ...known('string', 's', 'word'),
  ],
  "['odd-names']": [
    ...known('datetime', '_time'),
    ...known('string', "['user agent']", '["it\'s"]', "['emoji 🦆']", '["nul\\u0000l"]'),
    ...known('int', "['back`tick']", "['sla\\\\sh']"),
    ...known('dynamic', 'shape', 'a'),
  ],
}

function known(type: Type, ...names: readonly string[]): readonly Known[] {
  return names.map((name) => ({ name, type }))
}

const TYPES = Object.keys(LITERALS) as readonly Type[]

/** A query that follows the grammar, usually with meaningful parts. */
export function query(random: Random): string {
  const dataset = random.pick(Object.keys(DATASETS))
  const statements = random.percent(8) ? random.times(1, 2, (i) => letStatement(random, i)) : []
  const source = random.percent(80)
    ? { text: dataset, columns: DATASETS[dataset]! }
    : generatedSource(random)
  return [...statements, pipeline(random, source, random.below(6))].join('\n')
}

interface GeneratedSource {
  readonly text: string
  readonly columns: readonly Known[]
}

function letStatement(random: Random, index: number): string {
  if (random.percent(30)) return `let t${index} = ${random.pick(Object.keys(DATASETS))} | limit 3;`
  return `let v${index} = ${expression(random, [], random.pick(TYPES), 2)};`
}

/** A source other than a single dataset. */
function generatedSource(random: Random): GeneratedSource {
  if (random.percent(25)) return several(random)
  if (random.percent(70)) {
    const columns = random.times(1, 3, (i) => ({ name: `p${i}`, type: random.pick(TYPES) }))
    const values = columns.map(({ name, type }) => `${name} = ${expression(random, [], type, 3)}`)
    return { text: `print ${values.join(', ')}`, columns }
  }
  const columns = random.times(1, 2, (i) => ({ name: `t${i}`, type: random.pick(TYPES) }))
  const head = columns.map(({ name, type }) => `${name}:${type}`).join(', ')
  const cells = random
    .times(0, 3, () => columns.map(({ type }) => random.pick(LITERALS[type])))
    .flat()
  return { text: `datatable(${head})[${cells.join(', ')}]`, columns }
}

function several(random: Random): GeneratedSource {
  const sides = random.times(1, 3, () => {
    const dataset = random.pick(Object.keys(DATASETS))
    const columns = DATASETS[dataset]!
    const length = random.below(3)
    if (length === 0) return { text: dataset, columns }
    return { text: `(${pipeline(random, { text: dataset, columns }, length)})`, columns }
  })
  const text = `union ${random.pick(['', 'withsource=w '])}${sides.map((side) => side.text).join(', ')}`
  return { text, columns: sides.flatMap(({ columns }) => columns) }
}

function pipeline(random: Random, source: GeneratedSource, length: number): string {
  let { text, columns } = source
  for (let i = 0; i < length; i++) {
    const step = random.pick(STEPS)(random, columns, i)
    text += `\n| ${step.text}`
    columns = step.columns
  }
  return text
}

type Step = (random: Random, columns: readonly Known[], index: number) => GeneratedSource

const STEPS: readonly Step[] = [
  (random, columns) => ({ text: `where ${predicate(random, columns, 3)}`, columns }),
  (random, columns) => ({ text: `where ${predicate(random, columns, 2)}`, columns }),
  (random, columns) => {
    const dataset = random.pick(Object.keys(DATASETS))
    const inner = pipeline(random, { text: dataset, columns: DATASETS[dataset]! }, random.below(3))
    const { name } = random.pick(columns.length > 0 ? columns : DATASETS[dataset]!)
    return { text: `where ${name} ${random.pick(['in', '!in', 'in~'])} (${inner})`, columns }
  },
  extended('extend'),
  extended('extend'),
  extended('extend-valid'),
  (random, columns, index) => {
    const { text, columns: computed } = assigned(random, columns, `e${index}`)
    return { text: `project ${text}`, columns: computed }
  },
  (random, columns, index) => summarized(random, columns, index),
  (random, columns, index) => summarized(random, columns, index),
  (random, columns) => ({
    text: `${random.pick(['sort by', 'order by'])} ${random.times(1, 2, () => key(random, columns)).join(', ')}`,
    columns,
  }),
  (random, columns) => ({ text: `top ${random.below(5)} by ${key(random, columns)}`, columns }),
  (random, columns) => ({ text: `${random.pick(['limit', 'take'])} ${random.below(9)}`, columns }),
  () => ({ text: 'count', columns: known('int', 'Count') }),
  (random, columns) => {
    const kept = some(random, columns)
    return { text: `distinct ${names(kept)}`, columns: kept }
  },
  (random, columns) => {
    const gone = some(random, columns)
    return {
      text: `project-away ${names(gone)}`,
      columns: columns.filter((column) => !gone.includes(column)),
    }
  },
  (random, columns) => {
    const kept = some(random, columns)
    return { text: `project-keep ${names(kept)}`, columns: kept }
  },
  (random, columns) => {
    const [first, ...rest] = columns
    if (first === undefined) return { text: 'count', columns: known('int', 'Count') }
    const name = `r${random.below(9)}`
    return {
      text: `project-rename ${name} = ${first.name}`,
      columns: [{ ...first, name }, ...rest],
    }
  },
  (random, columns) => ({
    text: `project-reorder ${names(some(random, columns))}${random.pick(['', ' asc', ' desc', ', *'])}`,
    columns,
  }),
  (random, columns) => {
    const arrays = columns.filter(({ type }) => type === 'dynamic')
    const { name } = random.pick(arrays.length > 0 ? arrays : known('dynamic', 'tags'))
    const option = random.pick(['', '', 'kind=bag ', 'with_itemindex=i '])
    const to = random.pick(['', '', ' to typeof(long)', ' limit 2'])
    return { text: `mv-expand ${option}${name}${to}`, columns }
  },
  (random, columns, index) => {
    const { name } = random.pick(columns.length > 0 ? columns : known('string', 'path'))
    const kind = random.pick(['', '', 'kind=regex ', 'kind=relaxed '])
    const word = random.pick(['parse', 'parse-where'])
    const pattern = random.pick([
      '"/" a "/" b',
      '* "user" n:long',
      'a ":" *',
      '"(" a:real "x" b:bool',
    ])
    return {
      text: `${word} ${kind}${name} with ${pattern.replaceAll(/\b[abn]\b/g, `$&${index}`)}`,
      columns,
    }
  },
  (random, columns) => {
    const { name } = random.pick(columns.length > 0 ? columns : known('string', 'path'))
    return {
      text: `parse-kv ${name} as (k:string, l:long) with (pair_delimiter="&", kv_delimiter="=")`,
      columns,
    }
  },
  (random, columns) => ({ text: `sample ${random.pick(['0.5', '1', '0.01'])}`, columns }),
  (random, columns) => ({
    text: `search ${random.pick(['"api"', 'error', '*er', 'er*', '"user" and not "x"', 'path:"api"', '"a*b"'])}`,
    columns,
  }),
  (random, columns) => ({
    text: `redact ${random.pick(['', 'replaceToken="<x>" ', 'replaceHash=true '])}${random.pick(['"[0-9]+"', '"(a)(.)"'])}`,
    columns,
  }),
  (random, columns) => {
    const { name } = random.pick(columns.length > 0 ? columns : known('string', 'path'))
    if (random.percent(40)) {
      const pattern = known('string', 'pattern')
      return { text: `reduce kind=source by ${name}`, columns: [...columns, ...pattern] }
    }
    const threshold = random.pick(['', ' with threshold=0.3', ' with threshold=0'])
    return {
      text: `reduce by ${name}${threshold}`,
      columns: [
        ...known('string', 'pattern', 'example'),
        ...known('int', 'count_'),
        ...known('real', 'share'),
      ],
    }
  },
  () => ({ text: 'getschema', columns: known('string', 'ColumnName', 'ColumnType') }),
  (random, columns) => {
    const by = random.percent(50) ? ` by ${names(some(random, columns))}` : ''
    const text = `make-series m = ${aggregation(random, columns)} on _time step ${random.pick(['1m', '1h', '1d'])}${by}`
    return { text, columns: known('dynamic', 'm', '_time') }
  },
  (random, columns, index) => joined(random, columns, index),
  (random, columns) => {
    const other = random.pick(Object.keys(DATASETS))
    return { text: `union ${random.pick(['', 'withsource=w '])}${other}`, columns }
  },
]

function extended(word: string): Step {
  return (random, columns, index) => {
    const { text, columns: computed } = assigned(random, columns, `e${index}`)
    return { text: `${word} ${text}`, columns: [...columns, ...computed] }
  }
}

function assigned(random: Random, columns: readonly Known[], prefix: string): GeneratedSource {
  const defined = random.times(1, 3, (i) => ({
    name: `${prefix}${i}`,
    type: random.pick(TYPES),
  }))
  const text = defined.map(({ name, type }) => `${name} = ${expression(random, columns, type, 3)}`)
  return { text: text.join(', '), columns: defined }
}

function summarized(random: Random, columns: readonly Known[], index: number): GeneratedSource {
  const aggregates = random.times(0, 2, (i) => `s${index}${i} = ${aggregation(random, columns)}`)
  const keys = random.times(aggregates.length > 0 ? 0 : 1, 2, (i) => {
    const isTime = random.percent(30) && columns.some(({ name }) => name === '_time')
    const bin = random.pick(['bin(_time, 1m)', 'bin(_time, 1h)', 'bin_auto(_time)'])
    return isTime ? bin : `g${index}${i} = ${expression(random, columns, random.pick(TYPES), 1)}`
  })
  const by = keys.length > 0 ? ` by ${keys.join(', ')}` : ''
  const defined = [...aggregates, ...keys].flatMap((text) => {
    const name = /^(\w+) =/.exec(text)?.[1]
    return name === undefined ? known('datetime', '_time') : known(random.pick(TYPES), name)
  })
  return { text: `summarize ${aggregates.join(', ')}${by}`, columns: defined }
}

const JOIN_KINDS = [
  ...['', 'kind=inner ', 'kind=innerunique ', 'kind=leftouter ', 'kind=rightouter '],
  ...['kind=fullouter ', 'kind=leftanti ', 'kind=rightanti ', 'kind=leftsemi ', 'kind=rightsemi '],
]

function joined(random: Random, columns: readonly Known[], index: number): GeneratedSource {
  const dataset = random.pick(Object.keys(DATASETS))
  const right = DATASETS[dataset]!
  const side = pipeline(random, { text: dataset, columns: right }, random.below(3))
  const left = random.pick(columns.length > 0 ? columns : known('int', `e${index}0`))
  const on = random.pick([
    left.name,
    `$left.${left.name} == $right.${random.pick(right).name}`,
    '_time',
  ])
  const head = random.percent(80) ? `join ${random.pick(JOIN_KINDS)}` : 'lookup '
  return { text: `${head}(${side}) on ${on}`, columns }
}

function key(random: Random, columns: readonly Known[]): string {
  const value =
    random.percent(70) && columns.length > 0
      ? random.pick(columns).name
      : expression(random, columns, random.pick(TYPES), 2)
  return `${value}${random.pick(['', ' asc', ' desc', ' nulls first', ' asc nulls last'])}`
}

function some(random: Random, columns: readonly Known[]): readonly Known[] {
  const kept = columns.filter(() => random.percent(40))
  return kept.length > 0 ? kept : columns.slice(0, 1)
}

function names(columns: readonly Known[]): string {
  return columns.length > 0 ? columns.map(({ name }) => name).join(', ') : '*'
}
