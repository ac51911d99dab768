import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Countdown } from '../../text/countdown.js'
import { Turn } from '../../wire/steps/steps.js'
import { KEEP_ALIVE } from '../listener/timeouts.js'
import { FrameReader, FramingError, type ReceivedMessage } from './frame-reader.js'
import type { SyslogLimits } from './messages.js'

/** The time without data after which a connection is closed during shutdown. */
const QUIET_MS = 250

interface TcpOptions {
  readonly host: string
  readonly port: number
  readonly limits: SyslogLimits
  /** Takes a message. Resolves when the next message can be taken; returns undefined when it can be taken at once. */
  take(message: ReceivedMessage): Promise<void> | undefined
  note(incident: 'refused' | 'framing'): void
}

export type TcpReceiver = Awaited<ReturnType<typeof receiveTcp>>

export async function receiveTcp(options: TcpOptions) {
  const { host, port, limits, note } = options
  const connections = new Map<Socket, Connection>()
  const server = createServer(KEEP_ALIVE, (socket) => {
    // Senders may end a connection by a reset.
    socket.on('error', () => {})
    if (connections.size >= limits.connections) {
      note('refused')
      socket.destroy()
      return
    }
    const connection = new Connection(socket, options)
    connections.set(socket, connection)
    connection.ended.finally(() => connections.delete(socket))
  })
  await once(server.listen({ host, port }), 'listening')
  // Failing to accept a connection must not end the service.
  server.on('error', () => {})
  return {
    server,
    /** Stops accepting connections, and resolves when all messages that were sent are taken. */
    async close({ graceMs }: { readonly graceMs: number }): Promise<void> {
      const grace = new Countdown(graceMs, () => {
        server.close()
        for (const socket of connections.keys()) socket.destroy()
      })
      await acceptWaiting(server)
      server.close()
      await Promise.all(
        [...connections.values()].map((connection) => {
          connection.stop()
          return connection.ended
        }),
      )
      grace.stop()
    },
  }
}

/** Resolves when a server has accepted all connections that wait for it: their messages may be sent already. */
async function acceptWaiting(server: Server): Promise<void> {
  let isNew = true
  server.on('connection', () => {
    isNew = true
  })
  while (isNew) {
    isNew = false
    // Node accepts one connection in each turn of the event loop, and the first turn may be past that.
    await nextTurn()
    await nextTurn()
  }
}

/** A connection of a sender. It is closed when its framing is lost, and after a time without data. */
class Connection {
  /** Resolves when all messages of the connection are taken, and it is closed; never rejects. */
  readonly ended: Promise<void>
  private readonly socket: Socket
  private readonly options: TcpOptions
  private readonly reader: FrameReader
  private isTaking = false
  private isStopping = false
  private quietMs = 0
  /** Resolves when the last unfinished line that was taken as a message is queued. */
  private restTaken: Promise<void> = Promise.resolve()

  constructor(socket: Socket, options: TcpOptions) {
    this.socket = socket
    this.options = options
    this.reader = new FrameReader(options.limits.messageBytes)
    socket.on('timeout', () => this.handleTimeout())
    this.setTimer()
    this.ended = this.takeAll()
  }

  /** Closes the connection once it is quiet. */
  stop(): void {
    this.isStopping = true
    this.setTimer()
  }

  private async takeAll(): Promise<void> {
    try {
      await this.takeMessages()
    } catch (error) {
      if (error instanceof FramingError) this.options.note('framing')
    }
    this.isTaking = true
    await this.restTaken
    await this.takeRest()
    this.socket.destroy()
  }

  private async takeMessages(): Promise<void> {
    const { take } = this.options
    const turn = new Turn()
    for await (const bytes of this.socket as AsyncIterable<Buffer>) {
      this.isTaking = true
      this.quietMs = 0
      await this.restTaken
      for (const message of this.reader.push(bytes)) {
        const taken = take(message)
        // No `await` when there is nothing to wait for: with millions of messages, it would take longer than taking them.
        if (taken !== undefined) await taken
        if (turn.isOver) await turn.next()
      }
      this.isTaking = false
    }
  }

  private async takeRest(): Promise<void> {
    const rest = this.reader.end()
    if (rest !== undefined) await this.options.take(rest)
  }

  private setTimer(): void {
    this.socket.setTimeout(this.isStopping ? QUIET_MS : this.options.limits.unfinishedMs)
  }

  private handleTimeout(): void {
    this.setTimer()
    // While a message waits for room in the queue, the connection is quiet because it is not read.
    if (this.isTaking) return
    const { bytesRead } = this.socket
    // Data that arrived while the event loop was blocked is read before the timeout takes effect.
    setImmediate(() => {
      if (!this.isTaking && this.socket.bytesRead === bytesRead) this.handleQuiet()
    })
  }

  private handleQuiet(): void {
    const { unfinishedMs, idleMs } = this.options.limits
    this.quietMs += unfinishedMs
    const { unfinished } = this.reader
    if (this.isStopping || unfinished === 'frame' || this.quietMs >= idleMs) this.socket.destroy()
    else if (unfinished === 'line') this.restTaken = this.takeRest()
  }
}
