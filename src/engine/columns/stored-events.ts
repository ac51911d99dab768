import { identifier, list, raw, type Sql, sql } from '../../sql/sql.js'
import { pathKey } from '../../wire/json/field-path.js'
import { KIND } from '../../wire/json/kinds.js'
import { tableOf } from '../catalog/database.js'
import type { TypedPath } from '../catalog/dataset.js'
import type { EventPosition } from '../catalog/table-comments.js'
import { Extraction } from '../ingest/extraction.js'

// Reading what a dataset holds already, to learn about its fields.

/** The newest events, of which every so manieth is surveyed: not all of them out of one batch. */
const NEWEST_EVENTS = 20_000
const SAMPLE_EVENTS = 1_000
/** Longer ones are left out of a survey, since they are read in JavaScript. */
const MAX_SAMPLED_BYTES = 65_536
/** Events that are read in one step. */
const STEP_EVENTS = 100_000

/** Some of the events that were stored lately, as `line`. */
export function recentEvents(dataset: string, rows: number): Sql {
  const every = Math.max(1, Math.floor(Math.min(rows, NEWEST_EVENTS) / SAMPLE_EVENTS))
  const newest = sql`SELECT _seq FROM ${tableOf(dataset)} ORDER BY _seq DESC LIMIT ${NEWEST_EVENTS}`
  return sql`
    SELECT line FROM ${tableOf(dataset)}
    WHERE length(line) <= ${MAX_SAMPLED_BYTES}
      AND _seq IN (SELECT _seq FROM (${newest}) WHERE cityHash64(_seq) % ${every} = 0)`
}

/** The last event there is, as `seq`. */
export function lastEvent(dataset: string): Sql {
  return sql`SELECT toString(max(_seq)) AS seq FROM ${tableOf(dataset)}`
}

/**
 * The kinds of value that some fields hold in the events after a place: `kinds0`, `kinds1` … Reads the
 * next so many events up to the one with the number `last`, and says how many they were (`events`) and
 * where they end (`time`, `seq`).
 */
export function kindsAfter(
  dataset: string,
  fields: readonly TypedPath[],
  range: { readonly after: EventPosition | undefined; readonly last: bigint },
): Sql {
  const extraction = new Extraction(new Set(fields.map(({ known }) => pathKey(known.path))))
  const found = fields.map(
    ({ known }, i) => sql`${extraction.read(known.path)} AS ${identifier(`found${i}`)}`,
  )
  const kinds = fields.map((_, i) => {
    const all = sql`groupBitOr(${kindsOf(identifier(`found${i}`))})`
    return sql`${all} AS ${identifier(`kinds${i}`)}`
  })
  const next = sql`
    SELECT _time, _seq, line FROM ${tableOf(dataset)}
    WHERE _seq <= ${range.last} AND ${isAfter(range.after)}
    ORDER BY _time, _seq LIMIT ${STEP_EVENTS}`
  return sql`
    SELECT count() AS events, ${list(kinds)},
      toString(toUnixTimestamp64Nano((max((_time, _seq)) AS end).1)) AS time, toString(end.2) AS seq
    FROM (SELECT _time, _seq, ${list(found)}
      FROM (SELECT *, ${extraction.statement()} AS event FROM (${next})))`
}

function isAfter(position: EventPosition | undefined): Sql {
  if (position === undefined) return sql`1`
  const time = sql`fromUnixTimestamp64Nano(toInt64(${position.time}), 'UTC')`
  // Written out, since the engine does not use its key for a pair.
  return sql`_time >= ${time} AND (_time > ${time} OR _seq > ${position.seq})`
}

const EXACT = sql`-9007199254740992 AND 9007199254740992`

/** The kinds of a Dynamic's value, as the sets of bits that the catalog keeps. */
function kindsOf(found: Sql): Sql {
  const int = sql`dynamicElement(${found}, 'Int64')`
  const kinds = [
    sql`isNull(${found}), 0`,
    sql`isNotNull(${int}), if(ifNull(${int} BETWEEN ${EXACT}, 1), ${KIND.int}, ${KIND.int | KIND.long})`,
    ...SCALARS.map(
      ([type, kind]) => sql`isNotNull(dynamicElement(${found}, ${raw(`'${type}'`)})), ${kind}`,
    ),
  ]
  return sql`toUInt8(multiIf(${list(kinds)}, ${KIND.other}))`
}

const SCALARS = [
  ['Float64', KIND.real],
  ['String', KIND.string],
  ['Bool', KIND.bool],
] as const
