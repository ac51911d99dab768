import { APL_WORDS } from '../../../apl/language.js'
import { completionsOf } from '../../query/completion.js'
import type { RemoteSchema } from './schema.js'

/** A completion: the text to insert, and its kind. */
export interface Candidate {
  readonly text: string
  readonly kind: 'function' | 'word' | 'name'
  /** The number of characters in front of the cursor that the text replaces. */
  readonly replaces: number
}

/** Returns the completions at the end of a text. */
export async function candidatesAt(
  text: string,
  schema: RemoteSchema,
): Promise<readonly Candidate[]> {
  const names = {
    datasets: () => schema.datasets().catch(() => []),
    fields: async (dataset: string) => {
      const fields = await schema.fields(dataset).catch(() => [])
      return fields.map(({ name }) => name)
    },
  }
  const { candidates, written } = await completionsOf(text, { ...APL_WORDS, commands: [] }, names)
  return candidates.map((text) => ({ text, kind: kindOf(text), replaces: written.length }))
}

function kindOf(text: string): Candidate['kind'] {
  if (text.endsWith('(')) return 'function'
  return text.endsWith(' ') ? 'word' : 'name'
}
