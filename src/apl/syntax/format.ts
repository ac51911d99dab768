import { byKind } from '../../text/by-kind.js'
import { formatInOneUnit } from '../../wire/time/duration.js'
import { formatTimestamp } from '../../wire/time/timestamp.js'
import { TYPE_WORDS, type Type } from '../type.js'
import type {
  Assignment,
  Call,
  DeclaredParameter,
  Expression,
  Extend,
  Join,
  Literal,
  LiteralValue,
  NamePattern,
  Operator,
  PatternPiece,
  Pipeline,
  Project,
  ProjectMatching,
  Query,
  SortKey,
  Source,
  Statement,
  Unary,
  Union,
} from './ast.js'
import { chainedBy, LONG_CHAIN } from './operands.js'
import { quote } from './string-literal.js'
import { PRECEDENCE, precedenceOf } from './words.js'

/** Formats a query as APL with one step per line. Parsing the result returns the same tree. */
export function formatQuery(query: Query): string {
  const { statements, source, operators } = query
  const steps = operators.map(
    // Without a source in front of it, the first operator has no `|`.
    (operator, i) => `${i === 0 && source.kind === 'input' ? '' : '| '}${formatOperator(operator)}`,
  )
  const start = source.kind === 'input' ? [] : [formatSource(source)]
  return [...statements.map(formatStatement), ...start, ...steps].join('\n')
}

/** Formats the statements of a query, each on its line. */
export function formatStatements({ statements }: Query): string {
  return statements.map((one) => `${formatStatement(one)}\n`).join('')
}

function formatStatement(statement: Statement): string {
  switch (statement.kind) {
    case 'let-scalar':
      return `let ${formatName(statement.name.name)} = ${formatExpression(statement.value)};`
    case 'let-tabular':
      return `let ${formatName(statement.name.name)} = ${formatPipeline(statement.pipeline)};`
    case 'set': {
      const { name, value } = statement
      return `set ${name.name}${value === undefined ? '' : ` = ${formatExpression(value)}`};`
    }
    case 'declare':
      return `declare query_parameters (${statement.parameters.map(formatParameter).join(', ')});`
    case 'broken-statement':
      return ''
    default:
      return statement satisfies never
  }
}

function formatParameter({ name, type, value }: DeclaredParameter): string {
  const written = value === undefined ? '' : ` = ${formatExpression(value)}`
  return `${formatName(name.name)}:${type}${written}`
}

/** Formats a nested query on one line. */
function formatPipeline({ source, steps }: Pipeline): string {
  const operators = steps.filter((step) => step.kind !== 'broken')
  const start = source === undefined ? [] : [formatSource(source)]
  return [...start, ...operators.map(formatOperator)].join(' | ')
}

export const formatSource = byKind<Source, [], string>({
  dataset: ({ name }) => `[${quote(name)}]`,
  'dataset-pattern': formatPattern,
  datatable: ({ columns, values }) => {
    const written = columns.map(({ name, type }) => `${formatName(name.name)}:${type}`)
    return `datatable(${written.join(', ')})[${commas(values)}]`
  },
  file: ({ pattern }) => `file(${quote(pattern)})`,
  input: () => '',
  pipeline: ({ pipeline }) => `(${formatPipeline(pipeline)})`,
  print: ({ assignments }) => `print ${assignments.map(formatAssignment).join(', ')}`,
  table: ({ name }) => `table(${formatExpression(name)})`,
  union: formatUnion,
})

function formatUnion({ withSource, parts }: Union): string {
  const column = withSource === undefined ? '' : `withsource = ${formatName(withSource.name)} `
  return `union ${column}${parts.map(formatSource).join(', ')}`
}

/** Formats one step without its `|`. */
export const formatOperator = byKind<Operator, [], string>({
  as: ({ name }) => `as ${formatName(name.name)}`,
  count: () => 'count',
  distinct: ({ keys }) => `distinct ${commas(keys)}`,
  extend: formatAssigning,
  'extend-valid': formatAssigning,
  getschema: () => 'getschema',
  join: formatJoin,
  limit: ({ count }) => `limit ${formatExpression(count)}`,
  lookup: formatJoin,
  'make-series': ({ series, on, from, to, step, by }) =>
    words(
      'make-series',
      series
        .map((one) =>
          words(formatAssignment(one), one.default && `default=${formatExpression(one.default)}`),
        )
        .join(', '),
      `on ${within(on, PRECEDENCE.sum)}`,
      from && `from ${formatExpression(from)}`,
      to && `to ${formatExpression(to)}`,
      `step ${formatExpression(step)}`,
      formatBy(by),
    ),
  'mv-expand': ({ bags, index, items, limit }) =>
    words(
      'mv-expand',
      bags && 'kind=bag',
      index && `with_itemindex=${index.name}`,
      items
        .map((item) => words(formatAssignment(item), item.type && `to typeof(${item.type})`))
        .join(', '),
      limit && `limit ${formatExpression(limit)}`,
    ),
  parse: ({ dropsOthers, mode, flags, value, pattern }) =>
    words(
      dropsOthers ? 'parse-where' : 'parse',
      mode !== 'simple' && `kind=${mode}`,
      flags !== '' && `flags=${flags}`,
      `${formatExpression(value)} with`,
      ...pattern.map(formatPiece),
    ),
  'parse-kv': ({ value, keys, ...signs }) => {
    const settings = [
      `pair_delimiter=${quote(signs.pairDelimiter)}`,
      `kv_delimiter=${quote(signs.keyDelimiter)}`,
      ...(signs.quote === undefined ? [] : [`quote=${quote(signs.quote)}`]),
      ...(signs.escape === undefined ? [] : [`escape=${quote(signs.escape)}`]),
    ]
    const captures = keys.map(formatPiece).join(', ')
    return `parse-kv ${formatExpression(value)} as (${captures}) with (${settings.join(', ')})`
  },
  project: formatAssigning,
  'project-away': formatMatching,
  'project-keep': formatMatching,
  'project-rename': ({ renames }) => {
    const written = renames.map(
      ({ name, column }) => `${formatName(name.name)} = ${formatPattern(column)}`,
    )
    return `project-rename ${written.join(', ')}`
  },
  'project-reorder': ({ places }) => {
    const written = places.map(({ pattern, order }) => words(formatPattern(pattern), order))
    return `project-reorder ${written.join(', ')}`
  },
  redact: ({ cover, onlyGroups, regexes, on }) =>
    words(
      'redact',
      cover.kind === 'hash' ? 'replaceHash=true' : `replaceToken=${quote(cover.token)}`,
      onlyGroups && 'redactGroups=true',
      commas(regexes),
      on.length > 0 && `on ${on.map(formatPattern).join(', ')}`,
    ),
  reduce: ({ keepsRows, value, threshold }) =>
    words(
      'reduce',
      keepsRows && 'kind=source',
      `by ${formatExpression(value)}`,
      threshold && `with threshold=${formatExpression(threshold)}`,
    ),
  sample: ({ share }) => `sample ${formatExpression(share)}`,
  search: ({ caseSensitive, predicate }) =>
    words('search', caseSensitive && 'kind=case_sensitive', formatExpression(predicate)),
  sort: ({ keys }) => `sort by ${keys.map(formatKey).join(', ')}`,
  summarize: ({ aggregates, by }) =>
    words('summarize', aggregates.map(formatAssignment).join(', '), formatBy(by)),
  top: ({ count, key }) => `top ${formatExpression(count)} by ${formatKey(key)}`,
  union: formatUnion,
  where: ({ predicate }) => `where ${formatExpression(predicate)}`,
})

function formatAssigning({ kind, assignments }: Extend | Project): string {
  return `${kind} ${assignments.map(formatAssignment).join(', ')}`
}

function formatMatching({ kind, patterns }: ProjectMatching): string {
  return `${kind} ${patterns.map(formatPattern).join(', ')}`
}

function formatJoin({ kind, joinKind, right, conditions }: Join): string {
  return `${kind} kind = ${joinKind} ${formatSource(right)} on ${commas(conditions)}`
}

function formatBy(by: readonly Assignment[]): string | undefined {
  return by.length === 0 ? undefined : `by ${by.map(formatAssignment).join(', ')}`
}

function formatPiece(piece: PatternPiece): string {
  switch (piece.kind) {
    case 'text':
      return quote(piece.text)
    case 'gap':
      return '*'
    case 'capture':
      return `${formatName(piece.name.name)}:${piece.type}`
    default:
      return piece satisfies never
  }
}

/** Joins the parts of an operator that are present. */
function words(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter((part) => part !== false && part !== undefined && part !== '').join(' ')
}

function formatAssignment({ name, value }: Assignment): string {
  const written = formatExpression(value)
  return name === undefined ? written : `${formatName(name.name)} = ${written}`
}

function formatPattern({ pattern }: NamePattern): string {
  return pattern
    .split('*')
    .map((piece, i) => (piece === '' || (i > 0 && /^\d+$/.test(piece)) ? piece : formatName(piece)))
    .join('*')
}

function formatKey({ value, direction, nulls }: SortKey): string {
  return words(formatExpression(value), direction, nulls && `nulls ${nulls}`)
}

/** Formats an expression with the necessary parentheses. */
export const formatExpression: (expression: Expression) => string = byKind({
  between: ({ negated, value, low, high }) => {
    const range = `(${formatExpression(low)} .. ${formatExpression(high)})`
    return `${within(value, PRECEDENCE.sum)} ${negated ? '!between' : 'between'} ${range}`
  },
  binary: (binary) => {
    const { operator, left, right } = binary
    const own = precedenceOf(operator)
    if (operator === 'and' || operator === 'or') {
      // The parentheses of its balanced tree are not those of the query.
      const all = chainedBy(operator, binary)
      if (all.length > LONG_CHAIN) {
        return all.map((one) => within(one, own + 1)).join(` ${operator} `)
      }
    }
    // Comparisons cannot be chained, so a nested comparison needs parentheses on either side.
    const least = own === PRECEDENCE.comparison ? own + 1 : own
    return `${within(left, least)} ${operator} ${within(right, own + 1)}`
  },
  call: formatCall,
  index: ({ value, index }) => `${within(value, TIGHTEST)}[${formatExpression(index)}]`,
  literal: formatLiteral,
  member: ({ value, member: { name } }) => {
    const isPlain = formatName(name) === name && value.kind !== 'literal'
    return `${within(value, TIGHTEST)}${isPlain ? `.${name}` : `[${quote(name)}]`}`
  },
  membership: ({ operator, value, list }) =>
    `${within(value, PRECEDENCE.sum)} ${operator} (${commas(list)})`,
  name: ({ name }) => formatName(name),
  side: ({ side }) => `$${side}`,
  star: () => '*',
  subquery: ({ pipeline }) => formatPipeline(pipeline),
  unary: formatUnary,
})

function formatCall({ function: { name }, arguments: values, names }: Call): string {
  const written = values.map((value, i) => {
    const given = names?.get(i)
    return given
      ? `${formatName(given.name)} = ${formatExpression(value)}`
      : formatExpression(value)
  })
  return `${formatName(name)}(${written.join(', ')})`
}

const UNARY = PRECEDENCE.product + 1
const TIGHTEST = UNARY + 1

/** Formats an operand, in parentheses if it binds less tightly than `least`. */
function within(expression: Expression, least: number): string {
  const text = formatExpression(expression)
  return tightness(expression) < least ? `(${text})` : text
}

function tightness(expression: Expression): number {
  switch (expression.kind) {
    case 'binary':
      return precedenceOf(expression.operator)
    case 'membership':
    case 'between':
      return PRECEDENCE.comparison
    case 'unary':
      return UNARY
    case 'literal':
      // A negative literal binds like a unary minus.
      return isNegative(expression) ? UNARY : TIGHTEST
    default:
      return TIGHTEST
  }
}

function isNegative({ value }: Literal): boolean {
  return (
    (typeof value === 'bigint' || typeof value === 'number') && (value < 0 || Object.is(value, -0))
  )
}

function formatUnary({ operator, operand }: Unary): string {
  if (operator === 'not') return `not(${formatExpression(operand)})`
  // `-5` is a literal: a minus sign in front of digits would become part of it.
  const isNumber = operand.kind === 'literal' && typeof operand.value !== 'string'
  const text = within(operand, UNARY)
  return isNumber && !text.startsWith('(') ? `${operator}(${text})` : `${operator}${text}`
}

function formatLiteral({ type, value }: Literal): string {
  if (value === null) return type === 'dynamic' ? 'null' : `${type}(null)`
  return LITERAL_FORMATS[type](value)
}

const LITERAL_FORMATS: Readonly<Record<Type, (value: NonNullable<LiteralValue>) => string>> = {
  string: (value) => quote(String(value)),
  datetime: (value) => `datetime(${formatTimestamp(BigInt(value))})`,
  timespan: (value) => formatInOneUnit(BigInt(value)),
  dynamic: (value) => `dynamic(${value})`,
  real: (value) => formatReal(Number(value)),
  bool: String,
  int: String,
}

export function formatReal(value: number): string {
  const text = Object.is(value, -0) ? '-0' : String(value)
  return /[.e]/.test(text) ? text : `${text}.0`
}

/** Returns a name as a query writes it. */
export function formatName(name: string): string {
  const plain = /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) && !RESERVED.includes(name)
  return plain ? name : `[${quote(name)}]`
}

/** Words that are not parsed as a name. */
const RESERVED = [
  ...['and', 'or', 'not', 'by', 'true', 'false', 'null', 'NOT'],
  ...Object.keys(TYPE_WORDS),
]

function commas(expressions: readonly Expression[]): string {
  return expressions.map(formatExpression).join(', ')
}
