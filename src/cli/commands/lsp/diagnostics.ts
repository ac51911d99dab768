import { diagnose, type Field, sourcesOf } from '../../../apl/language.js'
import type { Problem } from '../../../text/problem.js'
import type { RemoteSchema } from './schema.js'

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
    const named = sourcesOf(text, { now }, { datasets }).datasets.filter((name) =>
      datasets.includes(name),
    )
    const fields = new Map(
      await Promise.all(
        named.map(async (name) => [name, (await schema.fields(name)) as readonly Field[]] as const),
      ),
    )
    return diagnose(text, { now, schema: { datasets, fields: (name) => fields.get(name) } })
  } catch {
    const nothing = { datasets: [], fields: () => undefined }
    return diagnose(text, { now, schema: nothing }).filter(({ code }) => !UNDECIDED.includes(code))
  }
}
