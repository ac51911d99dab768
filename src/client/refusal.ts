import type { Problem } from '../text/problem.js'
import { HEADER } from '../wire/header.js'
import type { Answer, Outgoing } from './connection.js'
import { ApiError } from './error.js'

/** Lets a 2xx answer pass; throws what any other one says. */
export function accepted(request: Outgoing, answer: Answer): Answer {
  if (answer.status >= 200 && answer.status < 300) return answer
  const { method } = request
  const { url, status, headers } = answer
  const requestId = headers[HEADER.traceId] ?? headers['x-request-id']
  throw new ApiError({ method, url, status, requestId, ...said(answer) })
}

interface Said {
  readonly code: string
  readonly message: string
  readonly problems?: readonly Problem[]
}

/** What a refusal's body says: the interface's shape, the others that deployments are known for, or plain text. */
function said({ status, body, headers }: Answer): Said {
  const text = body.toString('utf8').trim()
  const object = parsedObject(text)
  if (object === undefined) {
    return { code: String(status), message: plainText(text, headers) ?? describe(status, headers) }
  }
  const { code, message, error, problems } = object
  const words = [message, error].find(isText) ?? describe(status, headers)
  return {
    code: isText(code) || typeof code === 'number' ? String(code) : String(status),
    message: words,
    ...(Array.isArray(problems) && { problems: problems.filter(isProblem) }),
  }
}

function parsedObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** A body that is a sentence, not a page that some proxy put in between. */
function plainText(text: string, headers: Answer['headers']): string | undefined {
  const isPage = text.startsWith('<') || headers['content-type']?.includes('html')
  return text === '' || isPage ? undefined : text.slice(0, 1000)
}

function describe(status: number, headers: Answer['headers']): string {
  if (status >= 300 && status < 400) return `moved to ${headers.location ?? 'an unnamed address'}`
  return `status ${status} without an explanation`
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false
  const { code, message, span } = value as Partial<Problem>
  return isText(code) && isText(message) && typeof span?.start === 'number'
}
