import type { Problem } from '../../text/problem.js'
import { isJsonObject, type JsonObject } from '../json/json-object.js'

/** The body of an error response. */
export interface ErrorBody {
  readonly code: number | string
  readonly message: string
  readonly detail?: {
    readonly errorType?: string
    readonly compileErrorCode?: string
    readonly line?: number
    readonly column?: number
    readonly message?: string
  }
  /** From the local service: all problems of the query, as offsets into its text. */
  readonly problems?: readonly Problem[]
}

/** Error pages of proxies can be long; the beginning suffices. */
const MAX_PLAIN_TEXT = 300

/** Decodes the body of an error response: that of the local service, `{error, message}`, or plain text. */
export function decodeError(text: string, status: number): ErrorBody {
  const members = parseObject(text)
  if (members === undefined) return { code: status, message: plainMessage(text, status) }
  const detail = objectOf(members.detail)
  const problems = problemsOf(members.problems)
  return {
    code: codeOf(members, status),
    message:
      messageOf(members) ??
      textOf(detail?.message) ??
      `The service responded with status ${status}.`,
    ...(detail === undefined ? {} : { detail: detailOf(detail) }),
    ...(problems.length === 0 ? {} : { problems }),
  }
}

function parseObject(text: string): JsonObject | undefined {
  try {
    return objectOf(JSON.parse(text))
  } catch {
    return undefined
  }
}

function objectOf(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined
}

function codeOf(members: JsonObject, status: number): number | string {
  const code = members.code ?? objectOf(members.error)?.code
  return typeof code === 'number' || (typeof code === 'string' && code !== '') ? code : status
}

/** Returns `message`, else `error`, which is a string or an object with a message. */
function messageOf(members: JsonObject): string | undefined {
  return (
    textOf(members.message) ?? textOf(members.error) ?? textOf(objectOf(members.error)?.message)
  )
}

function detailOf(detail: JsonObject): NonNullable<ErrorBody['detail']> {
  const { errorType, compileErrorCode, line, column, message } = detail
  return {
    ...(typeof errorType === 'string' ? { errorType } : {}),
    ...(typeof compileErrorCode === 'string' ? { compileErrorCode } : {}),
    ...(typeof line === 'number' ? { line } : {}),
    ...(typeof column === 'number' ? { column } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  }
}

function problemsOf(value: unknown): readonly Problem[] {
  return Array.isArray(value) ? value.flatMap(problemOf) : []
}

function problemOf(value: unknown): readonly Problem[] {
  const members = objectOf(value)
  const span = objectOf(members?.span)
  const { code, message, label, help } = members ?? {}
  if (typeof code !== 'string' || typeof message !== 'string') return []
  if (typeof span?.start !== 'number' || typeof span.end !== 'number') return []
  return [
    {
      code,
      message,
      span: { start: span.start, end: span.end },
      ...(typeof label === 'string' ? { label } : {}),
      ...(typeof help === 'string' ? { help } : {}),
    },
  ]
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

function plainMessage(text: string, status: number): string {
  const plain = text
    .replace(/<(style|script)\b.*?<\/\1>/gis, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  if (plain === '') return `The service responded with status ${status} and no message.`
  return plain.length <= MAX_PLAIN_TEXT ? plain : `${plain.slice(0, MAX_PLAIN_TEXT)}…`
}
