import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { Countdown } from '../../text/countdown.js'
import { Turn } from '../../wire/steps/steps.js'
import { FrameReader, FramingError, type ReceivedMessage } from './frame-reader.js'
import type { SyslogLimits } from './messages.js'

/** TCP keep-alive detects peers that vanished without closing the connection. */
const PROBE_AFTER_MS = 30_000

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

export interface TcpReceiver {
  readonly server: Server
  /** Stops accepting connections, and resolves when all messages that were sent are taken. */
  close(options: { readonly graceMs: number }): Promise<void>
}

interface Connection {
  /** Resolves when all messages of the connection are taken; never rejects. */
  readonly ended: Promise<void>
  /** Closes the connection once it is quiet. */
  stop(): void
}

export async function receiveTcp(options: TcpOptions): Promise<TcpReceiver> {
  const { host, port, limits, note } = options
  const connections = new Map<Socket, Connection>()
  const server = createServer(
    { keepAlive: true, keepAliveInitialDelay: PROBE_AFTER_MS },
    (socket) => {
      // Senders may end a connection by a reset.
      socket.on('error', () => {})
      if (connections.size >= limits.connections) {
        note('refused')
        socket.destroy()
        return
      }
      const connection = receive(socket, options)
      connections.set(socket, connection)
      connection.ended.finally(() => connections.delete(socket))
    },
  )
  await once(server.listen({ host, port }), 'listening')
  // Failing to accept a connection must not end the service.
  server.on('error', () => {})
  return {
    server,
    async close({ graceMs }) {
      server.close()
      const grace = new Countdown(graceMs, () => {
        for (const socket of connections.keys()) socket.destroy()
      })
      await Promise.all(
        [...connections].map(async ([socket, { ended, stop }]) => {
          stop()
          await ended
          socket.destroy()
        }),
      )
      grace.stop()
    },
  }
}

function receive(socket: Socket, { limits, take, note }: TcpOptions): Connection {
  const reader = new FrameReader(limits.messageBytes)
  const turn = new Turn()
  let isTaking = false
  let isStopping = false
  let quietMs = 0
  /** Resolves when the last unfinished line that was taken as a message is queued. */
  let restTaken: Promise<void> = Promise.resolve()

  const takeRest = async (): Promise<void> => {
    const rest = reader.end()
    if (rest !== undefined) await take(rest)
  }
  const takeAll = async (): Promise<void> => {
    try {
      for await (const bytes of socket as AsyncIterable<Buffer>) {
        isTaking = true
        quietMs = 0
        await restTaken
        for (const message of reader.push(bytes)) {
          const taken = take(message)
          // No `await` when there is nothing to wait for: with millions of messages, it would take longer than taking them.
          if (taken !== undefined) await taken
          if (turn.isOver) await turn.next()
        }
        isTaking = false
      }
    } catch (error) {
      if (error instanceof FramingError) note('framing')
    }
    isTaking = true
    await restTaken
    await takeRest()
    socket.destroy()
  }
  const setTimer = (): void => {
    socket.setTimeout(isStopping ? QUIET_MS : limits.unfinishedMs)
  }
  const handleQuiet = (): void => {
    quietMs += limits.unfinishedMs
    const { unfinished } = reader
    if (isStopping || unfinished === 'frame' || quietMs >= limits.idleMs) socket.destroy()
    else if (unfinished === 'line') restTaken = takeRest()
  }
  socket.on('timeout', () => {
    setTimer()
    // While a message waits for room in the queue, the connection is quiet because it is not read.
    if (isTaking) return
    const { bytesRead } = socket
    // Data that arrived while the event loop was blocked is read before the timeout takes effect.
    setImmediate(() => {
      if (!isTaking && socket.bytesRead === bytesRead) handleQuiet()
    })
  })
  setTimer()
  return {
    ended: takeAll(),
    stop() {
      isStopping = true
      setTimer()
    },
  }
}
