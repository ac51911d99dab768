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
  switch (expression.kind) {
    case 'literal':
      return constantOf(expression.type, expression.value)
    case 'name':
    case 'member':
    case 'index':
      return checkPath(expression, site)
    case 'call':
      return checkCall(expression, site)
    case 'unary':
      return checkUnary(expression, site)
    case 'binary':
      return checkBinary(expression, site)
    case 'membership':
      return checkMembership(expression, site)
    case 'between':
      return checkBetween(expression, site)
    case 'star':
      return site.context.refuse(starHere(expression.span))
    case 'subquery':
      return checkSubquery(expression, site)
    case 'side':
      return site.context.refuse(sideHere(expression.span, expression.side))
    default:
      return expression satisfies never
  }
}
