import { starHere } from '../../problem/argument.js'
import { sideHere } from '../../problem/name.js'
import type { Expression } from '../../syntax/ast.js'
import type { CheckedExpression } from '../checked.js'
import type { Site } from '../context.js'
import { checkCall } from './call.js'
import { constantOf } from './constant.js'
import { checkMembership, checkSubquery } from './membership.js'
import { checkBetween, checkBinary, checkUnary } from './operation.js'
import { checkPath } from './path.js'

/** Checks an expression by its kind. Called through `checkExpression`, which limits the complexity of the query. */
export function checkExpressionKind(expression: Expression, site: Site): CheckedExpression {
  const check = CHECKS[expression.kind] as typeof checkExpressionKind
  return check(expression, site)
}

const CHECKS: {
  readonly [Kind in Expression['kind']]: (
    expression: Expression & { readonly kind: Kind },
    site: Site,
  ) => CheckedExpression
} = {
  between: checkBetween,
  binary: checkBinary,
  call: checkCall,
  index: checkPath,
  literal: ({ type, value }) => constantOf(type, value),
  member: checkPath,
  membership: checkMembership,
  name: checkPath,
  side: ({ span, side }, { context }) => context.refuse(sideHere(span, side)),
  star: ({ span }, { context }) => context.refuse(starHere(span)),
  subquery: checkSubquery,
  unary: checkUnary,
}
