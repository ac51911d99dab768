import type { Engine } from '../../src/engine/engine.js'
import { identifier, joined, list, raw, type Sql, sql, text } from '../../src/sql/sql.js'

// The tables of layout 1, as version 0.1.0 created them before lean rows: `line` has the text of every event, columns have the
// default codec, and the catalog has no comment.

/** A typed column of layout 1. */
export interface ColumnOfLayout1 {
  /** `status:int`. */
  readonly name: string
  readonly type: string
  readonly path: readonly string[]
  /** A column without default was retired. */
  readonly isRetired?: true
  /** `trial`, and the position, for a pending column. */
  readonly comment?: string
}

interface DatasetOfLayout1 {
  readonly name: string
  readonly columns: readonly ColumnOfLayout1[]
  /** The paths of the fields and their kinds of value. */
  readonly paths: readonly (readonly [path: readonly string[], kinds: number])[]
  /** Lines of JSON. */
  readonly events: readonly string[]
}

/** Creates the catalog and a dataset of layout 1. */
export async function createLayout1(engine: Engine, dataset: DatasetOfLayout1): Promise<void> {
  await engine.run(raw('CREATE DATABASE IF NOT EXISTS evq ENGINE = Atomic'))
  await engine.run(raw('CREATE DATABASE IF NOT EXISTS datasets ENGINE = Atomic'))
  await engine.run(
    raw(`
    CREATE TABLE IF NOT EXISTS evq.path (
      dataset String, path String, kinds SimpleAggregateFunction(groupBitOr, UInt8)
    ) ENGINE = AggregatingMergeTree ORDER BY (dataset, path)
    SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`),
  )
  const { name, columns, paths, events } = dataset
  const typed = columns.map((column) => sql`${definition(column)}, `)
  await engine.run(sql`
    CREATE TABLE datasets.${identifier(name)} (
      _time DateTime64(9, 'UTC') CODEC(Delta(8), ZSTD(1)),
      _sysTime DateTime64(9, 'UTC') CODEC(Delta(8), ZSTD(1)),
      _seq UInt64 CODEC(Delta(8), ZSTD(1)),
      _batch UInt64 CODEC(ZSTD(1)),
      _batchHigh UInt64 CODEC(ZSTD(1)),
      line String CODEC(ZSTD(1)),
      ${joined(typed, '')}
      INDEX batch _batch TYPE bloom_filter(0.01) GRANULARITY 1
    ) ENGINE = MergeTree ORDER BY (_time, _seq)
    SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 33554432
    COMMENT 'surveyed 0'`)
  const known = paths.map(
    ([path, kinds]) => sql`(${text(name)}, ${text(JSON.stringify(path))}, ${kinds})`,
  )
  await engine.run(sql`
    INSERT INTO evq.path (dataset, path, kinds)
    SELECT row.1, row.2, row.3 FROM (SELECT arrayJoin([${list(known)}]) AS row)`)
  const lines = events.map((event, i) => sql`(toUInt64(${i + 1}), ${text(event)})`)
  await engine.run(sql`
    INSERT INTO datasets.${identifier(name)} (_time, _sysTime, _seq, _batch, _batchHigh, line)
    SELECT toDateTime64('2026-01-01 00:00:00', 9, 'UTC') AS time, time, row.1, 0, 0, row.2
    FROM (SELECT arrayJoin([${list(lines)}]) AS row)`)
}

function definition({ name, type, path, isRetired, comment }: ColumnOfLayout1): Sql {
  const at = list(path.map(text))
  const dynamic = sql`dynamicElement(JSONExtract(line, ${at}, 'Dynamic'), ${text(type)})`
  const value =
    type === 'String'
      ? sql`if(JSONType(line, ${at}) = 'String', JSONExtract(line, ${at}, 'Nullable(String)'), NULL)`
      : dynamic
  const filled = isRetired ? sql`` : sql` DEFAULT ${value}`
  const note = comment === undefined ? sql`` : sql` COMMENT ${text(comment)}`
  return sql`${identifier(name)} Nullable(${raw(type)})${filled}${note}`
}
