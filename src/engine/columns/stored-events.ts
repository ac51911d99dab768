import { identifier, list, type Sql, sql, text } from '../../sql/sql.js'
import { pathKey } from '../../wire/json/field-path.js'
import { KIND } from '../../wire/json/kinds.js'
import { tableOf } from '../catalog/database.js'
import type { TypedPath } from '../catalog/dataset.js'
import { Extraction } from '../catalog/extraction.js'
import type { EventPosition } from '../catalog/table-comments.js'

// Queries that read stored events to gather statistics of their fields.

/** Samples every n-th of the newest events, so that one batch does not dominate. */
const NEWEST_EVENTS = 20_000
const SAMPLE_EVENTS = 1_000
/** Longer events are not sampled, since samples are read in JavaScript. */
const MAX_SAMPLED_BYTES = 65_536
const STEP_EVENTS = 100_000

/** Returns a query for a sample of recently stored events, as `line`, which is empty if columns hold all of their values. */
export function recentEvents(dataset: string, rows: number): Sql {
  const every = Math.max(1, Math.floor(Math.min(rows, NEWEST_EVENTS) / SAMPLE_EVENTS))
  const newest = sql`SELECT _seq FROM ${tableOf(dataset)} ORDER BY _seq DESC LIMIT ${NEWEST_EVENTS}`
  return sql`
    SELECT line FROM ${tableOf(dataset)}
    WHERE length(line) <= ${MAX_SAMPLED_BYTES}
      AND _seq IN (SELECT _seq FROM (${newest}) WHERE cityHash64(_seq) % ${every} = 0)`
}

/** Returns a query for the sequence number of the last event, as `seq`. */
export function lastEvent(dataset: string): Sql {
  return sql`SELECT toString(max(_seq)) AS seq FROM ${tableOf(dataset)}`
}

/**
 * Returns a query for the kinds of value (`kinds0`, `kinds1` …) that fields have in the next events after a position, up to
 * the sequence number `last`, as far as columns do not hold the values. It also returns the number of events (`events`) and the
 * position of the last (`time`, `seq`).
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
  // For a comparison of tuples, the engine would not use its primary key.
  return sql`_time >= ${time} AND (_time > ${time} OR _seq > ${position.seq})`
}

const EXACT = sql`-9007199254740992 AND 9007199254740992`

/** Returns the kinds of a Dynamic, as a bit set of `KIND`. */
function kindsOf(found: Sql): Sql {
  const int = sql`dynamicElement(${found}, 'Int64')`
  const kinds = [
    sql`isNull(${found}), 0`,
    sql`isNotNull(${int}), if(ifNull(${int} BETWEEN ${EXACT}, 1), ${KIND.int}, ${KIND.int | KIND.long})`,
    ...SCALARS.map(
      ([type, kind]) => sql`isNotNull(dynamicElement(${found}, ${text(type)})), ${kind}`,
    ),
  ]
  return sql`toUInt8(multiIf(${list(kinds)}, ${KIND.other}))`
}

const SCALARS = [
  ['Float64', KIND.real],
  ['String', KIND.string],
  ['Bool', KIND.bool],
] as const
