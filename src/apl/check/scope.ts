import { MAX_SUGGESTED } from '../problem/wording.js'
import type { CheckedExpression, Column } from './checked.js'

/**
 * The columns at one point of the pipeline by name. They are made when they are asked for: a query over all datasets
 * could name hundreds of thousands, and uses a few.
 */
export interface Columns {
  /** The names in order; one that comes several times counts where it comes first. */
  names(): Iterable<string>
  /** The column of exactly this name. */
  find(name: string): Column | undefined
  /** The columns whose names fit, in order; without this, they are found one by one. */
  matching?(fits: (name: string) => boolean): readonly Column[]
  /**
   * An expression that is true in the rows in which one of the columns passes the test; without this, it is the test
   * of all of them. Undefined when a problem has been reported.
   */
  any?(test: ColumnTest): CheckedExpression | undefined
}

/** Makes the test that one of these columns passes. It refers to no others. */
export type ColumnTest = (columns: readonly Column[]) => CheckedExpression

/** The columns at one point of the pipeline. */
export class Scope {
  /** True behind a step that could not be read: columns that nobody knows of may be there. */
  readonly open: boolean
  private readonly source: Columns
  private readonly found = new Map<string, Column | undefined>()
  private all: readonly Column[] | undefined

  constructor(columns: readonly Column[] | Columns, { open }: { readonly open: boolean }) {
    this.source = 'names' in columns ? columns : listed(columns)
    this.open = open
  }

  find(name: string): Column | undefined {
    // Vendor notes write a dot that belongs to a key as `\\.`; flat names have no such sign.
    return this.exact(name) ?? (name.includes('\\.') ? this.exact(plain(name)) : undefined)
  }

  /** The column of exactly this name. */
  exact(name: string): Column | undefined {
    const known = this.found.get(name)
    if (known !== undefined || this.found.has(name)) return known
    const column = this.source.find(name)
    this.found.set(name, column)
    return column
  }

  /** All columns. Costs time in proportion to their number. */
  get columns(): readonly Column[] {
    this.all ??= this.matching(() => true)
    return this.all
  }

  /** The columns whose names fit, in order. */
  matching(fits: (name: string) => boolean): readonly Column[] {
    if (this.source.matching !== undefined) return this.source.matching(fits)
    // Found as they come: with too many of them, the first ones end the check.
    const columns = new Map<string, Column | undefined>()
    for (const name of this.source.names()) {
      if (!columns.has(name) && fits(name)) columns.set(name, this.exact(name))
    }
    return [...columns.values()].filter((column) => column !== undefined)
  }

  /** The column of this id, if an expression refers to it. */
  withId(id: number): Column | undefined {
    return [...this.found.values()].find((column) => column?.id === id)
  }

  /** See `Columns.any`. */
  any(test: ColumnTest): CheckedExpression | undefined {
    return this.source.any === undefined ? test(this.columns) : this.source.any(test)
  }

  /** The names as they come; some may come several times. */
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

  /** Names to suggest one from: all, or of very many the first. */
  namesToSuggest(): readonly string[] {
    const names = new Set<string>()
    for (const name of this.source.names()) {
      if (names.add(name).size === MAX_SUGGESTED) break
    }
    return [...names]
  }

  isEmpty(): boolean {
    return !this.hasName(() => true)
  }

  hasName(fits: (name: string) => boolean): boolean {
    for (const name of this.source.names()) if (fits(name)) return true
    return false
  }

  /** Exactly these columns, whatever was there before. */
  replaced(columns: readonly Column[]): Scope {
    return new Scope(columns, { open: false })
  }

  /** These columns in the place of those of the same name, and at the end. */
  extendedBy(columns: readonly Column[]): Scope {
    return this.over(new ExtendedColumns(this.source, columns))
  }

  /** The columns whose names fit. */
  filtered(fits: (name: string) => boolean): Scope {
    return this.over({
      names: () => this.namesThat(fits),
      find: (name) => (fits(name) ? this.exact(name) : undefined),
    })
  }

  /** The same columns, some under other names. */
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

  /** The same columns in the order that this makes of their names. */
  reordered(order: (names: readonly string[]) => readonly string[]): Scope {
    return this.over({ names: () => order(this.names()), find: (name) => this.exact(name) })
  }

  /** The same, and columns that nobody knows of. */
  opened(): Scope {
    return new Scope(this.source, { open: true })
  }

  private namesThat(fits: (name: string) => boolean): readonly string[] {
    const names = new Set<string>()
    for (const name of this.source.names()) if (fits(name)) names.add(name)
    return [...names]
  }

  private over(columns: Columns): Scope {
    return new Scope(columns, { open: this.open })
  }
}

/** Columns before which others have been put: a layer for each step, the last one first when a name is looked for. */
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
