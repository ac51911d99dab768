// Carries out the requests of the model.
import { APL_WORDS } from '../../../apl/language.js'
import { ApiError, isDenied } from '../../../client/error.js'
import type { Context } from '../../context.js'
import { failureOf } from '../../error/failure.js'
import { UsageError } from '../../error/usage-error.js'
import { type AskTable, countIn } from '../../query/ask-rows.js'
import { readFacet } from './facet.js'
import { readHistogram } from './histogram.js'
import { patternEvents } from './pattern-events.js'
import { problemText } from './prompt-text.js'
import { unsortedApl } from './query.js'
import type { RowSource } from './row-source.js'
import { saveRows } from './save.js'
import type { Event, Request, RequestOf, State } from './state.js'
import { missingDatasetText, type ViewTarget } from './target.js'

export type AnsweredRequest = Exclude<
  Request,
  { readonly kind: 'preview' | 'follow' | 'copy' | 'quit' | 'suspend' | 'redraw' }
>

/** The surroundings in which requests are carried out. */
interface Answering {
  readonly source: RowSource
  readonly target: ViewTarget
  readonly context: Context
  readonly signal: AbortSignal
  state(): State
}

type Answers = {
  readonly [Kind in AnsweredRequest['kind']]: (
    request: RequestOf<Kind>,
    answering: Answering,
  ) => Promise<Event | undefined>
}

const ANSWERS: Answers = {
  page: pageOf,
  rank: rankOf,
  async counts({ generation, query, ticks }, { source, signal }) {
    return { kind: 'counts', generation, ticks, counts: await source.counts(query, signal) }
  },
  async histogram(request, answering) {
    const value = await readHistogram({ ...request, ask: askerOf(answering) })
    return { kind: 'histogram', generation: request.generation, value }
  },
  async facet(request, answering) {
    const value = await readFacet(request.field, { ...request, ask: askerOf(answering) })
    return { kind: 'facet', generation: request.generation, value }
  },
  async original({ cursor }, { source }) {
    return { kind: 'original', cursor, found: (await source.original?.(cursor)) ?? null }
  },
  async pattern(request, answering) {
    const query = await patternEvents({ ...request, ask: askerOf(answering) })
    return { kind: 'pattern', generation: request.generation, query }
  },
  async save(request, { source, target, signal, context, state }) {
    const isPart = state().reading?.isDone === false
    const text = await saveRows(request, { source, target, signal }, context)
    return { kind: 'note', text: isPart ? `${text}, of the events that were read so far` : text }
  },
  draft: draftOf,
  complete: completionsFor,
  async find(request, { source, signal }) {
    const { generation, query, what, direction, nth } = request
    const cursor = await source.find(query, request, signal)
    return { kind: 'found', generation, what, direction, nth, cursor }
  },
}

/** True for a request that is answered with an event. */
export function isAnswered(request: Request): request is AnsweredRequest {
  return Object.hasOwn(ANSWERS, request.kind)
}

/** Carries out a request and returns its event; undefined when there is nothing to report. */
export async function answerTo<Kind extends AnsweredRequest['kind']>(
  request: RequestOf<Kind>,
  answering: Answering,
): Promise<Event | undefined> {
  return await ANSWERS[request.kind](request, answering)
}

async function pageOf(
  request: RequestOf<'page'>,
  { source, signal, state }: Answering,
): Promise<Event> {
  // Events that are read during the request may be missing from the page.
  const isComplete = state().reading?.isDone !== false
  const page = await source.page(request, signal)
  const { generation, place } = request
  return { kind: 'page', generation, place, page, isComplete }
}

async function rankOf(
  { generation, query, rows }: RequestOf<'rank'>,
  { source, signal }: Answering,
): Promise<Event | undefined> {
  const cursor = rows[0]?.cursor
  const index = await source.rank(query, rows, signal)
  const isKnown = cursor !== undefined && index !== undefined
  return isKnown ? { kind: 'rank', generation, cursor, index } : undefined
}

async function completionsFor(
  { text }: RequestOf<'complete'>,
  { source }: Answering,
): Promise<Event> {
  const { completionsOf } = await import('../../query/completion.js')
  const found = await completionsOf(text, { ...APL_WORDS, commands: [] }, source.names)
  return { kind: 'completions', text, ...found }
}

/** Returns the events that a query being typed keeps. */
async function draftOf(
  { text, query, cursor, lines }: RequestOf<'draft'>,
  { source, signal }: Answering,
): Promise<Event> {
  const plain = { ...query, context: 0 }
  const [shown, counted] = await Promise.all([
    source.page({ query: plain, place: { kind: 'around', cursor }, limit: 2 * lines }, signal),
    source.table(`${unsortedApl(plain)} | count`, 1, signal),
  ])
  const kept = new Set(shown.rows.flatMap((row) => row.cursor ?? []))
  return { kind: 'draft', draft: { text, total: countIn(counted), kept } }
}

function askerOf({ source, signal }: Answering): AskTable {
  return (apl, limit) => source.table(apl, limit, signal)
}

/** Returns the error that ends a view which has shown nothing; undefined for an error after which another query may succeed. */
export function finalError(error: unknown, target: ViewTarget): Error | undefined {
  const missing = missingDataset(error, target)
  if (missing !== undefined) return new UsageError(missing)
  if (!(error instanceof Error)) return undefined
  return error instanceof ApiError && !isDenied(error) ? undefined : error
}

function missingDataset(error: unknown, target: ViewTarget): string | undefined {
  const problem = error instanceof ApiError ? error.problems?.[0] : undefined
  return problem?.code === 'unknown-dataset' ? missingDatasetText(target, problem) : undefined
}

/** The message about a word in place of an operator in a query of files, such as the `:q` of other programs. */
const NO_OPERATOR =
  "The query starts with an operator, such as `where level == 'error'`. Without `:`, / finds a text and q leaves."

export function failureEvent(request: AnsweredRequest, error: unknown, target: ViewTarget): Event {
  const problem = error instanceof ApiError ? error.problems?.[0] : undefined
  const isWord = problem?.code === 'unknown-dataset' && problem.span.start === 0
  const missing = isWord && target.kind === 'files' ? NO_OPERATOR : missingDataset(error, target)
  return {
    kind: 'failed',
    ...('generation' in request && { generation: request.generation }),
    request: request.kind,
    ...(request.kind === 'save' && { file: request.file }),
    message: missing ?? (problem ? problemText(problem) : failureOf(error).message),
    isRefused: error instanceof ApiError && error.status < 500,
  }
}
