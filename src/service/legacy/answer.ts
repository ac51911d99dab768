import { ByteWriter } from '../../wire/bytes/byte-writer.js'
import type { QueryStatus } from '../../wire/http/query.js'
import { exactJsonText } from '../../wire/json/exact-json.js'
import type { JsonText } from '../../wire/json/json-text.js'
import { pageCursors } from '../query/page-cursors.js'
import { cutMessages } from '../query/row-limit.js'
import { fieldsMetaMap, type Page, status } from '../query/tabular.js'
import { addMatches } from './matches.js'

/** Room that a short answer does not outgrow. */
const FIRST_BYTES = 1 << 16

/** What a legacy answer is made of. */
export interface LegacyAnswer {
  /** The page that the status tells about. */
  readonly page: Page
  /** Another page that went into it, of which a limit may have cut something, too. */
  readonly beside?: Page
  /** Microseconds. */
  readonly elapsed: number
  /** An answer without groups has the rows of the page as events. */
  readonly groups?: LegacyGroups
  /** What was asked. */
  readonly request: object
}

/** The JSON texts of groups: those of intervals, and those of the whole time. */
export interface LegacyGroups {
  readonly series?: JsonText
  readonly totals?: JsonText
}

/** The JSON of a legacy answer. */
export function legacyJson(answer: LegacyAnswer): Buffer {
  const { page, groups } = answer
  const { series = '[]', totals = '[]' } = groups ?? {}
  const [datasets, fields] = [page.datasets, fieldsMetaMap(page)].map((one) => JSON.stringify(one))
  const out = new ByteWriter(FIRST_BYTES)
  out.addText(`{"status":${JSON.stringify(statusOf(answer))},"matches":`)
  if (groups === undefined) addMatches(page, out)
  else out.addText('[]')
  out.addText(`,"buckets":{"series":${series},"totals":${totals}}`)
  out.addText(`,"request":${exactJsonText(answer.request)}`)
  out.addText(`,"datasetNames":${datasets},"fieldsMetaMap":${fields}}`)
  return out.written
}

function statusOf({ page, beside, elapsed }: LegacyAnswer): QueryStatus {
  const own = status({ ...page, elapsed }, pageCursors(page))
  if (!beside?.isCut) return own
  return { ...own, messages: [...(own.messages ?? []), ...cutMessages(beside.limit)] }
}
