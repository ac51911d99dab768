/** ZooKeeper's error codes. */
export const KEEPER_ERROR = {
  inconsistent: -2,
  unimplemented: -6,
  noNode: -101,
  badVersion: -103,
  noChildrenForEphemerals: -108,
  nodeExists: -110,
  notEmpty: -111,
} as const

/** A request that ZooKeeper rejects. */
export class KeeperError extends Error {
  readonly code: number

  constructor(code: number) {
    super(`ZooKeeper error ${code}`)
    this.code = code
  }
}

/** A node of the tree, with the fields of ZooKeeper's `Stat`. */
export interface KeeperNode {
  data: Buffer
  /** The session that the node ends with; 0 for one that stays. */
  readonly owner: bigint
  readonly czxid: bigint
  mzxid: bigint
  pzxid: bigint
  readonly ctime: bigint
  mtime: bigint
  version: number
  cversion: number
  /** The number of the next sequential child. */
  sequence: number
  readonly children: Set<string>
}

/** The owner of ephemeral nodes. */
export interface Owner {
  readonly id: bigint
  readonly owned: Set<string>
}

/** An event for those who watch a path: its data or its children changed. */
export interface KeeperEvent {
  readonly watched: 'data' | 'children'
  readonly path: string
  readonly type: number
}

export const EVENT = { created: 1, deleted: 2, changed: 3, children: 4 } as const

/** A change that was made, which a transaction may have to undo. */
export interface Change {
  /** The path of a created node. */
  readonly path?: string
  /** The node after `set`. */
  readonly node?: KeeperNode
  readonly events: readonly KeeperEvent[]
  undo(): void
}

const EPHEMERAL = 1
const SEQUENTIAL = 2

/** ZooKeeper's tree of nodes, in memory. */
export class KeeperTree {
  zxid = 0n
  private readonly nodes = new Map([['/', newNode(0n, 0n, Buffer.alloc(0))]])

  get(path: string): KeeperNode {
    const node = this.nodes.get(path)
    if (node === undefined) throw new KeeperError(KEEPER_ERROR.noNode)
    return node
  }

  create(
    session: Owner,
    request: { readonly path: string; readonly data: Buffer; readonly flags: number },
  ): Change {
    const { data, flags } = request
    const above = parentOf(request.path)
    const parent = this.get(above)
    if (parent.owner !== 0n) throw new KeeperError(KEEPER_ERROR.noChildrenForEphemerals)
    const number = flags & SEQUENTIAL ? String(parent.sequence).padStart(10, '0') : ''
    const path = `${request.path}${number}`
    if (this.nodes.has(path)) throw new KeeperError(KEEPER_ERROR.nodeExists)
    const before = { ...parent }
    const name = path.slice(path.lastIndexOf('/') + 1)
    Object.assign(parent, {
      sequence: parent.sequence + 1,
      cversion: parent.cversion + 1,
      pzxid: this.zxid,
    })
    parent.children.add(name)
    this.nodes.set(path, newNode(this.zxid, flags & EPHEMERAL ? session.id : 0n, data))
    if (flags & EPHEMERAL) session.owned.add(path)
    return {
      path,
      events: [
        { watched: 'data', path, type: EVENT.created },
        { watched: 'children', path: above, type: EVENT.children },
      ],
      undo: () => {
        this.nodes.delete(path)
        session.owned.delete(path)
        parent.children.delete(name)
        const { sequence, cversion, pzxid } = before
        Object.assign(parent, { sequence, cversion, pzxid })
      },
    }
  }

  remove(
    owners: ReadonlyMap<bigint, Owner>,
    { path, version }: { readonly path: string; readonly version: number },
  ): Change {
    const node = this.checked(path, version)
    if (node.children.size > 0) throw new KeeperError(KEEPER_ERROR.notEmpty)
    const above = parentOf(path)
    const parent = this.get(above)
    const name = path.slice(path.lastIndexOf('/') + 1)
    const { cversion, pzxid } = parent
    const owner = owners.get(node.owner)
    this.nodes.delete(path)
    parent.children.delete(name)
    Object.assign(parent, { cversion: cversion + 1, pzxid: this.zxid })
    owner?.owned.delete(path)
    return {
      events: [
        { watched: 'data', path, type: EVENT.deleted },
        { watched: 'children', path, type: EVENT.deleted },
        { watched: 'children', path: above, type: EVENT.children },
      ],
      undo: () => {
        this.nodes.set(path, node)
        parent.children.add(name)
        Object.assign(parent, { cversion, pzxid })
        owner?.owned.add(path)
      },
    }
  }

  set({
    path,
    data,
    version,
  }: {
    readonly path: string
    readonly data: Buffer
    readonly version: number
  }): Change {
    const node = this.checked(path, version)
    const before = {
      data: node.data,
      version: node.version,
      mzxid: node.mzxid,
      mtime: node.mtime,
    }
    Object.assign(node, {
      data,
      version: node.version + 1,
      mzxid: this.zxid,
      mtime: BigInt(Date.now()),
    })
    return {
      node: { ...node },
      events: [{ watched: 'data', path, type: EVENT.changed }],
      undo: () => void Object.assign(node, before),
    }
  }

  check({ path, version }: { readonly path: string; readonly version: number }): Change {
    this.checked(path, version)
    return { events: [], undo: () => {} }
  }

  private checked(path: string, version: number): KeeperNode {
    const node = this.get(path)
    if (version !== -1 && version !== node.version) throw new KeeperError(KEEPER_ERROR.badVersion)
    return node
  }
}

function newNode(zxid: bigint, owner: bigint, data: Buffer): KeeperNode {
  const now = BigInt(Date.now())
  return {
    data,
    owner,
    czxid: zxid,
    mzxid: zxid,
    pzxid: zxid,
    ctime: now,
    mtime: now,
    version: 0,
    cversion: 0,
    sequence: 0,
    children: new Set(),
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')))
}
