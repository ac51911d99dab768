import { analyze } from '../apl/analyze.js'
import type { Environment } from '../apl/environment.js'
import { formatQuery } from '../apl/format.js'
import { parse, queryOf } from '../apl/parser.js'
import type { Problem } from '../text/problem.js'

/** What can be told of a query whose datasets are not at hand. */
type ReadApl = { readonly apl: string } | { readonly problems: readonly Problem[] }

/** What only the deployment can say: which datasets there are, and which time is asked about. */
const OPEN: readonly string[] = ['unknown-dataset', 'no-range']

/**
 * Checks all of a query but its names: behind a dataset that nobody knows, any field may be there.
 * Needs no service.
 */
export function readApl(text: string, known: Omit<Environment, 'schema'>): ReadApl {
  const nothing = { datasets: [], fields: () => undefined }
  const analyzed = analyze(text, { ...known, schema: nothing })
  const found = 'problems' in analyzed ? analyzed.problems : []
  const problems = found.filter(({ code }) => !OPEN.includes(code))
  const tree = queryOf(parse(text))
  return problems.length > 0 || tree === undefined ? { problems } : { apl: formatQuery(tree) }
}
