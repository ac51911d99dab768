import type { Problem } from '../../text/problem.js'
import type { Span } from '../../text/span.js'
import { MAX_DEPTH } from '../parse/cursor.js'
import { tooDeep, tooHeavy } from '../problem/syntax.js'
import type { CheckedExpression } from './checked.js'

/** So much may the values of a query weigh; to compile them takes about a second. */
const MAX_WEIGHT = 400_000
/** A constant is only written down; anything else is looked at several times on its way to SQL. */
const CONSTANT = 1
const COMPUTED = 4
/** Letters that weigh as much as a constant. */
const LETTERS = 1_024

/** Checks may turn what is written into a few levels more than it shows. */
const MAX_HEIGHT = 2 * MAX_DEPTH

interface Size {
  readonly weight: number
  readonly height: number
}

/**
 * How much there is to compile: each part counted as often as it stands there. A name that a statement gave is one
 * object wherever it is used, so a short text can stand for a tree without end.
 */
export class QueryComplexity {
  private readonly sizes = new WeakMap<CheckedExpression, Size>()
  private isOver = false
  /** What the expressions that were checked so far weigh. */
  weight = 0

  /** Adds an expression, of which `counted` has been added on the way; returns the problem when it is the one too many. */
  add(node: CheckedExpression, counted: number, span: Span): Problem | undefined {
    const { weight, height } = this.sizeOf(node)
    this.weight += Math.max(weight - counted, 0)
    if (this.isOver || (this.weight <= MAX_WEIGHT && height <= MAX_HEIGHT)) return undefined
    this.isOver = true
    return height > MAX_HEIGHT ? tooDeep(span) : tooHeavy(span)
  }

  private sizeOf(node: CheckedExpression): Size {
    const known = this.sizes.get(node)
    if (known !== undefined) return known
    let weight = ownWeight(node)
    let height = 0
    for (const part of partsOf(node)) {
      const size = this.sizeOf(part)
      weight += size.weight
      height = Math.max(height, size.height)
    }
    const size = { weight, height: height + 1 }
    this.sizes.set(node, size)
    return size
  }
}

function ownWeight(node: CheckedExpression): number {
  if (node.kind !== 'constant') return COMPUTED
  return typeof node.value === 'string' ? CONSTANT + node.value.length / LETTERS : CONSTANT
}

/** The pipeline of a query within the query is counted when it is checked itself. */
function partsOf(node: CheckedExpression): readonly CheckedExpression[] {
  switch (node.kind) {
    case 'constant':
    case 'reference':
    case 'subquery':
      return []
    case 'path':
      return [node.value, node.key]
    case 'invocation':
    case 'aggregate':
      return node.arguments
    default:
      return node satisfies never
  }
}
