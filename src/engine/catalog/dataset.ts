import type { Field } from '../../apl/schema.js'
import type { Type } from '../../apl/type.js'
import type { FieldLayout, Layout, StoredLeaf } from '../../sql/layout.js'
import type { TokenIndex } from '../../sql/token-index.js'
import { addTo } from '../../text/lists.js'
import {
  type FieldPath,
  fieldName,
  pathKey,
  ROOT,
  SOURCE_FIELD,
} from '../../wire/json/field-path.js'
import {
  columnTypes,
  KIND,
  type Kinds,
  type TypedColumnType,
  typeOfKinds,
  wireTypeOfKinds,
} from '../../wire/json/kinds.js'
import type { Engine } from '../engine.js'
import { columnName, type TypedColumn } from './typed-column.js'

/** A path at which events of a dataset have values. */
export interface KnownPath {
  readonly path: FieldPath
  /** The kinds of all values that were ever stored, unless it is a map: a value of another kind is added before it is stored. */
  readonly kinds: Kinds
}

/** The known paths of a dataset, by key. */
export type Paths = ReadonlyMap<string, KnownPath>

/** A column in the table of a dataset, and the path of its values. */
export interface PlacedColumn {
  readonly column: TypedColumn
  readonly path: FieldPath
}

/** A column that inserts fill, and the kinds of all values at its path. */
export interface TypedPath extends PlacedColumn, KnownPath {}

const TIMES: readonly FieldLayout[] = ['_sysTime', '_time'].map((name) => ({
  name,
  type: 'datetime',
  wireType: 'datetime',
  column: name,
  paths: [],
}))

/** The text of the event. */
const SOURCE = {
  name: SOURCE_FIELD,
  type: 'dynamic',
  wireType: '',
  column: 'line',
  paths: [],
} satisfies FieldLayout

/** The schema of a dataset; immutable. */
export class Dataset {
  readonly name: string
  readonly paths: Paths
  /**
   * The typed columns by field; each has exactly one path. When the values of a field have no common type, its column holds some of
   * them.
   */
  readonly columns: ReadonlyMap<string, TypedColumn>
  /**
   * Columns whose type the values of their field no longer fit. Inserts do not fill them, but they may hold the only copy of the
   * values of earlier events.
   */
  readonly former: readonly PlacedColumn[]
  readonly tokenIndexes: readonly TokenIndex[]
  /** The keys of the paths of maps: objects whose members are not fields. */
  readonly maps: ReadonlySet<string>
  /** True when the field limit is reached: values at further paths can only be read from the text of the event. */
  readonly isFull: boolean
  readonly layout: Layout
  readonly fields: readonly Field[]

  constructor(
    name: string,
    {
      paths,
      columns,
      former = [],
      tokenIndexes = [],
    }: Pick<Dataset, 'paths' | 'columns'> & Partial<Pick<Dataset, 'former' | 'tokenIndexes'>>,
  ) {
    this.name = name
    this.paths = paths
    this.columns = columns
    this.former = former
    this.tokenIndexes = tokenIndexes
    this.isFull = paths.has(pathKey(ROOT))
    this.maps = new Set(
      [...paths].flatMap(([key, { path, kinds }]) =>
        path.length > 0 && (kinds & KIND.map) !== 0 ? [key] : [],
      ),
    )
    const fields = layoutFields(this)
    this.layout = { table: name, fields, tokenIndexes }
    this.fields = fields.map(({ name, type, wireType }) => ({ name, type, wireType }))
  }

  typedPaths(): readonly TypedPath[] {
    return [...this.paths.values()].flatMap((known) => {
      const column = this.columns.get(fieldName(known.path))
      return column === undefined ? [] : [{ column, ...known }]
    })
  }

  /** Returns the columns that may hold values which the stored text of events lacks. */
  heldColumns(): readonly PlacedColumn[] {
    return [...this.typedPaths(), ...this.former]
  }

  hasFormer(column: TypedColumn): boolean {
    return this.former.some((one) => columnName(one.column) === columnName(column))
  }

  /** False until the first event with a field is stored. */
  get hasFields(): boolean {
    return this.paths.size > 0
  }

  knows(path: FieldPath): boolean {
    return this.paths.has(pathKey(path))
  }

  isInMap(path: FieldPath): boolean {
    if (this.maps.size === 0) return false
    return path.some((_, depth) => depth > 0 && this.maps.has(pathKey(path.slice(0, depth))))
  }
}

export function withoutFields(name: string): Dataset {
  return new Dataset(name, { paths: new Map(), columns: new Map() })
}

interface ChangedSchema extends Pick<Dataset, 'paths' | 'columns'> {
  readonly retired: readonly PlacedColumn[]
}

/** Returns the dataset with the changed paths and columns, the paths that are new or different, and the retired columns. */
export function schemaWith(
  { name, paths: before, former, tokenIndexes }: Dataset,
  { paths, columns, retired }: ChangedSchema,
) {
  const all = [...former, ...retired]
  return {
    dataset: new Dataset(name, { paths, columns, former: all, tokenIndexes }),
    paths: changedPaths(before, paths),
    retired: retired.map(({ column }) => column),
  }
}

export function changedPaths(before: Paths, after: Paths): readonly KnownPath[] {
  return [...after].filter(([key, known]) => known !== before.get(key)).map(([, known]) => known)
}

function layoutFields(dataset: Dataset): readonly FieldLayout[] {
  const { paths } = dataset
  const byName = new Map<string, KnownPath[]>()
  for (const known of paths.values()) {
    addTo(byName, fieldName(known.path), known)
  }
  const fields = [...byName].map(([name, known]) =>
    name === SOURCE_FIELD
      ? { ...SOURCE, inColumns: dataset.heldColumns().map(storedLeaf) }
      : fieldLayout(name, known, dataset),
  )
  return [...TIMES, ...fields.sort((a, b) => (a.name < b.name ? -1 : 1))]
}

function fieldLayout(name: string, known: readonly KnownPath[], dataset: Dataset): FieldLayout {
  const paths = known.map(({ path }) => path).sort(innerFirst)
  const held = dataset.columns.get(name)
  const kinds = known.reduce((all, one) => all | one.kinds, 0)
  const common = typeOfKinds(kinds)
  const isPartial = held && common === undefined && columnTypes(kinds).includes(held.type)
  const column = isPartial ? undefined : held
  const type = common ?? column?.type
  const others = column ? [] : formerOf(name, paths, dataset).map(storedLeaf)
  const inColumns = isPartial
    ? [...others, storedLeaf({ column: held, path: paths[0] ?? [] })]
    : others
  return {
    name,
    type: type === undefined ? 'dynamic' : valueType(type),
    wireType: type === undefined ? '' : wireTypeOfKinds(kinds),
    paths,
    ...(column && { column: columnName(column) }),
    ...(inColumns.length > 0 && { inColumns }),
  }
}

/**
 * The order of the paths of one field, the first of which counts in an event with several: `["a","b"]` is in front of `["a.b"]`, as in
 * the catalog, in whatever order events had them.
 */
function innerFirst(a: FieldPath, b: FieldPath): number {
  return pathKey(a) < pathKey(b) ? -1 : 1
}

/** Returns the type that the values of a column have in queries. */
function valueType(type: TypedColumnType): Type {
  return type === 'array' ? 'dynamic' : type
}

/** Returns the former columns of a field; for a map, also the former columns of its members. */
function formerOf(
  name: string,
  paths: readonly FieldPath[],
  { former, maps }: Dataset,
): readonly PlacedColumn[] {
  if (former.length === 0) return []
  const wholes = paths.filter((path) => maps.has(pathKey(path)))
  const isInside = (path: FieldPath): boolean =>
    wholes.some((map) => map.every((key, depth) => key === path[depth]))
  return former.filter(({ column, path }) => column.field === name || isInside(path))
}

function storedLeaf({ column, path }: PlacedColumn): StoredLeaf {
  return { column: columnName(column), type: valueType(column.type), path }
}

/** A dataset with the engine that stores it. `changed` replaces the current schema; only the holder of the dataset's lock may call it. */
export interface DatasetHandle {
  readonly name: string
  readonly engine: Engine
  current(): Dataset | undefined
  changed(dataset: Dataset): void
}
