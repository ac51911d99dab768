import type { Expression } from '../../apl/syntax/ast.js'
import { parse } from '../../apl/syntax/parser.js'
import type { VirtualField } from '../../wire/http/legacy.js'
import { RefusedError } from '../refused-error.js'

const BEFORE = 'print '

/**
 * The expression of a virtual field. It is read in the place of the only value of a `print`, and is
 * taken as a tree: whatever else its text holds can't become a step of the query.
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
