/** The types of values by number, so that the walk over values handles no strings; `group` is an object whose members are fields. */
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
  /** The bytes between the quotes of the key. */
  readonly key: Buffer
  /** Number of events by the type of the value. */
  readonly counts = new Array<number>(VALUE_TYPES.length).fill(0)
  /** The location of the first value of each type, in order of occurrence. */
  readonly firsts: { readonly type: number; readonly at: string }[] = []
  /** Number of the last event that has the key. */
  seenIn = 0
  /** 1 for the field of the event time, 2 for the field used when that one is missing, 0 for other fields. */
  timeRank = 0
  /** The key that followed this key in the last event; objects tend to keep their order. */
  next: FieldNode | undefined
  /** The first key of the object at this key in the last event. */
  first: FieldNode | undefined
  readonly children = new Map<string, FieldNode>()

  constructor(path: readonly string[], key: Buffer) {
    this.path = path
    this.key = key
  }

  /** Counts one value; `at` returns its location. */
  count(type: number, at: () => string): void {
    const before = this.counts[type]!
    this.counts[type] = before + 1
    if (before === 0) this.firsts.push({ type, at: at() })
  }
}

/** The keys seen in events, as a tree. */
export class FieldTree {
  readonly root = new FieldNode([], Buffer.alloc(0))
  /** Shared by all keys above the limit. */
  readonly others = new FieldNode(['…'], Buffer.alloc(0))
  private size = 0

  /** Returns the node of a key; `key` is the bytes between its quotes, in latin1. */
  child(parent: FieldNode, key: string): FieldNode {
    const known = parent.children.get(key)
    if (known !== undefined) return known
    if (parent === this.others || this.size === MAX_NODES) return this.others
    const bytes = Buffer.from(key, 'latin1')
    const node = new FieldNode([...parent.path, bytes.toString()], bytes)
    parent.children.set(key, node)
    this.size += 1
    return node
  }

  /** Returns the node of a path. */
  at(path: readonly string[]): FieldNode {
    return path.reduce(
      (node, key) => this.child(node, Buffer.from(key).toString('latin1')),
      this.root,
    )
  }

  *nodes(from: FieldNode = this.root): Generator<FieldNode> {
    for (const node of from.children.values()) {
      yield node
      yield* this.nodes(node)
    }
  }
}
