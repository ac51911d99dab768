import type { Problem } from '../../text/problem.js'
import type { Span } from '../../text/span.js'
import { MAX_DEPTH } from '../parse/cursor.js'
import { tooDeep, tooHeavy } from '../problem/syntax.js'
import { type CheckedExpression, partsOf } from './checked.js'

/** The maximum total weight of a query's expressions, which compile in about a second. */
const MAX_WEIGHT = 400_000
/** The weight of a constant, which is only printed; other nodes are visited several times during compilation. */
const CONSTANT = 1
const COMPUTED = 4
/** This many characters of a string weigh as much as a constant. */
const LETTERS = 1_024

/** The maximum depth. The checks may add levels that the query text does not have. */
const MAX_HEIGHT = 2 * MAX_DEPTH

interface Size {
  readonly weight: number
  readonly height: number
}

/**
 * The complexity of a query: the weight of all expressions, shared ones counted at each use. A name defined by a
 * statement is one object wherever it is used, so a short query can expand to an enormous tree.
 */
export class QueryComplexity {
  private readonly sizes = new WeakMap<CheckedExpression, Size>()
  private isOver = false
  /** The total weight of the expressions checked so far. */
  weight = 0

  /** Adds an expression; `counted` is the weight of its parts already added. Returns a problem when a limit is first exceeded. */
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
    // The pipeline of a subquery is counted when it is checked itself.
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
