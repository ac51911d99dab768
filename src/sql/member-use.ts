import { AGGREGATES } from '../apl/aggregate/aggregates.js'
import { type CheckedExpression, type CheckedOperator, partsOf } from '../apl/check/checked.js'
import { FUNCTIONS, type FunctionName, isFunctionName } from '../apl/function/functions.js'
import { TEXT_TESTS } from '../apl/syntax/ast.js'
import type { Type } from '../apl/type.js'
import type { LastUse } from './last-use.js'
import { valuesOf } from './walk.js'

interface Use {
  /**
   * The type that a value is converted to wherever it is used. With `string`, only the result of `tostring` is used: a number need not
   * differ from a string of its digits.
   */
  readonly as: Type
  /** True when members of a value are used. */
  readonly hasMembers: boolean
}

/** The members of objects that operators use, by key. */
export type UsedMembers = ReadonlyMap<string, Use>

interface Place {
  readonly operators: readonly CheckedOperator[]
  readonly step: number
  readonly uses: LastUse
}

/** More members than this are not read one by one. */
const MANY = 32

/** The keys that are the same in a type of the engine, in JSON text without escapes, and, except for dots, in a regular expression. */
const PLAIN_KEY = /^[A-Za-z_]\w*(?:[.-]\w+)*$/

/**
 * Returns the members of a column's values that the operators after a step use. When they use whole values or keys that are not plain,
 * returns the type that whole values are converted to, or `dynamic`.
 */
export function usedMembers(column: number, { operators, step, uses }: Place): UsedMembers | Type {
  const last = uses.get(column) ?? -1
  if (last >= operators.length) return 'dynamic'
  let whole: Type | undefined
  const members = new Map<string, Use>()
  for (const operator of operators.slice(step + 1, last + 1)) {
    const open = needed(operator, uses).map((node) => ({
      node,
      as: 'dynamic' as Type,
      isWithin: false,
    }))
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { node, as, isWithin } = next
      const key = keyOf(column, node)
      if (key !== undefined) {
        const known = members.get(key)
        members.set(key, {
          as: (known?.as ?? as) === as ? as : 'dynamic',
          hasMembers: isWithin || known?.hasMembers === true,
        })
      } else if (node.kind === 'reference' && node.column === column) {
        whole = (whole ?? as) === as ? as : 'dynamic'
      } else {
        for (const [i, part] of partsOf(node).entries()) {
          open.push({
            node: part,
            as: operandType(node, i),
            isWithin: node.kind === 'path' && i === 0,
          })
        }
      }
    }
  }
  if (whole !== undefined) return members.size === 0 ? whole : 'dynamic'
  return members.size > MANY ? 'dynamic' : members
}

function needed(operator: CheckedOperator, uses: LastUse): readonly CheckedExpression[] {
  if (operator.kind !== 'extend') return valuesOf(operator)
  return operator.computed.flatMap(({ column, value }) => (uses.has(column.id) ? [value] : []))
}

/** Returns the key of a member of a column's value; undefined for other expressions. */
function keyOf(column: number, node: CheckedExpression): string | undefined {
  if (node.kind !== 'path' || node.value.kind !== 'reference') return undefined
  const { value, key } = node
  if (value.column !== column || key.kind !== 'constant') return undefined
  return typeof key.value === 'string' && PLAIN_KEY.test(key.value) ? key.value : undefined
}

const COMPARISONS = new Set<string>('== != < <= > >= between !between in !in in~ !in~'.split(' '))

/** The operators that convert their operands to strings. */
const STRING_TESTS = new Set<string>([
  ...TEXT_TESTS.flatMap((test) => [test, `!${test}`, `${test}_cs`, `!${test}_cs`]),
  ...['=~', '!~', 'matches regex', '!matches regex'],
])

const ARITHMETIC = new Set<string>(['+', '-', '*', '/', '%'])

const CONVERSIONS: Readonly<Record<string, Type>> = {
  tostring: 'string',
  toint: 'int',
  todouble: 'real',
  tobool: 'bool',
  todatetime: 'datetime',
}

/** Returns the type that an operand is converted to, and `string` for a real number, which is read from a string in the same way. */
function operandType(node: CheckedExpression, i: number): Type {
  if (node.kind !== 'invocation' && node.kind !== 'aggregate') return 'dynamic'
  const { function: name, arguments: operands, type } = node
  if (node.kind === 'invocation' && !isFunctionName(name)) {
    if (ARITHMETIC.has(name)) return type === 'real' ? 'string' : 'dynamic'
    const isLiteral = () => i === 0 && operands.slice(1).every(isPlainLiteral)
    const isText = COMPARISONS.has(name) ? isLiteral() : STRING_TESTS.has(name)
    return isText ? 'string' : 'dynamic'
  }
  if (CONVERSIONS[name] !== undefined) return CONVERSIONS[name]
  const { parameters } =
    node.kind === 'aggregate' ? AGGREGATES[node.function] : FUNCTIONS[name as FunctionName]
  const { accepts } = parameters[Math.min(i, parameters.length - 1)]!
  if (accepts.includes('dynamic')) return 'dynamic'
  if (accepts.includes('string')) return accepts.length === 1 ? 'string' : 'dynamic'
  return accepts.includes('real') ? 'string' : (accepts[0] ?? 'dynamic')
}

function isPlainLiteral(node: CheckedExpression): boolean {
  if (node.kind !== 'constant' || node.value === null) return false
  return node.type === 'string' || node.type === 'int' || node.type === 'real'
}
