import { exactJsonText } from '../../wire/exact-json.js'
import type { JsonText, QueryStatus } from '../../wire/query.js'
import { pageCursors } from '../page-cursors.js'
import { cutMessages } from '../row-limit.js'
import { fieldsMetaMap, type Page, status } from '../tabular.js'
import { jsonObject } from './shape.js'

/** What a legacy answer is made of. */
export interface LegacyAnswer {
  /** The page that the status tells about. */
  readonly page: Page
  /** Another page that went into it, of which a limit may have cut something, too. */
  readonly beside?: Page
  /** Microseconds. */
  readonly elapsed: number
  readonly matches?: JsonText
  readonly series?: JsonText
  readonly totals?: JsonText
  /** What was asked. */
  readonly request: object
}

/** The JSON text of a legacy answer. */
export function legacyText(answer: LegacyAnswer): JsonText {
  const { page, matches = '[]', series = '[]', totals = '[]' } = answer
  return jsonObject([
    ['status', JSON.stringify(statusOf(answer))],
    ['matches', matches],
    ['buckets', `{"series":${series},"totals":${totals}}`],
    ['request', exactJsonText(answer.request)],
    ['datasetNames', JSON.stringify(page.datasets)],
    ['fieldsMetaMap', JSON.stringify(fieldsMetaMap(page))],
  ])
}

function statusOf({ page, beside, elapsed }: LegacyAnswer): QueryStatus {
  const own = status({ ...page, elapsed }, pageCursors(page))
  if (!beside?.isCut) return own
  return { ...own, messages: [...(own.messages ?? []), ...cutMessages(beside.limit)] }
}
