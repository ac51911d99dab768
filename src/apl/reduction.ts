import { parse } from './syntax/parser.js'

/** The parts of a query with `reduce`, as text. */
export interface Reduction {
  /** The statements and steps before the operator, up to its `|`. */
  readonly before: string
  /** The value that is reduced. */
  readonly by: string
  /** The threshold as written; undefined without one. */
  readonly threshold?: string
  /** False when later steps follow. */
  readonly isLast: boolean
}

/** Returns the last `reduce` of a query; undefined if there is none, or if the query has syntax errors. */
export function reductionOf(text: string): Reduction | undefined {
  const written = parse(text)
  // A query over files begins with an operator.
  const { steps, problems } =
    written.problems.length === 0 ? written : parse(text, { hasInput: true })
  const at = steps.findLastIndex((step) => step.kind === 'reduce' && !step.keepsRows)
  const step = steps[at]
  if (problems.length > 0 || step?.kind !== 'reduce') return undefined
  const { span, value, threshold } = step
  return {
    before: text.slice(0, span.start),
    by: text.slice(value.span.start, value.span.end),
    threshold: threshold && text.slice(threshold.span.start, threshold.span.end),
    isLast: at === steps.length - 1,
  }
}
