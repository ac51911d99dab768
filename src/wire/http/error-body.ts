import type { Problem } from '../../text/problem.js'
import { isJsonObject, type JsonObject, objectOf, parseJson } from '../json/json-object.js'
import {
  anything,
  count,
  listOfValid,
  object,
  optional,
  type ResponseShape,
  required,
  text,
} from '../shape/response.js'
import { named, type ValueOf } from '../shape/shape.js'

/** A problem of a query. Its span contains offsets into the text of the query. */
export const PROBLEM: ResponseShape<Problem> = object({
  code: required(text('A stable problem code.')),
  message: required(text()),
  span: required(
    object({
      start: required(count('The offset of the start in the query, in UTF-16 code units from 0.')),
      end: required(count('The offset of the end, exclusive.')),
    }),
  ),
  label: optional(text()),
  help: optional(text()),
})

const MEMBERS = {
  message: text(),
  detail: optional(
    object({
      errorType: optional(text()),
      compileErrorCode: optional(text()),
      line: optional(count()),
      column: optional(count()),
      message: optional(text()),
    }),
  ),
  problems: optional(listOfValid(named('Problem', PROBLEM), 'All problems of the query.')),
}

/** The body of an error response. Only the local service sends `problems`. */
export const ERROR_BODY = object({ code: anything({ type: ['integer', 'string'] }), ...MEMBERS })

export interface ErrorBody extends ValueOf<typeof ERROR_BODY> {
  readonly code: number | string
}

/** The maximum length of a message from a plain text: error pages of proxies can be long. */
const MAX_PLAIN_TEXT = 300

/** Decodes the body of an error response, which has the form of the local service, or `{error, message}`, or is plain text. */
export function decodeError(text: string, status: number): ErrorBody {
  const members = parseJson(text)
  if (!isJsonObject(members)) return { code: status, message: plainMessage(text, status) }
  const { detail, problems = [] } = ERROR_BODY.decode('it', members)
  return {
    code: codeOf(members, status),
    message:
      messageOf(members) ??
      textOf(detail?.message) ??
      `The service responded with status ${status}.`,
    detail,
    ...(problems.length > 0 && { problems }),
  }
}

function codeOf(members: JsonObject, status: number): number | string {
  const code = members.code ?? objectOf(members.error).code
  return typeof code === 'number' || (typeof code === 'string' && code !== '') ? code : status
}

/** Returns `message`, else `error`, which is a string or an object with a message. */
function messageOf(members: JsonObject): string | undefined {
  return textOf(members.message) ?? textOf(members.error) ?? textOf(objectOf(members.error).message)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** Returns the text of a page, without its title unless it has no other text: proxies repeat the title as a heading. */
function plainMessage(text: string, status: number): string {
  const plain = visibleText(text, 'style|script|title') || visibleText(text, 'style|script')
  if (plain === '') return `The service responded with status ${status} and no message.`
  return plain.length <= MAX_PLAIN_TEXT ? plain : `${plain.slice(0, MAX_PLAIN_TEXT)}…`
}

/** Returns the text outside some elements. Takes linear time for any page: an unclosed element extends to the end. */
function visibleText(page: string, omitted: 'style|script' | 'style|script|title'): string {
  return page
    .replace(new RegExp(`<(${omitted})\\b.*?(?:</\\1>|$)`, 'gis'), ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
