import { MAX_SUGGESTED } from '../problem/wording.js'
import type { CheckedExpression, Column } from './checked.js'

/**
 * The columns at one point of the pipeline by name, created on demand: a query over all datasets may have hundreds of
 * thousands of columns, of which it uses a few.
 */
export interface Columns {
  /** Returns the names in order; of repeated names, the first occurrence counts. */
  names(): Iterable<string>
  /** Returns the column of exactly this name; undefined if there is none. */
  find(name: string): Column | undefined
  /** Returns the columns whose names pass, in order. Without this method, they are looked up one by one. */
  matching?(fits: (name: string) => boolean): readonly Column[]
  /**
   * Returns an expression that is true if one of the columns passes the test. Without this method, the test is applied to all
   * columns together.
   */
  any?(test: ColumnTest): CheckedExpression
  /**
   * Filters the rows of each part of a union by the condition that `check` returns for the scope of the part. Returns false if the
   * parts cannot be filtered. Columns of a single source do not have this method.
   */
  filterParts?(check: (scope: Scope) => CheckedExpression): boolean
}

/** Returns an expression that is true if one of the columns passes the test; the expression refers to no other columns. */
export type ColumnTest = (columns: readonly Column[]) => CheckedExpression

/** The field with the time of arrival. */
export const ARRIVAL = '_sysTime'

interface ScopeOptions extends Pick<Scope, 'open'> {
  readonly arrival?: () => Column | undefined
  readonly hidden?: readonly string[]
}

/** The columns at one point of the pipeline. */
export class Scope {
  /** True after a step with a syntax error: there may be unknown columns. */
  readonly open: boolean
  private readonly source: Columns
  private readonly arrivalBefore: (() => Column | undefined) | undefined
  /** Names of columns that could not be checked since the fields of the events are not known. */
  private readonly hidden: readonly string[]
  private readonly found = new Map<string, Column | undefined>()
  private all: readonly Column[] | undefined

  constructor(columns: readonly Column[] | Columns, { open, arrival, hidden = [] }: ScopeOptions) {
    this.source = 'names' in columns ? columns : listed(columns)
    this.open = open
    this.arrivalBefore = arrival
    this.hidden = hidden
  }

  find(name: string): Column | undefined {
    // The documentation writes a dot in a key as `\\.`; flat names contain no backslash.
    return this.exact(name) ?? (name.includes('\\.') ? this.exact(plain(name)) : undefined)
  }

  /** Returns the column of exactly this name; undefined if there is none. */
  exact(name: string): Column | undefined {
    const known = this.found.get(name)
    if (known !== undefined || this.found.has(name)) return known
    const column = this.source.find(name)
    this.found.set(name, column)
    return column
  }

  /**
   * The column with the time of arrival. A query can refer to it after a `project` that drops it, because clients of the hosted
   * service append `coalesce(_time, _sysTime)` to any query of events.
   */
  get arrival(): Column | undefined {
    return this.exact(ARRIVAL) ?? this.arrivalBefore?.()
  }

  /** All columns. Takes time proportional to their number. */
  get columns(): readonly Column[] {
    this.all ??= this.matching(() => true)
    return this.all
  }

  /** Returns the columns whose names pass, in order. */
  matching(fits: (name: string) => boolean): readonly Column[] {
    if (this.source.matching !== undefined) return this.source.matching(fits)
    // Looked up one by one, so that the check ends early when there are too many columns.
    const columns = new Map<string, Column | undefined>()
    for (const name of this.source.names()) {
      if (!columns.has(name) && fits(name)) columns.set(name, this.exact(name))
    }
    return [...columns.values()].filter((column) => column !== undefined)
  }

  /** Returns the column with this id; undefined if it has not been looked up. */
  withId(id: number): Column | undefined {
    return [...this.found.values()].find((column) => column?.id === id)
  }

  /** See `Columns.any`. */
  any(test: ColumnTest): CheckedExpression {
    return this.source.any === undefined ? test(this.columns) : this.source.any(test)
  }

  /** See `Columns.filterParts`. */
  filterParts(check: (scope: Scope) => CheckedExpression): boolean {
    return this.source.filterParts?.(check) ?? false
  }

  /** Returns the names in order, possibly with duplicates. */
  allNames(): Iterable<string> {
    return this.source.names()
  }

  first(): Column | undefined {
    for (const name of this.source.names()) return this.exact(name)
    return undefined
  }

  names(): readonly string[] {
    return this.namesThat(() => true)
  }

  /** Returns up to `MAX_SUGGESTED` names, as candidates for suggestions. */
  namesToSuggest(): readonly string[] {
    const names = new Set<string>(this.hidden)
    for (const name of this.source.names()) {
      if (names.add(name).size >= MAX_SUGGESTED) break
    }
    return [...names]
  }

  isEmpty(): boolean {
    return this.hidden.length === 0 && !this.hasName(() => true)
  }

  hasName(fits: (name: string) => boolean): boolean {
    for (const name of this.source.names()) if (fits(name)) return true
    return false
  }

  /** Returns a scope with these columns of the same rows; the time of arrival can still be referred to. */
  projected(columns: readonly Column[]): Scope {
    return new Scope(columns, { open: false, arrival: () => this.arrival })
  }

  /** Returns a scope with exactly these columns, of other rows. */
  replaced(columns: readonly Column[]): Scope {
    return new Scope(columns, { open: false })
  }

  /** Returns a scope with additional columns, which replace columns of the same name. */
  extendedBy(columns: readonly Column[]): Scope {
    return this.over(new ExtendedColumns(this.source, columns))
  }

  /** Returns a scope with the columns whose names pass. */
  filtered(fits: (name: string) => boolean): Scope {
    const columns: Columns = {
      names: () => this.namesThat(fits),
      find: (name) => (fits(name) ? this.exact(name) : undefined),
    }
    return this.over(columns, this.hidden.filter(fits))
  }

  renamed(names: ReadonlyMap<string, string>): Scope {
    const before = new Map([...names].map(([from, to]) => [to, from]))
    return this.over({
      names: () => this.names().map((name) => names.get(name) ?? name),
      find: (name) => {
        const from = before.get(name)
        const column = from === undefined && names.has(name) ? undefined : this.exact(from ?? name)
        return column && { ...column, name }
      },
    })
  }

  /** Returns a scope with the columns in another order. */
  reordered(order: (names: readonly string[]) => readonly string[]): Scope {
    return this.over({ names: () => order(this.names()), find: (name) => this.exact(name) })
  }

  /** Returns the same scope, which also suggests these names. */
  suggesting(names: readonly string[]): Scope {
    return names.length === 0 ? this : this.over(this.source, [...this.hidden, ...names])
  }

  /** Returns the same scope, open for unknown columns. */
  opened(): Scope {
    return new Scope(this.source, { open: true, arrival: () => this.arrival })
  }

  private namesThat(fits: (name: string) => boolean): readonly string[] {
    const names = new Set<string>()
    for (const name of this.source.names()) if (fits(name)) names.add(name)
    return [...names]
  }

  private over(columns: Columns, hidden = this.hidden): Scope {
    return new Scope(columns, { open: this.open, arrival: () => this.arrival, hidden })
  }
}

/** Columns with layers of additional columns, one for each step; the last layer takes precedence. */
class ExtendedColumns implements Columns {
  private readonly base: Columns
  private readonly layers: readonly ReadonlyMap<string, Column>[]

  constructor(source: Columns, added: readonly Column[]) {
    const layer = new Map(added.map((column) => [column.name, column]))
    this.base = source instanceof ExtendedColumns ? source.base : source
    this.layers = source instanceof ExtendedColumns ? [...source.layers, layer] : [layer]
  }

  *names(): Iterable<string> {
    yield* this.base.names()
    for (const layer of this.layers) yield* layer.keys()
  }

  find(name: string): Column | undefined {
    const layer = this.layers.findLast((one) => one.has(name))
    return layer === undefined ? this.base.find(name) : layer.get(name)
  }
}

function plain(name: string): string {
  return name.replaceAll('\\.', '.')
}

function listed(columns: readonly Column[]): Columns {
  const byName = new Map(columns.map((column) => [column.name, column]))
  return { names: () => byName.keys(), find: (name) => byName.get(name) }
}
