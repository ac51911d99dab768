/** The types of values by number; `group` is an object whose members are fields. */
export const TYPE = {
  integer: 0,
  float: 1,
  string: 2,
  boolean: 3,
  array: 4,
  object: 5,
  null: 6,
  group: 7,
} as const

/** The type of a value. */
export type ValueType = keyof typeof TYPE

/** The types in the order of their numbers. */
export const VALUE_TYPES = Object.keys(TYPE) as readonly ValueType[]

/** Limits memory for events whose field names never repeat; further keys share one node. */
const MAX_NODES = 50_000

/** A key in events, within the objects that lead to it. */
export class FieldNode {
  readonly path: readonly string[]
  /** Number of events by the type of the value. */
  readonly counts = new Array<number>(VALUE_TYPES.length).fill(0)
  /** The location of the first value of each type, in order of occurrence. */
  readonly firsts: { readonly type: number; readonly at: string }[] = []
  readonly children = new Map<string, FieldNode>()
  private lastEvent = 0

  constructor(path: readonly string[]) {
    this.path = path
  }

  /** Counts the value of an event, unless it is that of a repeated key. `at` returns its location. */
  count(type: number, event: number, at: () => string): void {
    if (this.lastEvent === event) return
    this.lastEvent = event
    const before = this.counts[type]!
    this.counts[type] = before + 1
    if (before === 0) this.firsts.push({ type, at: at() })
  }
}

/** The keys seen in events, as a tree. */
export class FieldTree {
  readonly root = new FieldNode([])
  /** Shared by all keys above the limit. */
  readonly others = new FieldNode(['…'])
  private size = 0

  /** Returns the node of a path. */
  at(path: readonly string[]): FieldNode {
    let node = this.root
    for (const key of path) node = this.child(node, key)
    return node
  }

  *nodes(from: FieldNode = this.root): Generator<FieldNode> {
    for (const node of from.children.values()) {
      yield node
      yield* this.nodes(node)
    }
  }

  private child(parent: FieldNode, key: string): FieldNode {
    const known = parent.children.get(key)
    if (known !== undefined) return known
    if (parent === this.others || this.size === MAX_NODES) return this.others
    const node = new FieldNode([...parent.path, key])
    parent.children.set(key, node)
    this.size += 1
    return node
  }
}
