import type { Problem } from '../../text/problem.js'

/** A query with problems that this program found before sending it. */
export class ProblemsError extends Error {
  override readonly name = 'ProblemsError'
  readonly apl: string
  readonly problems: readonly Problem[]

  constructor(apl: string, problems: readonly Problem[]) {
    super(problems[0]?.message ?? 'The query does not compile.')
    this.apl = apl
    this.problems = problems
  }
}
