import { diagnose, type Field } from '../../../apl/language.js'
import type { Problem } from '../../../text/problem.js'
import type { RemoteSchema } from './schema.js'
import { fieldsOfQuery } from './schema.js'

/** Problems that can't be found without the schema. */
const UNDECIDED: readonly string[] = ['unknown-dataset', 'unknown-field']

/** Returns the problems of a query; only the problems that need no schema when the deployment does not respond. */
export async function problemsOf(
  text: string,
  schema: RemoteSchema,
  now: bigint,
): Promise<readonly Problem[]> {
  if (text.trim() === '') return []
  try {
    const datasets = await schema.datasets()
    const all = await fieldsOfQuery(text, schema, now)
    const fields = (name: string) => all.get(name) as readonly Field[] | undefined
    return diagnose(text, { now, schema: { datasets, fields } })
  } catch {
    const nothing = { datasets: [], fields: () => undefined }
    return diagnose(text, { now, schema: nothing }).filter(({ code }) => !UNDECIDED.includes(code))
  }
}
