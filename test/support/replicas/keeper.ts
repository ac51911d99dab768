import { type AddressInfo, createServer, type Socket } from 'node:net'
import {
  type Change,
  KEEPER_ERROR,
  KeeperError,
  type KeeperEvent,
  type KeeperNode,
  KeeperTree,
  type Owner,
} from './keeper-tree.js'
import { Fields, Response } from './keeper-wire.js'

// A ZooKeeper for tests, in memory: the requests of version 3.4 that ClickHouse sends.

/** A running ZooKeeper. */
export interface Keeper {
  readonly port: number
  /** The number of connected clients. */
  sessions(): number
  /** Expires all sessions, as after a long disconnection of every client. */
  expireAll(): void
  /** Stops responding, like a server that hangs; connections stay open. */
  pause(): void
  /** Pauses when a client reads a node, or its children, whose path ends like this. Resolves then. */
  pauseWhenRead(end: string): Promise<void>
  resume(): void
  stop(): void
}

interface Session extends Owner {
  readonly socket: Socket
  timer: NodeJS.Timeout | undefined
  /** The time without a request, in turns of the timer: a pause of this process ends no session. */
  silentMs: number
}

const OPERATION = {
  create: 1,
  delete: 2,
  exists: 3,
  getData: 4,
  setData: 5,
  getChildren: 8,
  sync: 9,
  ping: 11,
  getChildren2: 12,
  check: 13,
  multi: 14,
  create2: 15,
  setAuth: 100,
  close: -11,
} as const

const READS: readonly number[] = [OPERATION.getData, OPERATION.getChildren, OPERATION.getChildren2]

/** The id of messages that are not responses. */
const WATCH_EVENT = -1
const CONNECTED = 3

export async function startKeeper(): Promise<Keeper> {
  const keeper = new KeeperServer()
  return await keeper.listen()
}

class KeeperServer {
  private readonly tree = new KeeperTree()
  private readonly sessions = new Map<bigint, Session>()
  private readonly watches = {
    data: new Map<string, Set<Session>>(),
    children: new Map<string, Set<Session>>(),
  }
  private readonly sockets = new Set<Socket>()
  private isPaused = false
  private trap: { readonly end: string; sprung(): void } | undefined
  private lastSession = BigInt(Date.now()) << 20n

  async listen(): Promise<Keeper> {
    const server = createServer((socket) => this.connect(socket))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    return {
      port,
      sessions: () => this.sessions.size,
      expireAll: () => {
        for (const session of [...this.sessions.values()]) this.end(session)
      },
      pause: () => this.setPaused(true),
      pauseWhenRead: (end) =>
        new Promise((resolve) => {
          this.trap = { end, sprung: resolve }
        }),
      resume: () => this.setPaused(false),
      stop: () => {
        for (const session of [...this.sessions.values()]) this.end(session)
        for (const socket of this.sockets) socket.destroy()
        server.close()
      },
    }
  }

  private setPaused(isPaused: boolean): void {
    this.isPaused = isPaused
    for (const session of this.sessions.values()) session.silentMs = 0
    for (const socket of this.sockets) {
      if (isPaused) socket.pause()
      else socket.resume()
    }
  }

  private connect(socket: Socket): void {
    let session: Session | undefined
    let rest = Buffer.alloc(0)
    this.sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => {})
    socket.on('close', () => this.sockets.delete(socket))
    const handleAll = (): void => {
      while (rest.length >= 4 && rest.length >= 4 + rest.readInt32BE(0)) {
        const end = 4 + rest.readInt32BE(0)
        const request = rest.subarray(4, end)
        this.springTrap(request)
        if (this.isPaused) return
        rest = rest.subarray(end)
        if (session === undefined) session = this.open(socket, new Fields(request))
        else this.handle(session, new Fields(request))
      }
    }
    socket.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk])
      handleAll()
    })
    socket.on('resume', handleAll)
    if (this.isPaused) socket.pause()
  }

  private springTrap(request: Buffer): void {
    const { trap } = this
    if (trap === undefined || request.length < 12 || !READS.includes(request.readInt32BE(4))) return
    const path = request.toString('utf8', 12, 12 + request.readInt32BE(8))
    if (!path.endsWith(trap.end)) return
    this.trap = undefined
    this.setPaused(true)
    trap.sprung()
  }

  private open(socket: Socket, fields: Fields): Session {
    fields.int()
    fields.long()
    const timeoutMs = fields.int()
    this.lastSession += 1n
    const session: Session = {
      id: this.lastSession,
      socket,
      owned: new Set(),
      timer: undefined,
      silentMs: 0,
    }
    const turnMs = Math.max(50, timeoutMs / 10)
    session.timer = setInterval(() => {
      if (this.isPaused) return
      session.silentMs += turnMs
      if (session.silentMs > timeoutMs) this.end(session)
    }, turnMs).unref()
    this.sessions.set(session.id, session)
    send(session, new Response().int(0).int(timeoutMs).long(session.id).buffer(Buffer.alloc(16)))
    return session
  }

  private handle(session: Session, fields: Fields): void {
    session.silentMs = 0
    const id = fields.int()
    const operation = fields.int()
    const head = (error: number): Response => new Response().int(id).long(this.tree.zxid).int(error)
    if (operation === OPERATION.close) {
      send(session, head(0))
      this.end(session)
      return
    }
    try {
      const body = this.respond(session, operation, fields)
      send(session, body(head(0)))
    } catch (error) {
      if (!(error instanceof KeeperError)) throw error
      send(session, head(error.code))
    }
  }

  /** Runs a request and returns a function that adds the fields of the response to its head. */
  private respond(
    session: Session,
    operation: number,
    fields: Fields,
  ): (head: Response) => Response {
    switch (operation) {
      case OPERATION.ping:
      case OPERATION.setAuth:
        return (head) => head
      case OPERATION.sync: {
        const path = fields.string()
        return (head) => head.string(path)
      }
      case OPERATION.exists: {
        const path = fields.string()
        if (fields.flag()) this.watch('data', path, session)
        const node = this.tree.get(path)
        return (head) => stat(head, node)
      }
      case OPERATION.getData: {
        const path = fields.string()
        const isWatched = fields.flag()
        const node = this.tree.get(path)
        if (isWatched) this.watch('data', path, session)
        return (head) => stat(head.buffer(node.data), node)
      }
      case OPERATION.getChildren:
      case OPERATION.getChildren2: {
        const path = fields.string()
        const isWatched = fields.flag()
        const node = this.tree.get(path)
        if (isWatched) this.watch('children', path, session)
        return (head) => {
          const all = head.strings([...node.children])
          return operation === OPERATION.getChildren2 ? stat(all, node) : all
        }
      }
      case OPERATION.multi:
        return this.transact(session, fields)
      default: {
        this.tree.zxid += 1n
        const change = this.prepare(session, operation, fields)()
        this.notify(change.events)
        return (head) => this.changed(head, operation, change)
      }
    }
  }

  /** Reads a request that changes the tree and returns a function that makes the change. */
  private prepare(session: Session, operation: number, fields: Fields): () => Change {
    switch (operation) {
      case OPERATION.create:
      case OPERATION.create2: {
        const path = fields.string()
        const data = fields.buffer()
        fields.skipPermissions()
        const flags = fields.int()
        return () => this.tree.create(session, { path, data, flags })
      }
      case OPERATION.delete: {
        const request = { path: fields.string(), version: fields.int() }
        return () => this.tree.remove(this.sessions, request)
      }
      case OPERATION.setData: {
        const request = { path: fields.string(), data: fields.buffer(), version: fields.int() }
        return () => this.tree.set(request)
      }
      case OPERATION.check: {
        const request = { path: fields.string(), version: fields.int() }
        return () => this.tree.check(request)
      }
      default:
        throw new KeeperError(KEEPER_ERROR.unimplemented)
    }
  }

  /** Makes all changes of a transaction or none. */
  private transact(session: Session, fields: Fields): (head: Response) => Response {
    const requests: { readonly operation: number; readonly make: () => Change }[] = []
    for (;;) {
      const operation = fields.int()
      const isEnd = fields.flag()
      fields.int()
      if (isEnd) break
      requests.push({ operation, make: this.prepare(session, operation, fields) })
    }
    this.tree.zxid += 1n
    const changes: Change[] = []
    try {
      for (const { make } of requests) changes.push(make())
    } catch (error) {
      if (!(error instanceof KeeperError)) throw error
      for (const change of [...changes].reverse()) change.undo()
      return (head) => {
        for (const i of requests.keys()) {
          const later = i > changes.length ? KEEPER_ERROR.inconsistent : error.code
          const code = i < changes.length ? 0 : later
          head.int(-1).flag(false).int(code).int(code)
        }
        return head.int(-1).flag(true).int(-1)
      }
    }
    this.notify(changes.flatMap(({ events }) => events))
    return (head) => {
      for (const [i, { operation }] of requests.entries()) {
        head.int(operation).flag(false).int(0)
        this.changed(head, operation, changes[i]!)
      }
      return head.int(-1).flag(true).int(-1)
    }
  }

  private changed(head: Response, operation: number, { path = '', node }: Change): Response {
    if (operation === OPERATION.create) return head.string(path)
    if (operation === OPERATION.create2) return stat(head.string(path), this.tree.get(path))
    return node === undefined ? head : stat(head, node)
  }

  private watch(kind: KeeperEvent['watched'], path: string, session: Session): void {
    const watchers = this.watches[kind].get(path) ?? new Set()
    this.watches[kind].set(path, watchers.add(session))
  }

  /** Sends events to those who watch the paths; a watch ends with its event. */
  private notify(events: readonly KeeperEvent[]): void {
    for (const { watched, path, type } of events) {
      const watchers = this.watches[watched].get(path) ?? []
      this.watches[watched].delete(path)
      for (const session of watchers) {
        const message = new Response().int(WATCH_EVENT).long(-1n).int(0)
        send(session, message.int(type).int(CONNECTED).string(path))
      }
    }
  }

  private end(session: Session): void {
    if (!this.sessions.delete(session.id)) return
    clearInterval(session.timer)
    this.tree.zxid += 1n
    for (const kind of Object.values(this.watches)) {
      for (const watchers of kind.values()) watchers.delete(session)
    }
    session.socket.destroy()
    const events = [...session.owned].flatMap(
      (path) => this.tree.remove(this.sessions, { path, version: -1 }).events,
    )
    this.notify(events)
  }
}

function send({ socket }: Session, response: Response): void {
  if (!socket.destroyed) socket.write(response.frame())
}

function stat(to: Response, node: KeeperNode): Response {
  return to
    .long(node.czxid)
    .long(node.mzxid)
    .long(node.ctime)
    .long(node.mtime)
    .int(node.version)
    .int(node.cversion)
    .int(0)
    .long(node.owner)
    .int(node.data.length)
    .int(node.children.size)
    .long(node.pzxid)
}
