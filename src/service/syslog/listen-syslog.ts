import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, isIPv6 } from 'node:net'
import { Countdown } from '../../text/countdown.js'
import { errorCode } from '../../text/system-error.js'
import type { Intake } from '../ingest/store-events.js'
import { messageOf, type ReceivedMessage } from './frame-reader.js'
import { type MessageBatch, MessageQueue } from './message-queue.js'
import { type ConvertSyslog, SYSLOG_LIMITS, type SyslogLimits } from './messages.js'
import { Notices } from './notices.js'
import { SYSLOG, storeMessages } from './store-messages.js'
import { receiveTcp, type TcpReceiver } from './tcp.js'

interface SyslogOptions {
  readonly host: string
  /** 0 selects a port that is free for both TCP and UDP. */
  readonly port: number
  readonly dataset: string
  readonly intake: Intake
  readonly convert: ConvertSyslog
  readonly limits?: Partial<SyslogLimits>
  warn?(message: string): void
  report?(error: unknown, id: string): void
}

export interface SyslogListener {
  readonly host: string
  readonly port: number
  /** Stops receiving, and resolves when all messages are stored; messages that can't be stored within `graceMs` are dropped. */
  close(options: { readonly graceMs: number }): Promise<void>
}

/** Receives syslog messages (RFC 5424 and 3164) on a port, and stores them in a dataset. Senders need no token. */
export async function listenSyslog(options: SyslogOptions): Promise<SyslogListener> {
  const { intake, warn = () => {} } = options
  const limits = { ...SYSLOG_LIMITS, ...options.limits }
  const notices = new Notices(warn)
  const stopping = new AbortController()
  const storing = { ...options, notices, stopping: stopping.signal }
  const store = (batch: MessageBatch) => storeMessages(batch, storing)
  const queue = new MessageQueue({ limits, store, now: intake.now })
  const { metrics } = intake
  const none = { events: 0, rejected: 0, bytes: 0, dropped: 0, truncated: 0, unparsed: 0 }
  metrics.ingested(SYSLOG, none)

  const add = ({ bytes, isTruncated }: ReceivedMessage): void => {
    if (isTruncated) {
      metrics.ingested(SYSLOG, { truncated: 1 })
      notices.note('truncated')
    }
    queue.add(bytes)
  }
  const addLater = async (message: ReceivedMessage): Promise<void> => {
    while (queue.isFull) await queue.room()
    add(message)
  }
  const { tcp, udp, address } = await bind({
    ...options,
    limits,
    note: (kind) => notices.note(kind),
    take(message) {
      if (queue.isFull) return addLater(message)
      add(message)
      return undefined
    },
    takeDatagram(message) {
      if (!queue.isFull) return add(message)
      metrics.ingested(SYSLOG, { dropped: 1 })
      notices.note('dropped')
    },
  })
  return {
    host: address.address,
    port: address.port,
    async close({ graceMs }) {
      const grace = new Countdown(graceMs, () => stopping.abort())
      udp.close()
      await tcp.close({ graceMs: graceMs / 2 })
      await queue.close()
      grace.stop()
      notices.close()
    },
  }
}

type BindOptions = Parameters<typeof receiveTcp>[0] & {
  takeDatagram(message: ReceivedMessage): void
}

interface Bound {
  readonly tcp: TcpReceiver
  readonly udp: Socket
  readonly address: AddressInfo
}

const ATTEMPTS = 10

/** Binds the same port for TCP and UDP. */
async function bind(options: BindOptions, attempt = 1): Promise<Bound> {
  const tcp = await receiveTcp(options)
  const address = tcp.server.address() as AddressInfo
  try {
    return { tcp, udp: await receiveUdp(address, options.takeDatagram), address }
  } catch (error) {
    await tcp.close({ graceMs: 0 })
    // A port that is free for TCP may be in use for UDP.
    const isTaken = errorCode(error) === 'EADDRINUSE' && options.port === 0
    if (isTaken && attempt < ATTEMPTS) return await bind(options, attempt + 1)
    throw error
  }
}

/** The size of the kernel's buffer for datagrams that the process has not read yet. The kernel drops datagrams beyond it. */
const KERNEL_BUFFER_BYTES = 4 * 1024 * 1024

/** Listens on a UDP port; each datagram is a message. */
async function receiveUdp(
  { address, port }: AddressInfo,
  take: (message: ReceivedMessage) => void,
): Promise<Socket> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4', (datagram) => {
    const message = messageOf(datagram)
    if (message !== undefined) take(message)
  })
  try {
    await once(socket.bind({ address, port }), 'listening')
  } catch (error) {
    // Node keeps the descriptor.
    socket.close()
    throw error
  }
  // Errors of single datagrams must not end the listener.
  socket.on('error', () => {})
  try {
    socket.setRecvBufferSize(KERNEL_BUFFER_BYTES)
  } catch {
    // The default of the system remains.
  }
  return socket
}
