import type { Problem } from '../text/problem.js'

/** Problems as an excerpt of the query with carets, a blank line between them; ends with a newline. */
export function renderProblems(
  text: string,
  problems: readonly Problem[],
  options: { readonly color: boolean },
): string {
  throw new Error(`not yet: ${text.length} ${problems.length} ${options.color}`)
}
