import type { Field } from '../../apl/schema.js'
import type { FieldLayout, Layout } from '../../sql/layout.js'
import {
  type FieldPath,
  fieldName,
  pathKey,
  ROOT,
  SOURCE_FIELD,
} from '../../wire/json/field-path.js'
import { KIND, type Kinds, typeOfKinds, wireTypeOfKinds } from '../../wire/json/kinds.js'
import type { Engine } from '../engine.js'
import { columnName, type TypedColumn } from './typed-column.js'

/** A path at which events of a dataset have values. */
export interface KnownPath {
  readonly path: FieldPath
  /** The kinds of value found in the events that were examined; complete only for fields with a verified column. */
  readonly kinds: Kinds
}

/** The known paths of a dataset, by key. */
export type Paths = ReadonlyMap<string, KnownPath>

/** A typed column and its path. */
export interface TypedPath {
  readonly column: TypedColumn
  readonly known: KnownPath
}

const TIMES: readonly FieldLayout[] = ['_sysTime', '_time'].map((name) => ({
  name,
  type: 'datetime',
  wireType: 'datetime',
  column: name,
  paths: [],
}))

/** The text of the event. */
const SOURCE: FieldLayout = {
  name: SOURCE_FIELD,
  type: 'dynamic',
  wireType: '',
  column: 'line',
  paths: [],
}

/** The schema of a dataset; immutable. */
export class Dataset {
  readonly name: string
  readonly paths: Paths
  /** The typed columns by field, including pending ones; each has exactly one path. */
  readonly columns: ReadonlyMap<string, TypedColumn>
  /** The keys of the paths of maps: objects whose members are not fields. */
  readonly maps: ReadonlySet<string>
  /** True when the field limit is reached: other values can only be read from the event. */
  readonly isFull: boolean
  readonly layout: Layout
  readonly fields: readonly Field[]

  constructor(name: string, paths: Paths, columns: ReadonlyMap<string, TypedColumn>) {
    this.name = name
    this.paths = paths
    this.columns = columns
    this.isFull = paths.has(pathKey(ROOT))
    this.maps = new Set(
      [...paths].flatMap(([key, { path, kinds }]) =>
        path.length > 0 && (kinds & KIND.map) !== 0 ? [key] : [],
      ),
    )
    const fields = layoutFields(paths, columns)
    this.layout = { table: name, fields }
    this.fields = fields.map(({ name, type }) => ({ name, type }))
  }

  /** Returns the typed columns with their paths. */
  typedPaths(): readonly TypedPath[] {
    return [...this.paths.values()].flatMap((known) => {
      const column = this.columns.get(fieldName(known.path))
      return column === undefined ? [] : [{ column, known }]
    })
  }

  /** Returns the pending columns with their paths. */
  pendingPaths(): readonly TypedPath[] {
    return this.typedPaths().filter(({ column }) => column.isPending)
  }

  knows(path: FieldPath): boolean {
    return this.paths.has(pathKey(path))
  }

  /** True for a path inside a map. */
  isInMap(path: FieldPath): boolean {
    if (this.maps.size === 0) return false
    return path.some((_, depth) => this.maps.has(pathKey(path.slice(0, depth))))
  }
}

/** Returns the paths that are new or different in `after`. */
export function changedPaths(before: Paths, after: Paths): readonly KnownPath[] {
  return [...after].filter(([key, known]) => known !== before.get(key)).map(([, known]) => known)
}

function layoutFields(
  paths: Paths,
  columns: ReadonlyMap<string, TypedColumn>,
): readonly FieldLayout[] {
  const byName = new Map<string, KnownPath[]>()
  for (const known of paths.values()) {
    const name = fieldName(known.path)
    const others = byName.get(name)
    if (others === undefined) byName.set(name, [known])
    else others.push(known)
  }
  const fields = [...byName].map(([name, known]) =>
    name === SOURCE_FIELD ? SOURCE : fieldLayout(name, known, columns.get(name)),
  )
  return [...TIMES, ...fields.sort((a, b) => (a.name < b.name ? -1 : 1))]
}

function fieldLayout(
  name: string,
  known: readonly KnownPath[],
  column: TypedColumn | undefined,
): FieldLayout {
  const paths = known.map(({ path }) => path)
  if (column === undefined || column.isPending)
    return { name, type: 'dynamic', wireType: '', paths }
  const kinds = known.reduce((all, one) => all | one.kinds, 0)
  return {
    name,
    type: typeOfKinds(kinds) ?? column.type,
    wireType: wireTypeOfKinds(kinds),
    column: columnName(column),
    paths,
  }
}

/** A dataset with the engine that stores it. `changed` replaces the current schema; only the holder of the dataset's lock may call it. */
export interface DatasetHandle {
  readonly name: string
  readonly engine: Engine
  current(): Dataset | undefined
  changed(dataset: Dataset): void
}
