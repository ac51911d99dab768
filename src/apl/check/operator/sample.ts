import { badShare } from '../../problem/operator.js'
import type { Sample } from '../../syntax/ast.js'
import type { CheckedExpression, Constant } from '../checked.js'
import type { Checked, Context } from '../context.js'
import { intConstant, invoke } from '../expression/invoke.js'
import { checkExpression } from '../recursion.js'
import type { Scope } from '../scope.js'

/** `sample` is a filter that looks at no column. */
export function checkSample(sample: Sample, context: Context, scope: Scope): Checked {
  const site = { context, scope, operator: 'sample', aggregates: 'none' } as const
  const value = checkExpression(sample.share, site)
  if (value === undefined) return { operators: [], scope }
  const share = shareOf(value)
  if (share === undefined) {
    context.report(badShare(context.written(sample.share.span)))
    return { operators: [], scope }
  }
  // Two draws of the same kind would be one to the engine: the number tells them apart.
  const predicate = invoke('drawn', 'bool', [share, intConstant(context.nextId())])
  return { operators: [{ kind: 'where', predicate }], scope }
}

function shareOf(value: CheckedExpression): Constant | undefined {
  if (value.kind !== 'constant' || !/^(?:int|real)$/.test(value.type)) return undefined
  const share = Number(value.value ?? 0)
  return share > 0 && share <= 1 ? { kind: 'constant', type: 'real', value: share } : undefined
}
