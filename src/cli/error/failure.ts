// Only this file turns errors into exit codes and messages.

import { ApiError, isDenied, NetworkError } from '../../client/error.js'
import { PagingError } from '../../client/pages/page.js'
import { escapeControls } from '../../render/escape-controls.js'
import { PictureError } from '../../render/picture/picture-error.js'
import { renderProblems } from '../../render/problem.js'
import type { Color } from '../../render/terminal-text.js'
import type { Problem } from '../../text/problem.js'
import { shortageText } from '../../text/resource-limits.js'
import { DescribedError } from '../../text/system-error.js'
import { wrapText } from '../../text/wrap.js'
import { MalformedResponseError } from '../../wire/http/response-json.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import { QueryError } from '../query/error.js'
import { CommandError } from './command-error.js'
import { fileHint } from './file-hint.js'
import { ProblemsError } from './problems-error.js'
import { systemErrorMessage } from './system-error.js'
import { UsageError } from './usage-error.js'

/** The message and the exit code of a failed command. */
interface Failure {
  readonly exitCode: ExitCode
  /** Identifies the kind of failure to programs. */
  readonly code: string
  readonly message: string
  readonly hint?: string
  readonly requestId?: string | undefined
  readonly query?: { readonly apl: string; readonly problems: readonly Problem[] }
}

/** Remedies for certificates, by the text of the failure. */
const CERTIFICATE_HINTS: readonly (readonly [RegExp, string])[] = [
  [/is self-signed\.|is not trusted\./, '`--ca-file` names certificates to trust.'],
  [/its certificate is for another name/, 'Use a host name that the certificate contains.'],
]

/** Converts an error to the failure to report. An unexpected error is reported as a bug. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CommandError) {
    const code = error instanceof UsageError ? 'usage' : 'failed'
    return { exitCode: error.exitCode, code, message: error.message }
  }
  if (error instanceof QueryError) return failureOfQuery(error)
  if (error instanceof ProblemsError) {
    const { apl, problems, message } = error
    const code = problems[0]?.code ?? 'usage'
    return { exitCode: EXIT.usage, code, message, ...withProblems(apl, problems) }
  }
  if (error instanceof ApiError) return failureOfApi(error)
  if (!(error instanceof Error)) return internalFailure(String(error))
  const { message } = error
  if (error instanceof NetworkError) {
    const hint = CERTIFICATE_HINTS.find(([text]) => text.test(message))?.[1]
    return { exitCode: EXIT.failed, code: error.failure, message, ...(hint && { hint }) }
  }
  if (error instanceof PagingError) return { exitCode: EXIT.failed, code: 'paging', message }
  if (error instanceof MalformedResponseError) {
    const hint =
      'Check that this is the address of the service and not of something in front of it.'
    return { exitCode: EXIT.failed, code: 'malformed-response', message, hint }
  }
  if (error instanceof PictureError) {
    const hint = 'Formats such as `-o csv` and `-o markdown` write any rows.'
    return { exitCode: EXIT.usage, code: 'no-picture', message, hint }
  }
  if (error instanceof DescribedError) {
    return { exitCode: EXIT.failed, code: 'local-service', message }
  }
  const shortage = shortageText(error)
  if (shortage !== undefined) return { exitCode: EXIT.failed, code: 'limit', message: shortage }
  return failureOfSystem(error) ?? internalFailure(message)
}

function failureOfQuery({ apl, refusal, problems }: QueryError): Failure {
  if (problems.length > 0) {
    const { code } = problems[0]!
    return { ...failureOfApi(refusal), exitCode: EXIT.usage, code, ...withProblems(apl, problems) }
  }
  // The service rejected the text of the query, because the rest of the request is made by this program.
  const isAboutText = refusal.status === 400 || refusal.status === 422
  return { ...failureOfApi(refusal), ...(isAboutText && { exitCode: EXIT.usage }) }
}

function withProblems(apl: string, problems: readonly Problem[]): Pick<Failure, 'query' | 'hint'> {
  return { query: { apl, problems }, hint: fileHint(apl, problems) }
}

function failureOfApi(error: ApiError): Failure {
  const { code, message, requestId } = error
  const exitCode = isDenied(error) ? EXIT.denied : EXIT.failed
  const hint = apiHint(error)
  return { exitCode, code, message, requestId, ...(hint !== undefined && { hint }) }
}

function apiHint(error: ApiError): string | undefined {
  switch (error.status) {
    case 401:
    case 403:
      return denialHint(error)
    case 404:
      return absenceHint(error)
    case 429:
    case 430:
      return 'Try again when the limit is reset.'
    default:
      return undefined
  }
}

/** Returns what is wrong with a URL, or the command that lists the datasets or saved queries, whichever it names. */
function absenceHint({ url }: ApiError): string | undefined {
  const { pathname } = new URL(url)
  if (/\/v[12]\/v[12]\//.test(pathname)) return 'Write the URL without its version: evq adds it.'
  if (/\/apl-starred-queries\/[^/]+$/.test(pathname)) return '`evq starred list` prints the ids.'
  const isDataset = /\/datasets\/[^/_][^/]*(?:\/[a-z]+)?$/.test(pathname)
  return isDataset ? '`evq dataset list` prints the names.' : undefined
}

function denialHint({ url, credential, message }: ApiError): string {
  const { host } = new URL(url)
  if (credential !== undefined)
    return `The token from ${credential} does not allow this at ${host}.`
  const isSaid = /\bno token\b/.test(message)
  return `${isSaid ? 'Set' : 'The request had no token: set'} \`EVQ_TOKEN\`, or give \`--token-file\` or \`--profile\`.`
}

/** An error of the operating system; `dest` is the new name when a file could not be renamed. */
type RenameError = NodeJS.ErrnoException & { readonly dest?: string }

/** Returns the failure for an error of the operating system; undefined for other errors. */
function failureOfSystem(error: Error): Failure | undefined {
  const message = systemErrorMessage(error)
  // A file is replaced by renaming a temporary one, whose name means nothing to the user.
  const { code = '', path, dest = path ?? 'a file', syscall } = error as RenameError
  if (message === undefined) return undefined
  if (syscall === 'uv_cwd') {
    const deleted = 'The current directory has been deleted. Change to another directory.'
    return { exitCode: EXIT.failed, code, message: deleted }
  }
  if (syscall !== 'write' && syscall !== 'writev') {
    return { exitCode: EXIT.failed, code, message: `\`${dest}\`: ${message}.` }
  }
  const output = path === undefined ? 'The output' : `\`${path}\``
  return { exitCode: EXIT.failed, code, message: `${output} can't be written: ${message}.` }
}

function internalFailure(message: string): Failure {
  const hint = '`--debug` prints a stack trace.'
  return { exitCode: EXIT.failed, code: 'bug', message: `This is a bug in evq: ${message}`, hint }
}

const INCOMPLETE: Readonly<Record<ExitCode, { readonly code: string; readonly message: string }>> =
  {
    [EXIT.done]: { code: 'done', message: 'Done.' },
    [EXIT.failed]: { code: 'failed', message: 'The command failed in part.' },
    [EXIT.usage]: { code: 'usage', message: 'Nothing was done.' },
    [EXIT.incomplete]: { code: 'incomplete', message: 'The command was completed only in part.' },
    [EXIT.denied]: { code: 'denied', message: 'The service denied part of the command.' },
    [EXIT.tooManyErrors]: { code: 'too-many-errors', message: 'Too many events were rejected.' },
    [EXIT.assertion]: { code: 'assertion', message: 'The assertion failed.' },
    [EXIT.hungUp]: { code: 'interrupted', message: 'Interrupted: the terminal was closed.' },
    [EXIT.interrupted]: { code: 'interrupted', message: 'Interrupted by Ctrl-C.' },
    [EXIT.quit]: { code: 'interrupted', message: 'Interrupted by SIGQUIT.' },
    [EXIT.terminated]: { code: 'interrupted', message: 'Interrupted by SIGTERM.' },
  }

/** Returns the failure of a command that ended with a code other than 0 without throwing. Its message is the summary, if any. */
export function incompleteFailure(exitCode: ExitCode, summary: string | undefined): Failure {
  const { code, message } = INCOMPLETE[exitCode]
  return { exitCode, code, message: summary ?? message }
}

interface FailureLook {
  readonly color: Color
  /** The width of the terminal; lines are not wrapped if undefined. */
  readonly columns?: number | undefined
}

/** Formats a failure for people: one or two sentences, or the query with its problems marked. */
export function failureText(failure: Failure, { color, columns }: FailureLook): string {
  const { message, hint, requestId, query } = failure
  if (query !== undefined) {
    const problems = renderProblems(query.apl, query.problems, { color, columns })
    return hint === undefined ? problems : `${problems}${wrapText(escapeControls(hint), columns)}\n`
  }
  const hasRequestId = requestId === undefined || message.includes(requestId)
  const request = hasRequestId ? '' : ` (request ${requestId})`
  const sentences = [`${withFullStop(message)}${request}`, ...(hint === undefined ? [] : [hint])]
  return `${wrapText(`evq: ${escapeControls(sentences.join(' '))}`, columns)}\n`
}

/** Formats a failure as JSON, with the preceding messages as `notes`, and with members that the command attached. */
export function failureJson(
  failure: Failure,
  notes: readonly string[],
  attached: Readonly<Record<string, unknown>> = {},
): string {
  const { code, message, hint, requestId, query } = failure
  const error = { code, message, hint, requestId, problems: query?.problems }
  return `${JSON.stringify({ error, ...attached, ...(notes.length > 0 && { notes }) })}\n`
}

/** Ends a message with a full stop, which a service may leave out. */
function withFullStop(message: string): string {
  return /[.!?…]$/.test(message) ? message : `${message}.`
}
