import type { Service } from '../route.js'
import { watchFields } from './field-watch.js'
import { groupsAlsoIn, groupsOf } from './groups.js'
import { type AboutEvents, compileQuery, keptLayouts } from './prepare.js'
import { run } from './run.js'
import { type Page, pageOf, queryColumns, type ResultTable } from './tabular.js'
import { withoutInterval } from './without-interval.js'

interface TotalsOptions {
  readonly service: Service
  readonly signal: AbortSignal
}

/**
 * Runs the query of a time-binned result again, grouped over the whole time range, since totals such as averages do not follow from
 * the values of intervals. Both runs share the time limit. Returns undefined when the result has no column with the time bin.
 */
export async function queryTotals(page: Page, options: TotalsOptions): Promise<Page | undefined> {
  const { buckets } = page.compiled
  const query = buckets && withoutInterval(page.checked, buckets.field)
  if (query === undefined) return undefined
  const limit = { rows: options.service.limits.rows, setBy: 'service' } as const
  const layouts = keptLayouts(options.service)
  const adapted = (events: AboutEvents) =>
    compileQuery(query, { ...page, layouts, limit, ...events })
  const fieldChange = watchFields(page.datasets, options.service.store)
  const compiled = adapted({})
  const found = await run(compiled, { ...page, ...options, adapted, scan: undefined })
  if ((await fieldChange()) === 'replaced') return await queryTotals(page, options)
  return pageOf({ ...page, ...found, checked: query, compiled, limit })
}

/** Computes the totals of the groups in a time-binned result; undefined as for `queryTotals`. */
export async function totalsTable(
  page: Page,
  options: TotalsOptions,
): Promise<ResultTable | undefined> {
  const totals = await queryTotals(page, options)
  if (totals === undefined) return undefined
  const { groups: keys } = page.compiled
  const { cells } = groupsAlsoIn(groupsOf(totals, keys), groupsOf(page, keys))
  const columns = queryColumns(totals).map(({ field }) => ({
    field,
    pieces: [Buffer.from(`[${cells.get(field.name)?.join(',') ?? ''}]`)],
  }))
  return { page: totals, columns }
}
