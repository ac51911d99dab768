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
  /** Takes a message; resolves when the next one may come, or returns undefined when that is at once. */
  take(message: ReceivedMessage): Promise<void> | undefined
  note(incident: 'refused' | 'framing'): void
}

/** A TCP port that receives messages. */
export interface TcpReceiver {
  readonly server: Server
  /** Stops accepting connections, and resolves when what they have sent is taken. */
  close(options: { readonly graceMs: number }): Promise<void>
}

/** A connection whose messages are taken. */
interface Connection {
  /** Resolves when all that it has sent is taken; never rejects. */
  readonly ended: Promise<void>
  /** Closes the connection once it is quiet. */
  stop(): void
}

/** Listens on a TCP port. */
export async function receiveTcp(options: TcpOptions): Promise<TcpReceiver> {
  const { host, port, limits, note } = options
  const connections = new Map<Socket, Connection>()
  const server = createServer(
    { keepAlive: true, keepAliveInitialDelay: PROBE_AFTER_MS },
    (socket) => {
      // Resetting the connection is a way to end it.
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
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  // A connection that can't be accepted does not end the service.
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
  /** Resolves when a line without an end that counted as a message is taken. */
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
          // Waiting for each of millions of messages would take longer than taking it.
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
