import {
  type CheckedExpression,
  type CheckedOperator,
  type Invocation,
  partsOf,
} from '../apl/check/checked.js'
import { FUNCTIONS, isFunctionName } from '../apl/function/functions.js'
import { TEXT_TESTS } from '../apl/syntax/ast.js'
import type { LastUse } from './last-use.js'
import { valuesOf } from './walk.js'

interface Use {
  /** True when only the string of a value is used, as `tostring` returns it: a number need not differ from a string of its digits. */
  readonly isText: boolean
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
 * Returns the members of a column's values that the operators after a step use; undefined when they use whole values or keys that are
 * not plain.
 */
export function usedMembers(
  column: number,
  { operators, step, uses }: Place,
): UsedMembers | undefined {
  const last = uses.get(column) ?? -1
  if (last >= operators.length) return undefined
  const members = new Map<string, Use>()
  for (const operator of operators.slice(step + 1, last + 1)) {
    const open = needed(operator, uses).map((node) => ({
      node,
      isText: false,
      isWithin: false,
    }))
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { node, isText, isWithin } = next
      const key = keyOf(column, node)
      if (key !== undefined) {
        const known = members.get(key)
        members.set(key, {
          isText: isText && known?.isText !== false,
          hasMembers: isWithin || known?.hasMembers === true,
        })
      } else if (node.kind === 'reference' && node.column === column) return undefined
      else {
        const { kind } = node
        for (const [i, part] of partsOf(node).entries()) {
          const isOperand = kind === 'invocation' && isTextOperand(node, i)
          open.push({ node: part, isText: isOperand, isWithin: kind === 'path' && i === 0 })
        }
      }
    }
  }
  return members.size > MANY ? undefined : members
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

/** True for an operand that is converted to a string, whatever its value is. */
function isTextOperand({ function: name, arguments: operands }: Invocation, i: number): boolean {
  if (COMPARISONS.has(name)) return i === 0 && operands.slice(1).every(isPlainLiteral)
  if (!isFunctionName(name)) return STRING_TESTS.has(name)
  const { parameters } = FUNCTIONS[name]
  const accepts = parameters[Math.min(i, parameters.length - 1)]?.accepts
  return name === 'tostring' || (accepts?.length === 1 && accepts[0] === 'string')
}

function isPlainLiteral(node: CheckedExpression): boolean {
  if (node.kind !== 'constant' || node.value === null) return false
  return node.type === 'string' || node.type === 'int' || node.type === 'real'
}
