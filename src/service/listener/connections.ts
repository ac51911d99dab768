import type { Socket } from 'node:net'
import type { RefusedError } from '../refused-error.js'
import type { Exchange } from './exchange.js'

export class Connections {
  private readonly most: number
  /** Connections with a request. */
  private readonly busy = new Map<Socket, Exchange>()
  /** Connections without a request, longest idle first. */
  private readonly idle = new Set<Socket>()

  constructor(most: number) {
    this.most = most
  }

  /** Adds a new connection. With too many, the one that has been idle longest is closed, or else the new one. */
  add(socket: Socket): void {
    socket.once('close', () => {
      this.idle.delete(socket)
      this.busy.delete(socket)
    })
    // Connections that send nothing must not lock out connections with a request.
    if (this.idle.size + this.busy.size >= this.most) {
      const [oldest] = this.idle
      if (oldest === undefined) return void socket.destroy()
      this.idle.delete(oldest)
      oldest.destroy()
    }
    this.idle.add(socket)
  }

  /** Called when a request has arrived: its connection is busy until the response is sent. */
  begin(exchange: Exchange): void {
    const { socket } = exchange.incoming
    this.idle.delete(socket)
    this.busy.set(socket, exchange)
    exchange.outgoing.once('close', () => {
      if (this.busy.get(socket) !== exchange) return
      this.busy.delete(socket)
      if (!socket.destroyed) this.idle.add(socket)
    })
  }

  exchangeOn(socket: Socket): Exchange | undefined {
    return this.busy.get(socket)
  }

  /** Aborts all requests, so that their clients receive the refusal. */
  refuseBusy(refusal: RefusedError): void {
    for (const { aborter } of this.busy.values()) aborter.abort(refusal)
  }

  closeIdle(): void {
    for (const socket of this.idle) socket.destroy()
  }
}
