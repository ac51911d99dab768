import type { Expression } from '../../apl/syntax/ast.js'
import { parse } from '../../apl/syntax/parser.js'
import type { VirtualField } from '../../wire/http/legacy.js'
import { RefusedError } from '../refused-error.js'

const BEFORE = 'print '

/**
 * Parses the expression of a virtual field as the only value of a `print`, and returns it as a tree, so that
 * its text cannot inject operators into the query.
 */
export function virtualExpression({ alias, expr }: VirtualField): Expression {
  const { statements, source, steps, problems } = parse(`${BEFORE}${expr}`)
  const isOne = statements.length === 0 && steps.length === 0 && source?.kind === 'print'
  const [only] = isOne && source.assignments.length === 1 ? source.assignments : []
  const [problem] = problems
  if (problem !== undefined || only === undefined || only.name !== undefined) {
    const why = problem?.message ?? 'It must be one APL expression, as in `duration / 1000`.'
    throw new RefusedError(
      'invalid-query',
      `The \`expr\` of the virtual field \`${alias}\` does not compile. ${why}`,
    )
  }
  return only.value
}
