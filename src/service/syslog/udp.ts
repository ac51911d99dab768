import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import { messageOf, type ReceivedMessage } from './frame-reader.js'

/** The size of the kernel's buffer for datagrams that the process has not read yet. The kernel drops datagrams beyond it. */
const KERNEL_BUFFER_BYTES = 4 * 1024 * 1024

interface UdpOptions {
  /** An IP address. */
  readonly host: string
  readonly port: number
  take(message: ReceivedMessage): void
}

/** Listens on a UDP port; each datagram is a message. */
export async function receiveUdp({ host, port, take }: UdpOptions): Promise<Socket> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4', (datagram) => {
    const message = messageOf(datagram)
    if (message !== undefined) take(message)
  })
  await once(socket.bind({ address: host, port }), 'listening')
  // Errors of single datagrams must not end the listener.
  socket.on('error', () => {})
  try {
    socket.setRecvBufferSize(KERNEL_BUFFER_BYTES)
  } catch {
    // The default of the system remains.
  }
  return socket
}
