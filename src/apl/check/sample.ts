import type { Sample } from '../ast.js'
import type { Constant } from '../checked.js'
import { badShare } from '../problems.js'
import type { Checked, Context, Scope } from './context.js'

/** `sample` is a filter that looks at no column. */
export function checkSample(sample: Sample, context: Context, scope: Scope): Checked {
  const { share } = sample
  const value = share.kind === 'literal' && /^(int|real)$/.test(share.type) ? share.value : null
  const probability = Number(value ?? 0)
  if (!(probability > 0 && probability <= 1)) {
    context.report(badShare(context.written(share.span)))
    return { operators: [], scope }
  }
  // Two draws of the same kind would be one to the engine: the number tells them apart.
  const draw: Constant = {
    kind: 'constant',
    type: 'int',
    value: BigInt(context.column('', 'int').id),
  }
  const kept: Constant = { kind: 'constant', type: 'real', value: probability }
  const predicate = {
    kind: 'invocation',
    type: 'bool',
    function: 'drawn',
    arguments: [kept, draw],
  } as const
  return { operators: [{ kind: 'where', predicate }], scope }
}
