import type { IncomingMessage } from 'node:http'
import { MAX_UNREAD_BYTES } from '../../wire/limits.js'

/** The requests whose responses the kernel has not accepted completely, oldest first, and the sizes of these responses. */
export class UnreadResponses {
  private readonly sizes = new Map<IncomingMessage, number>()
  private bytes = 0

  /**
   * Adds a response. With too many bytes, the connections of the oldest other responses are closed: a client that reads slowly can
   * keep its response in memory for hours.
   */
  add(request: IncomingMessage, bytes: number): void {
    this.sizes.set(request, bytes)
    this.bytes += bytes
    for (const oldest of this.sizes.keys()) {
      if (this.bytes <= MAX_UNREAD_BYTES || oldest === request) return
      this.delete(oldest)
      oldest.socket.destroy()
    }
  }

  delete(request: IncomingMessage): void {
    this.bytes -= this.sizes.get(request) ?? 0
    this.sizes.delete(request)
  }
}
