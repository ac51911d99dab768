import { reduceThreshold } from '../../problem/operator.js'
import type { Reduce } from '../../syntax/ast.js'
import type { CheckedStep, Site } from '../context.js'
import { numberOf } from '../expression/constant.js'
import { invoke } from '../expression/invoke.js'
import { checkExpression } from '../recursion.js'
import { extendedBy } from './extend.js'

/** The default of `threshold`: one row in 1,000. */
const THRESHOLD = 0.001

/**
 * Checks `reduce`, which returns a row for each pattern. `kind=source` keeps the rows and adds a column `pattern`: without a
 * threshold the pattern of the message itself, with a threshold the pattern under which `reduce` counts the message.
 */
export function checkReduce(reduce: Reduce, site: Site): CheckedStep {
  const { context, scope } = site
  const value = context.attempt(() => checkExpression(reduce.value, site))
  const threshold = context.attempt(() => thresholdOf(reduce, site))
  const pattern = context.column('pattern', 'string')
  if (reduce.keepsRows) {
    const extended = scope.extendedBy([pattern])
    if (value === undefined || threshold === undefined) return { operators: [], scope: extended }
    if (reduce.threshold !== undefined) {
      const named = { kind: 'patterns', value, threshold, column: pattern } as const
      return { operators: [named], scope: extended }
    }
    const computed = { column: pattern, value: invoke('pattern', 'string', [value]) }
    return extendedBy([computed], scope)
  }
  const columns = {
    pattern,
    count: context.column('count_', 'int'),
    share: context.column('share', 'real'),
    example: context.column('example', 'string'),
  }
  const { count, share, example } = columns
  const after = scope.replaced([pattern, count, share, example])
  if (value === undefined || threshold === undefined) return { operators: [], scope: after }
  return { operators: [{ kind: 'reduce', value, threshold, columns }], scope: after }
}

function thresholdOf({ threshold: written }: Reduce, site: Site): number {
  if (written === undefined) return THRESHOLD
  const share = numberOf(checkExpression(written, site))
  if (share !== undefined && share >= 0 && share <= 1) return share
  return site.context.refuse(reduceThreshold(written.span))
}
