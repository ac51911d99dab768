// Only this file turns errors into exit codes and into what is said about them.

import { ApiError, NetworkError } from '../../client/error.js'
import { PagingError } from '../../client/pages/error.js'
import { escapeControls } from '../../render/escape-controls.js'
import { renderProblems } from '../../render/problem.js'
import { DescribedError } from '../../text/described-error.js'
import type { Problem } from '../../text/problem.js'
import { wrapText } from '../../text/wrap.js'
import { MalformedResponseError } from '../../wire/http/malformed-response.js'
import { QueryError } from '../commands/query/error.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import { CommandError } from './command-error.js'
import { ProblemsError } from './problems-error.js'
import { systemErrorMessage } from './system-error.js'
import { UsageError } from './usage-error.js'

/** What a failed command says and ends with. */
interface Failure {
  readonly exitCode: ExitCode
  /** One word for programs. */
  readonly code: string
  readonly message: string
  readonly hint?: string
  readonly requestId?: string | undefined
  /** What is wrong with the query, and the query it is wrong with. */
  readonly query?: { readonly apl: string; readonly problems: readonly Problem[] }
}

/** What an error means to whoever typed the command. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CommandError) {
    const code = error instanceof UsageError ? 'usage' : 'failed'
    return { exitCode: error.exitCode, code, message: error.message }
  }
  if (error instanceof QueryError) return failureOfQuery(error)
  if (error instanceof ProblemsError) {
    const { apl, problems, message } = error
    return {
      exitCode: EXIT.usage,
      code: problems[0]?.code ?? 'usage',
      message,
      query: { apl, problems },
    }
  }
  if (error instanceof ApiError) return failureOfApi(error)
  if (error instanceof NetworkError) {
    return { exitCode: EXIT.failed, code: error.failure, message: error.message }
  }
  if (error instanceof PagingError) {
    return { exitCode: EXIT.failed, code: 'paging', message: error.message }
  }
  if (!(error instanceof Error)) return internalFailure(String(error))
  if (error instanceof MalformedResponseError) {
    const hint = 'Is this the address of the service, and not of something in front of it?'
    return { exitCode: EXIT.failed, code: 'malformed-answer', message: error.message, hint }
  }
  if (error instanceof DescribedError) {
    return { exitCode: EXIT.failed, code: 'local-service', message: error.message }
  }
  return failureOfSystem(error) ?? internalFailure(error.message)
}

function failureOfQuery({ apl, refusal, problems }: QueryError): Failure {
  if (problems.length > 0) {
    const { code } = problems[0]!
    return { ...failureOfApi(refusal), exitCode: EXIT.usage, code, query: { apl, problems } }
  }
  // Everything else in the request is made by this program, so what is refused is the query's text.
  const isAboutText = refusal.status === 400 || refusal.status === 422
  return { ...failureOfApi(refusal), ...(isAboutText && { exitCode: EXIT.usage }) }
}

function failureOfApi(error: ApiError): Failure {
  const { status, code, message, requestId } = error
  const failure = { exitCode: EXIT.failed, code, message, requestId }
  switch (status) {
    case 401:
    case 403:
      return {
        ...failure,
        exitCode: EXIT.denied,
        hint: denialHint(error),
      }
    case 404: {
      const hint = absenceHint(error)
      return hint === undefined ? failure : { ...failure, hint }
    }
    case 429:
    case 430:
      return { ...failure, hint: 'It answers again when its limit is reset.' }
    default:
      return failure
  }
}

/** What is asked for by its name or id is in a list. */
function absenceHint({ url }: ApiError): string | undefined {
  const { pathname } = new URL(url)
  if (/\/apl-starred-queries\/[^/]+$/.test(pathname)) return '`evq starred list` tells the ids.'
  const isDataset = /\/datasets\/[^/_][^/]*(?:\/info|\/trim)?$/.test(pathname)
  return isDataset ? '`evq dataset list` tells the names.' : undefined
}

function denialHint({ url, credential }: ApiError): string {
  const { host } = new URL(url)
  return credential === undefined
    ? `The request carried no token: set \`EVQ_TOKEN\`, or give \`--token-file\` or \`--profile\`.`
    : `The token from ${credential} does not allow this at ${host}.`
}

/** What the operating system refused, in a file that the user named or on the way out. */
function failureOfSystem(error: Error): Failure | undefined {
  const words = systemErrorMessage(error)
  const { code = '', path, syscall } = error as NodeJS.ErrnoException
  if (words === undefined) return undefined
  const where = path ?? (syscall === 'write' ? 'the output' : 'a file')
  return { exitCode: EXIT.failed, code, message: `\`${where}\`: ${words}.` }
}

function internalFailure(message: string): Failure {
  const hint = 'With `--debug` it says where.'
  return { exitCode: EXIT.failed, code: 'bug', message: `This is a bug in evq: ${message}`, hint }
}

const INCOMPLETE: Readonly<Record<ExitCode, { readonly code: string; readonly message: string }>> =
  {
    [EXIT.done]: { code: 'done', message: 'All was done.' },
    [EXIT.failed]: { code: 'failed', message: 'Some of it could not be done.' },
    [EXIT.usage]: { code: 'usage', message: 'Nothing was done.' },
    [EXIT.incomplete]: { code: 'incomplete', message: 'Not all of it was done.' },
    [EXIT.denied]: { code: 'denied', message: 'The service did not allow all of it.' },
    [EXIT.tooManyErrors]: { code: 'too-many-errors', message: 'Too many events were rejected.' },
    [EXIT.assertion]: { code: 'assertion', message: 'The result is not as it should be.' },
    [EXIT.hungUp]: { code: 'interrupted', message: 'Interrupted: the terminal was closed.' },
    [EXIT.interrupted]: { code: 'interrupted', message: 'Interrupted by Ctrl-C.' },
    [EXIT.terminated]: { code: 'interrupted', message: 'Interrupted by SIGTERM.' },
  }

/** What a command that ended with a code other than 0 fell short of, by its summary when it has one. */
export function incompleteFailure(exitCode: ExitCode, summary: string | undefined): Failure {
  const { code, message } = INCOMPLETE[exitCode]
  return { exitCode, code, message: summary ?? message }
}

interface FailureLook {
  readonly color: boolean
  /** How many columns a terminal has; nothing is wrapText without. */
  readonly columns?: number | undefined
}

/** A failure as people read it: a sentence or two, or the query with carets. */
export function failureText(failure: Failure, { color, columns }: FailureLook): string {
  const { message, hint, requestId, query } = failure
  if (query !== undefined) return renderProblems(query.apl, query.problems, { color, columns })
  const isTold = requestId === undefined || message.includes(requestId)
  const request = isTold ? '' : ` (request ${requestId})`
  const sentences = [`${withFullStop(message)}${request}`, ...(hint === undefined ? [] : [hint])]
  return `${wrapText(`evq: ${escapeControls(sentences.join(' '))}`, columns)}\n`
}

/** A failure as programs read it, with what was said before it came. */
export function failureJson(failure: Failure, notes: readonly string[]): string {
  const { code, message, hint, requestId, query } = failure
  const error = { code, message, hint, requestId, problems: query?.problems }
  return `${JSON.stringify({ error, ...(notes.length > 0 && { notes }) })}\n`
}

/** A service's message may come without its full stop. */
function withFullStop(message: string): string {
  return /[.!?…]$/.test(message) ? message : `${message}.`
}
