import type { Field } from '../apl/schema.js'
import type { FieldLayout, Layout } from '../sql/layout.js'
import { type FieldPath, fieldName, pathKey } from '../wire/field-path.js'
import { type Kinds, typeOfKinds, wireTypeOfKinds } from '../wire/kinds.js'
import { columnName, type HotColumn } from './hot-column.js'

/** A place in a dataset's events where values were found. */
export interface KnownPath {
  readonly path: FieldPath
  /** What was found there, as far as anybody looked: complete only for fields with a proven column. */
  readonly kinds: Kinds
}

/** A typed column and where its values stand. */
export interface HotPath {
  readonly column: HotColumn
  readonly known: KnownPath
}

const TIMES: readonly FieldLayout[] = ['_sysTime', '_time'].map((name) => ({
  name,
  type: 'datetime',
  wireType: 'datetime',
  column: name,
  paths: [],
}))

/** What is known of a dataset: a value, replaced by another when more is known. */
export class Dataset {
  readonly name: string
  readonly paths: ReadonlyMap<string, KnownPath>
  /** The typed columns by field, those on trial too; each has exactly one path. */
  readonly columns: ReadonlyMap<string, HotColumn>
  readonly layout: Layout
  readonly fields: readonly Field[]

  constructor(
    name: string,
    paths: ReadonlyMap<string, KnownPath>,
    columns: ReadonlyMap<string, HotColumn>,
  ) {
    this.name = name
    this.paths = paths
    this.columns = columns
    const fields = layoutFields(paths, columns)
    this.layout = { table: name, fields }
    this.fields = fields.map(({ name, type }) => ({ name, type }))
  }

  /** The typed columns with where their values stand. */
  hotPaths(): readonly HotPath[] {
    return [...this.paths.values()].flatMap((known) => {
      const column = this.columns.get(fieldName(known.path))
      return column === undefined ? [] : [{ column, known }]
    })
  }

  /** Those of them that are on trial. */
  trials(): readonly HotPath[] {
    return this.hotPaths().filter(({ column }) => column.trial)
  }

  knows(path: FieldPath): boolean {
    return this.paths.has(pathKey(path))
  }
}

function layoutFields(
  paths: ReadonlyMap<string, KnownPath>,
  columns: ReadonlyMap<string, HotColumn>,
): readonly FieldLayout[] {
  const byName = new Map<string, KnownPath[]>()
  for (const known of paths.values()) {
    const name = fieldName(known.path)
    byName.set(name, [...(byName.get(name) ?? []), known])
  }
  const fields = [...byName].map(([name, known]) => fieldLayout(name, known, columns.get(name)))
  return [...TIMES, ...fields.sort((a, b) => (a.name < b.name ? -1 : 1))]
}

function fieldLayout(
  name: string,
  known: readonly KnownPath[],
  column: HotColumn | undefined,
): FieldLayout {
  const paths = known.map(({ path }) => path)
  if (column === undefined || column.trial) return { name, type: 'dynamic', wireType: '', paths }
  const kinds = known.reduce((all, one) => all | one.kinds, 0)
  return {
    name,
    type: typeOfKinds(kinds) ?? column.type,
    wireType: wireTypeOfKinds(kinds),
    column: columnName(column),
    paths,
  }
}
