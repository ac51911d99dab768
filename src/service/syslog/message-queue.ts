import { ByteWriter } from '../../wire/bytes/byte-writer.js'
import type { SyslogLimits, SyslogMessages } from './messages.js'

/** The memory that a message takes in addition to its bytes. */
const OVERHEAD_BYTES = 32

export interface MessageBatch extends SyslogMessages {
  /** Arrival of the first message, in nanoseconds since 1970. */
  readonly arrivedAt: bigint
}

interface QueueOptions {
  readonly limits: Pick<SyslogLimits, 'batchBytes' | 'maxBatchBytes' | 'batchMs' | 'queueBytes'>
  /** Stores a batch, or drops it; never rejects. */
  store(batch: MessageBatch): Promise<void>
  now(): bigint
}

/** Collects messages into batches, and stores one batch after the other. */
export class MessageQueue {
  private readonly options: QueueOptions
  private open: OpenBatch | undefined
  private readonly complete: OpenBatch[] = []
  /** The cost of the messages that are not stored yet. */
  private bytes = 0
  private timer: NodeJS.Timeout | undefined
  private storing: Promise<void> | undefined
  private waiting: (() => void)[] = []

  constructor(options: QueueOptions) {
    this.options = options
  }

  get isFull(): boolean {
    return this.bytes >= this.options.limits.queueBytes
  }

  /** Resolves when there may be room again. */
  room(): Promise<void> {
    return new Promise((resolve) => {
      if (this.isFull) this.waiting.push(resolve)
      else resolve()
    })
  }

  /** Adds a message, whose bytes are copied. */
  add(message: Buffer): void {
    const { limits, now } = this.options
    this.open ??= this.begin(now())
    this.bytes += this.open.add(message)
    const enough = this.storing === undefined ? limits.batchBytes : limits.maxBatchBytes
    if (this.open.cost >= enough) this.completeOpen()
  }

  /** Resolves when all messages are stored or dropped. */
  async close(): Promise<void> {
    this.completeOpen()
    await this.storing
  }

  private begin(now: bigint): OpenBatch {
    this.timer = setTimeout(() => this.completeOpen(), this.options.limits.batchMs)
    return new OpenBatch(now)
  }

  private completeOpen(): void {
    if (this.open === undefined) return
    clearTimeout(this.timer)
    this.complete.push(this.open)
    this.open = undefined
    this.storing ??= this.storeAll()
  }

  private async storeAll(): Promise<void> {
    const { limits, store } = this.options
    for (let batch = this.complete.shift(); batch; batch = this.complete.shift()) {
      await store(batch)
      this.bytes -= batch.cost
      for (const resolve of this.waiting.splice(0)) resolve()
      const isEnough = this.open !== undefined && this.open.cost >= limits.batchBytes
      if (this.complete.length === 0 && isEnough) this.completeOpen()
    }
    this.storing = undefined
  }
}

class OpenBatch implements MessageBatch {
  readonly arrivedAt: bigint
  readonly extents: number[] = []
  cost = 0
  private readonly writer = new ByteWriter(64 * 1024)

  constructor(arrivedAt: bigint) {
    this.arrivedAt = arrivedAt
  }

  get bytes(): Buffer {
    return this.writer.written
  }

  add(message: Buffer): number {
    const from = this.writer.size
    this.writer.addBytes(message, 0, message.length)
    this.extents.push(from, this.writer.size)
    // Keeps the records apart for readers that look beyond their ends.
    this.writer.addLineFeed()
    const cost = this.writer.size - from + OVERHEAD_BYTES
    this.cost += cost
    return cost
  }
}
