import type { Column } from '../checked.js'

/** The columns at one point of the pipeline. */
export class Scope {
  readonly columns: readonly Column[]
  /** True behind a step that could not be read: columns that nobody knows of may be there. */
  readonly open: boolean
  private byName: ReadonlyMap<string, Column> | undefined

  constructor(columns: readonly Column[], { open }: { readonly open: boolean }) {
    this.columns = columns
    this.open = open
  }

  find(name: string): Column | undefined {
    this.byName ??= new Map(this.columns.map((column) => [column.name, column]))
    // Vendor notes write a dot that belongs to a key as `\.`; flat names have no such sign.
    return this.byName.get(name) ?? this.byName.get(name.replaceAll('\\.', '.'))
  }

  /** These columns, and those that nobody knows of. */
  with(columns: readonly Column[]): Scope {
    return new Scope(columns, { open: this.open })
  }

  /** Exactly these columns, whatever was there before. */
  replaced(columns: readonly Column[]): Scope {
    return new Scope(columns, { open: false })
  }

  names(): readonly string[] {
    return this.columns.map((column) => column.name)
  }
}
