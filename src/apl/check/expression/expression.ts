import { byKind } from '../../../text/by-kind.js'
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
export const checkExpressionKind = byKind<Expression, [Site], CheckedExpression>({
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
})
