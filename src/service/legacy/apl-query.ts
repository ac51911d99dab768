import type { AplRequest } from '../../wire/http/query.js'
import { commonGroups, groupsOf } from '../query/groups.js'
import { executeQuery, readAplRequest, resultResponse } from '../query/query.js'
import { type Page, pageOf } from '../query/tabular.js'
import { queryTotals } from '../query/totals.js'
import type { Handler, Service } from '../route.js'
import { type Roles, seriesText, totalsText } from './buckets.js'
import { type LegacyGroups, legacyResultJson } from './result-json.js'

/** `POST /v1/datasets/_apl?format=legacy`: the events of a query, or the groups of its `summarize`. */
export const legacyAplQuery: Handler = async ({ request }, service) => {
  const aplRequest: AplRequest = await readAplRequest(request)
  const { signal } = request
  const page = pageOf(await executeQuery(aplRequest, request, service))
  const isGrouped = page.checked.operators.some(({ kind }) => kind === 'summarize')
  const found = isGrouped ? { groups: await groups(page, { service, signal }) } : {}
  return resultResponse(legacyResultJson({ page, ...found, request: aplRequest }), page)
}

async function groups(
  page: Page,
  options: { readonly service: Service; readonly signal: AbortSignal },
): Promise<LegacyGroups> {
  const { buckets } = page.compiled
  const roles = rolesOf(page)
  const found = groupsOf(page, roles.keys)
  if (buckets === undefined) return { totals: totalsText(found, roles) }
  const whole = await queryTotals(page, options)
  if (whole === undefined) return {}
  const totals = commonGroups(groupsOf(whole, roles.keys), found)
  const intervals = { column: buckets.field, size: buckets.size, isNewestFirst: false }
  return {
    series: seriesText(found, { totals, roles, intervals }),
    totals: totalsText(totals, roles),
  }
}

/** Returns the roles of the columns. All columns are aggregations except the groups and the interval. */
function rolesOf({ compiled: { columns, groups: keys, buckets } }: Page): Roles {
  const names = columns.map(({ name }) => name)
  return {
    keys,
    aggregations: names
      .filter((name) => name !== buckets?.field && !keys.includes(name))
      .map((name) => ({ column: name, label: name })),
  }
}
