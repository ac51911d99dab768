import { parseExactJson } from '../../../wire/json/exact-json.js'
import { isJsonObject, parseJson } from '../../../wire/json/json-object.js'
import { invalidRequest, type RefusedError } from '../../refused-error.js'

export interface Action {
  readonly name: ActionName
  readonly index?: string
  readonly id?: string
}

type ActionName = 'index' | 'create' | 'update' | 'delete'

const NAMES: readonly unknown[] = ['index', 'create', 'update', 'delete'] satisfies ActionName[]

/**
 * Parses the line of an action; `line` is its number. The action is the first member. Other members, such as the number of attempts
 * that winston-elasticsearch adds, are ignored, as in Elasticsearch 8. So are members of the action that have no meaning here, such
 * as `_type`, `pipeline` and `routing`. Throws a `RefusedError` when the line is malformed.
 */
export function parseAction(text: string, line: number): Action {
  const action = parseJson(text, parseExactJson)
  const [name] = isJsonObject(action) ? Object.keys(action) : []
  if (!isJsonObject(action) || !isActionName(name)) {
    throw malformedAction(line, 'an object with `index` or `create` expected')
  }
  const members = action[name]
  if (!isJsonObject(members)) throw malformedAction(line, `\`${name}\` must be an object`)
  const { _index: index, _id: id } = members
  return {
    name,
    ...(typeof index === 'string' && index !== '' && { index }),
    ...(['string', 'number', 'bigint'].includes(typeof id) && { id: String(id) }),
  }
}

/** The refusal of a request with a malformed action. The lines after it could be misread, so no event is stored. */
export function malformedAction(line: number, what: string): RefusedError {
  return invalidRequest(
    `Malformed action in line ${line}: ${what}. None of the events were stored.`,
  )
}

function isActionName(name: string | undefined): name is ActionName {
  return NAMES.includes(name)
}
