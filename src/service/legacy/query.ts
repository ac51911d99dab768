import { isDatasetName } from '../../wire/http/dataset-name.js'
import type { AplRequest } from '../../wire/http/query.js'
import { QUERY_BODY_BYTES } from '../../wire/limits.js'
import { readJson } from '../body/json-body.js'
import type { ServiceRequest, ServiceResponse } from '../http.js'
import { sentence } from '../query/compile-error.js'
import { groupsOf } from '../query/groups.js'
import { executeQuery, resultResponse } from '../query/query.js'
import { pageOf, type Tabular } from '../query/tabular.js'
import { invalidRequest, RefusedError } from '../refused-error.js'
import type { Call, Service } from '../route.js'
import { type Roles, seriesText, totalsText } from './buckets.js'
import { decodeLegacyRequest, type LegacyRequest } from './decode-request.js'
import { legacyResultJson } from './result-json.js'
import { firstMatch, holdMs, untilNow } from './streaming.js'
import { type GroupsInApl, translated } from './translate.js'

/**
 * `POST /v1/datasets/<dataset>/query`: runs a query tree and returns events or groups. With `streaming-duration`, the response to a
 * request without matches is delayed until there is a match.
 */
export async function legacyQuery(
  { request, parameters: { dataset = '' } }: Call,
  service: Service,
): Promise<ServiceResponse> {
  const startedAt = process.hrtime.bigint()
  const arrivedAt = service.now()
  if (!isDatasetName(dataset)) {
    throw invalidRequest(`\`${dataset}\` can't be the name of a dataset.`)
  }
  const legacyRequest = decodeLegacyRequest(await readJson(request, QUERY_BODY_BYTES))
  const held = holdMs(request)
  const { signal } = request
  const run = (asked: LegacyRequest) => runLegacy(asked, { dataset, service, request })
  const parts =
    held === 0
      ? await run(legacyRequest)
      : await firstMatch(() => run(untilNow(legacyRequest, { arrivedAt, now: service.now() })), {
          holdMs: held,
          signal,
          hasMatch: ({ page }) => page.rows > 0,
          changes: () => service.store.changes(dataset),
        })
  // The time that the request was held counts, too.
  const page = { ...parts.page, startedAt }
  return resultResponse(legacyResultJson({ ...parts, page, request: legacyRequest }), page)
}

/** The parts of a response that depend on the events. */
type LegacyParts = Pick<Parameters<typeof legacyResultJson>[0], 'page' | 'secondPage' | 'groups'>

async function runLegacy(
  legacyRequest: LegacyRequest,
  options: {
    readonly dataset: string
    readonly service: Service
    readonly request: ServiceRequest
  },
): Promise<LegacyParts> {
  const { dataset, service, request } = options
  const fields = service.store.schema.fields(dataset) ?? []
  const inApl = translated(legacyRequest, { dataset, fields })
  const failed = new AbortController()
  // When one of the two queries fails, the other is aborted.
  const signal = AbortSignal.any([request.signal, failed.signal])
  const ask = (apl: AplRequest) =>
    respond(apl, { ...request, signal }, service).catch((error: unknown) => {
      failed.abort()
      throw error
    })
  return inApl.kind === 'events'
    ? { page: pageOf(await ask({ ...aplRequest(legacyRequest), apl: inApl.apl })) }
    : groups(
        inApl,
        legacyRequest,
        await Promise.all([
          ask({ ...aplRequest(legacyRequest), apl: inApl.totals }),
          ask({ ...wholeSeries(legacyRequest), apl: inApl.series }),
        ]),
      )
}

type Shared = Omit<AplRequest, 'apl'>

function aplRequest(request: LegacyRequest): Shared {
  const { startTime, endTime, cursor, includeCursor, limit, resolution } = request
  return {
    startTime,
    endTime,
    cursor,
    includeCursor,
    defaultLimit: limit,
    ...(resolution !== undefined && { queryOptions: { resolution } }),
  }
}

/** Returns the request for the series without a limit: the limit applies to groups, and only the service limits intervals. */
function wholeSeries(request: LegacyRequest): Shared {
  return { ...aplRequest(request), defaultLimit: Number.MAX_SAFE_INTEGER }
}

/** Runs a query, and removes positions from errors: they refer to generated APL that the caller has not seen. */
async function respond(...parameters: Parameters<typeof executeQuery>): Promise<Tabular> {
  try {
    return await executeQuery(...parameters)
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    const [problem] = error.body.problems ?? []
    if (problem === undefined) throw error
    const { reason, message } = error
    const isComplete = problem.help === undefined || reason === 'not-found'
    throw new RefusedError(reason, isComplete ? message : `${message} ${sentence(problem.help)}`)
  }
}

function groups(
  { aggregations, isNewestFirst }: GroupsInApl,
  { groupBy = [] }: LegacyRequest,
  [whole, stepwise]: readonly [Tabular, Tabular],
) {
  const roles: Roles = { keys: [...new Set(groupBy)], aggregations }
  const [page, secondPage] = [pageOf(whole), pageOf(stepwise)]
  const totals = groupsOf(page, roles.keys)
  const { buckets } = stepwise.compiled
  const intervals = buckets && { column: buckets.field, size: buckets.size, isNewestFirst }
  return {
    page,
    secondPage,
    groups: {
      totals: totalsText(totals, roles),
      series:
        intervals && seriesText(groupsOf(secondPage, roles.keys), { totals, roles, intervals }),
    },
  }
}
