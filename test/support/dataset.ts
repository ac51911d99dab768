import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Field } from '../../src/apl/schema.js'
import type { Type } from '../../src/apl/type.js'
import type { Engine } from '../../src/engine/engine.js'
import { nativeBlock } from '../../src/engine/ingest/scan/native-block.js'
import { blockColumns } from '../../src/engine/ingest/scan/scan-columns.js'
import type { FieldLayout, Layout } from '../../src/sql/layout.js'
import { identifier, list, raw, type Sql, sql, text } from '../../src/sql/sql.js'
import { parseEventTime } from '../../src/wire/event/event-time.js'
import { removeDirectory } from './remove-directory.js'

/** A dataset in the layout of the engine, created without the store. */
export interface TestDataset {
  readonly layout: Layout
  readonly fields: readonly Field[]
}

/** The types of fields that cannot be derived from the events. */
export interface DatasetOptions {
  readonly table: string
  /** Events as JSON, each with a `_time`. */
  readonly events: readonly string[]
  /** True when fields of one type get a column; otherwise all values are read from the text. */
  readonly hot: boolean
  /** True when the columns of strings have a dictionary, as those of fields with few values. */
  readonly hasDictionaries?: boolean
}

const SQL_TYPE: Partial<Record<Type, string>> = {
  bool: 'Bool',
  int: 'Int64',
  real: 'Float64',
  string: 'String',
}

/** Creates a table with these events in it. */
export async function layOut(engine: Engine, options: DatasetOptions): Promise<TestDataset> {
  const layout = layoutOf(options)
  const table = identifier(options.table)
  const columns = layout.fields.flatMap(({ name, type, column, paths }) => {
    if (column === undefined || name.startsWith('_')) return []
    const path = list(paths[0]!.map(text))
    const sqlType = `Nullable(${SQL_TYPE[type]})`
    const value = sql`JSONExtract(line, ${path}, ${text(sqlType)})`
    const isDictionary = options.hasDictionaries === true && type === 'string'
    const stored = isDictionary ? `LowCardinality(${sqlType})` : sqlType
    return [sql`${identifier(column)} ${raw(stored)} DEFAULT ${value}`]
  })
  const times = ['_time', '_sysTime'].map((name) => raw(`${name} DateTime64(9, 'UTC')`))
  const fixed = [...times, sql`_seq UInt64`, sql`_batch FixedString(16)`, sql`line String`]
  await engine.change({
    kind: 'create',
    dataset: options.table,
    statement: (name, engineOf) => sql`
      CREATE TABLE ${name} (${list([...fixed, ...columns])})
      ENGINE = ${engineOf({ family: 'MergeTree' })} ORDER BY (_time, _seq)`,
  })
  // In two inserts, so that both shards of a cluster have some.
  const half = Math.ceil(options.events.length / 2)
  await store(engine, table, options.events.slice(0, half), 1)
  await store(engine, table, options.events.slice(half), half + 1)
  return { layout, fields: layout.fields }
}

async function store(
  engine: Engine,
  table: Sql,
  events: readonly string[],
  first: number,
): Promise<void> {
  if (events.length === 0) return
  const directory = await mkdtemp(join(tmpdir(), 'evq-events-'))
  const path = join(directory, 'events')
  const rows = events.map((line, row) => {
    const time = parseEventTime(String(JSON.parse(line)._time)) ?? 0n
    return { time, row, line, values: [] }
  })
  await writeFile(path, nativeBlock([], rows))
  // Servers that deduplicate inserts sort their rows by all columns, which must not be the same one twice.
  await engine.load({
    files: [{ path, rows: rows.length }],
    columns: blockColumns([]),
    stores: { dataset: '', batchHash: undefined, numbers: [] },
    write: ({ rows }) => sql`
      INSERT INTO ${table} (_time, _sysTime, _seq, _batch, line)
      SELECT time, materialize(time), row + ${first}, '', line FROM ${rows}`,
  })
  await removeDirectory(directory)
}

function layoutOf({ table, events, hot }: DatasetOptions): Layout {
  const columns = new Map<string, { kinds: Set<Kind>; paths: Map<string, readonly string[]> }>()
  for (const event of events) {
    for (const [path, value, source] of leaves(event)) {
      const name = path.join('.')
      const field = columns.get(name) ?? { kinds: new Set(), paths: new Map() }
      if (value !== null) field.kinds.add(kindOf(value, source))
      field.paths.set(JSON.stringify(path), path)
      columns.set(name, field)
    }
  }
  columns.delete('_time')
  const own = [...columns].sort(([a], [b]) => (a < b ? -1 : 1))
  const fields = own.map(([name, { kinds, paths }]): FieldLayout => {
    const type = typeOf(kinds)
    const isHot = hot && type !== 'dynamic' && paths.size === 1
    return {
      name,
      type,
      wireType: [...kinds].sort().join('|'),
      paths: [...paths.values()],
      ...(isHot ? { column: `${name}:${type}` } : {}),
    }
  })
  return { table, fields: [time('_sysTime'), time('_time'), ...fields] }
}

function time(name: string): FieldLayout {
  return { name, type: 'datetime', wireType: 'datetime', column: name, paths: [[name]] }
}

type Kind = 'array' | 'boolean' | 'float' | 'integer' | 'string'

/** The leaf fields of an event, with the text of numbers. */
function* leaves(event: string): Generator<[readonly string[], unknown, string]> {
  const numbers = event.match(/-?\d+(\.\d+)?([eE][+-]?\d+)?(?=\s*[,}\]])/g) ?? []
  const integral = new Set(numbers.filter((number) => /^-?\d+$/.test(number)).map(Number))
  const walk = function* (
    value: unknown,
    path: readonly string[],
  ): Generator<[readonly string[], unknown, string]> {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const [key, inner] of Object.entries(value)) yield* walk(inner, [...path, key])
    } else {
      const source = typeof value === 'number' && !integral.has(value) ? 'float' : 'integer'
      yield [path, value, source]
    }
  }
  yield* walk(JSON.parse(event), [])
}

function kindOf(value: unknown, source: string): Kind {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return source === 'float' ? 'float' : 'integer'
  return typeof value === 'boolean' ? 'boolean' : 'string'
}

function typeOf(kinds: ReadonlySet<Kind>): Type {
  const [kind, other] = [...kinds].sort()
  if (kinds.size === 2 && kind === 'float' && other === 'integer') return 'real'
  if (kinds.size !== 1) return 'dynamic'
  if (kind === 'integer') return 'int'
  if (kind === 'float') return 'real'
  if (kind === 'boolean') return 'bool'
  return kind === 'string' ? 'string' : 'dynamic'
}
