import { noColumnsLeft } from '../../problem/group.js'
import type { Subquery } from '../../syntax/ast.js'
import type { CheckedSubquery } from '../checked.js'
import type { Site } from '../context.js'
import { pipelineOf, UNKNOWN } from '../flow.js'
import { checkFlow } from '../recursion.js'

/** The first column of a query. Columns of the query around it mean nothing in it. */
export function checkSubquery(
  { pipeline, span }: Subquery,
  { context }: Site,
): CheckedSubquery | undefined {
  const flow = context.within(span, () => checkFlow(pipeline, context)) ?? UNKNOWN
  const first = flow.scope.first()
  if (flow.source === undefined || flow.scope.open) return undefined
  if (first === undefined) return context.report(noColumnsLeft(span))
  const checked = pipelineOf(flow, [first])
  return checked && { kind: 'subquery', type: first.type, pipeline: checked }
}
