import type { AplRequest } from '../../wire/http/query.js'
import { jsonText, type ServiceResponse } from '../http.js'
import { compileQuery } from '../query/prepare.js'
import { executeQuery, readAplRequest } from '../query/query.js'
import { run } from '../query/run.js'
import { type Page, pageOf } from '../query/tabular.js'
import type { Call, Service } from '../route.js'
import { commonGroups, groupsOf, type Roles, seriesText, totalsText } from './buckets.js'
import { type LegacyGroups, legacyResultJson } from './result-json.js'
import { withoutInterval } from './without-interval.js'

/** `POST /v1/datasets/_apl?format=legacy`: the events of a query, or the groups of its `summarize`. */
export async function legacyAplQuery(
  { request }: Call,
  service: Service,
): Promise<ServiceResponse> {
  const started = process.hrtime.bigint()
  const aplRequest: AplRequest = await readAplRequest(request)
  const { signal } = request
  const page = pageOf(await executeQuery(aplRequest, { service, signal }))
  const isGrouped = page.checked.operators.some(({ kind }) => kind === 'summarize')
  const found = isGrouped ? { groups: await groups(page, { service, signal }) } : {}
  const elapsed = Number((process.hrtime.bigint() - started) / 1_000n)
  return jsonText(200, legacyResultJson({ page, ...found, elapsed, request: aplRequest }))
}

/** Totals are computed by a second query: the average over all intervals is not the average of their averages. */
async function groups(
  page: Page,
  options: { readonly service: Service; readonly signal: AbortSignal },
): Promise<LegacyGroups> {
  const { compiled, checked } = page
  const { buckets } = compiled
  const roles = rolesOf(page)
  const found = groupsOf(page, roles)
  if (buckets === undefined) return { totals: totalsText(found, roles) }
  const query = withoutInterval(checked, buckets.field)
  if (query === undefined) return {}
  const limit = { rows: options.service.limits.rows, setBy: 'service' } as const
  const whole = compileQuery(query, { ...page, ...options, limit })
  const ran = await run(whole, { ...page, ...options })
  const all = groupsOf(pageOf({ ...page, ...ran, checked: query, compiled: whole, limit }), roles)
  const totals = commonGroups(all, found)
  const intervals = { column: buckets.field, size: buckets.size, isNewestFirst: false }
  return {
    series: seriesText(found, { totals, roles, intervals }),
    totals: totalsText(totals, roles),
  }
}

/** Aggregations are the columns that are neither groups nor the interval. */
function rolesOf({ compiled: { columns, groups: keys, buckets } }: Page): Roles {
  const names = columns.map(({ name }) => name)
  return {
    keys,
    aggregations: names
      .filter((name) => name !== buckets?.field && !keys.includes(name))
      .map((name) => ({ column: name, label: name })),
  }
}
