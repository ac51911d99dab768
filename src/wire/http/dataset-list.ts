import { MalformedAnswerError } from './malformed-response.js'
import { answerJson } from './tabular-json.js'

/** The names in an answer of `GET /v1/datasets`: a list of records, of which only the name matters here. */
export function decodeDatasetNames(text: string): readonly string[] {
  const value = answerJson(text)
  if (!Array.isArray(value)) throw new MalformedAnswerError('it is no list of datasets')
  return value.flatMap((record: { readonly name?: unknown } | null) =>
    typeof record?.name === 'string' ? [record.name] : [],
  )
}
