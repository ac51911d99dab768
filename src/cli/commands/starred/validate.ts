import { closest } from '../../../text/suggest.js'
import type { StarredQuery } from '../../../wire/http/starred.js'
import { isJsonObject } from '../../../wire/json/json-object.js'
import { UsageError } from '../../error/usage-error.js'
import type { StarredDraft } from './edit.js'

const MEMBERS = ['dataset', 'kind', 'metadata', 'name', 'query', 'who']

/** The required members of a saved query, with the flags that set them. */
const REQUIRED: readonly (readonly [name: string, flag: string])[] = [
  ['name', '`--name`'],
  ['who', '`--who` (an id, `team`, `all` or `user`)'],
]

/** Returns a draft as a record that can be sent. Throws a `UsageError` with everything that is wrong with it. */
export function validate(draft: StarredDraft): StarredQuery {
  const wrong = [...problems(draft)]
  if (wrong.length === 0) return draft as unknown as StarredQuery
  throw new UsageError(wrong.join(' '))
}

function* problems(draft: StarredDraft): Generator<string> {
  for (const name of Object.keys(draft).filter((key) => !MEMBERS.includes(key))) {
    const near = closest(name, MEMBERS)
    const help = near === undefined ? '' : ` Did you mean \`${near}\`?`
    yield `Unknown member \`${name}\` in the record.${help}`
  }
  for (const [name, flag] of REQUIRED) yield* stringProblem(draft, name, flag)
  if (draft.kind !== 'apl') yield '`kind` must be `apl`.'
  const { dataset, metadata, query } = draft
  if (dataset !== undefined && typeof dataset !== 'string') yield '`dataset` is not a string.'
  if (!isJsonObject(metadata)) {
    yield metadata === undefined
      ? 'The record has no `metadata`, which may be `{}`. `--meta k=v` sets it.'
      : '`metadata` is not an object.'
  } else {
    const odd = Object.entries(metadata).find(([, value]) => typeof value !== 'string')
    if (odd !== undefined) yield `\`metadata.${odd[0]}\` is not a string.`
  }
  if (query === undefined) yield 'The record has no `query`. `--apl` sets it.'
  else if (!isJsonObject(query))
    yield '`query` is not an object with the text of the query as `apl`.'
  else yield* stringProblem(query, 'apl', '`--apl`')
}

function* stringProblem(members: StarredDraft, name: string, flag: string): Generator<string> {
  const value = members[name]
  if (value === undefined || value === null || value === '') {
    yield `The record has no \`${name}\`. ${flag} sets it.`
  } else if (typeof value !== 'string') {
    yield `\`${name}\` is not a string.`
  }
}
