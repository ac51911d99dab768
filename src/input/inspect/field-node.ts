/** What the value of a field can be; `group` is an object whose own values are fields. */
export const VALUE_TYPES = [
  'integer',
  'float',
  'string',
  'boolean',
  'array',
  'object',
  'null',
  'group',
] as const

/** What a value of a field is. */
export type ValueType = (typeof VALUE_TYPES)[number]

/** A value type by its place in the list: the walk over values handles no texts. */
export const TYPE = {
  integer: 0,
  float: 1,
  string: 2,
  boolean: 3,
  array: 4,
  object: 5,
  null: 6,
  group: 7,
} as const satisfies Record<ValueType, number>

/** More places than this are not told apart: whoever makes up names without end must not fill the memory. */
const MOST_NODES = 50_000

/** A place in events: a key, inside the objects that lead to it. */
export class FieldNode {
  readonly path: readonly string[]
  /** The key as its bytes stand between the quotes. */
  readonly key: Buffer
  /** How many events hold a value of each type there. */
  readonly counts = new Array<number>(VALUE_TYPES.length).fill(0)
  /** Where the first of each type stands, in the order in which they came. */
  readonly firsts: { readonly type: number; readonly at: string }[] = []
  /** The last event that has the key. */
  seenIn = 0
  /** 1 where an event's time stands, 2 where it stands if nothing does there. */
  timeRank = 0
  /** The key that came next in its object the last time; objects tend to have one order. */
  next: FieldNode | undefined
  /** The key that its own object began with the last time. */
  first: FieldNode | undefined
  readonly children = new Map<string, FieldNode>()

  constructor(path: readonly string[], key: Buffer) {
    this.path = path
    this.key = key
  }

  /** Takes in one more value. */
  count(type: number, at: () => string): void {
    const before = this.counts[type]!
    this.counts[type] = before + 1
    if (before === 0) this.firsts.push({ type, at: at() })
  }
}

/** All places that were seen in events, by how they lie inside each other. */
export class FieldTree {
  readonly root = new FieldNode([], Buffer.alloc(0))
  /** Stands for all places beyond the most that are told apart. */
  readonly others = new FieldNode(['…'], Buffer.alloc(0))
  private size = 0

  /** The place of a key, as its bytes stand between the quotes, in latin1. */
  child(parent: FieldNode, key: string): FieldNode {
    const known = parent.children.get(key)
    if (known !== undefined) return known
    if (parent === this.others || this.size === MOST_NODES) return this.others
    const bytes = Buffer.from(key, 'latin1')
    const node = new FieldNode([...parent.path, bytes.toString()], bytes)
    parent.children.set(key, node)
    this.size += 1
    return node
  }

  /** The place of a path. */
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
