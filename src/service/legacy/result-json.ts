import { ByteWriter } from '../../wire/bytes/byte-writer.js'
import type { QueryStatus } from '../../wire/http/tabular-result.js'
import { exactJsonText } from '../../wire/json/exact-json.js'
import type { JsonText } from '../../wire/json/json-text.js'
import { pageCursors } from '../query/page-cursors.js'
import { truncationMessages } from '../query/row-limit.js'
import { fieldsMetaMap, type Page, status } from '../query/tabular.js'
import { addMatches } from './matches.js'

/** The initial size of the buffer, which is enough for short responses. */
const FIRST_BYTES = 1 << 16

/** The contents of a legacy response. */
interface LegacyResult {
  /** The page that the status describes. */
  readonly page: Page
  /** The page of the series, which a limit may have truncated, too. */
  readonly secondPage?: Page
  /** Microseconds. */
  readonly elapsed: number
  /** Undefined for a response whose rows are events. */
  readonly groups?: LegacyGroups
  readonly request: object
}

/** The groups as JSON: `series` per interval, `totals` for the whole time range. */
export interface LegacyGroups {
  readonly series?: JsonText
  readonly totals?: JsonText
}

export function legacyResultJson(result: LegacyResult): Buffer {
  const { page, groups } = result
  const { series = '[]', totals = '[]' } = groups ?? {}
  const [datasets, fields] = [page.datasets, fieldsMetaMap(page)].map((one) => JSON.stringify(one))
  const out = new ByteWriter(FIRST_BYTES)
  out.addText(`{"status":${JSON.stringify(statusOf(result))},"matches":`)
  if (groups === undefined) addMatches(page, out)
  else out.addText('[]')
  out.addText(`,"buckets":{"series":${series},"totals":${totals}}`)
  out.addText(`,"request":${exactJsonText(result.request)}`)
  out.addText(`,"datasetNames":${datasets},"fieldsMetaMap":${fields}}`)
  return out.written
}

function statusOf({ page, secondPage, elapsed }: LegacyResult): QueryStatus {
  const own = status({ ...page, elapsed }, pageCursors(page))
  if (!secondPage?.isCut) return own
  return { ...own, messages: [...(own.messages ?? []), ...truncationMessages(secondPage.limit)] }
}
