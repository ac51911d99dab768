import { deferred } from '../../text/deferred.js'
import { MessageStep, type SyslogLimits, type SyslogMessages } from './messages.js'

/** The memory that a message takes in addition to its bytes. */
const OVERHEAD_BYTES = 32

/** The messages of a batch, in the steps in which they are converted. */
export interface MessageBatch {
  readonly steps: readonly SyslogMessages[]
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
  /** The batches to store. Messages are added to the last one until it is due. */
  private readonly batches: OpenBatch[] = []
  /** The cost of the messages that are not stored yet. */
  private bytes = 0
  private isStoring = false
  /** Resolved when the next batch is stored. */
  private stored = deferred()

  constructor(options: QueueOptions) {
    this.options = options
  }

  get isFull(): boolean {
    return this.bytes >= this.options.limits.queueBytes
  }

  /** Resolves when there may be room again. */
  async room(): Promise<void> {
    if (this.isFull) await this.stored.promise
  }

  /** Adds a message, whose bytes are copied. */
  add(message: Buffer): void {
    const { limits } = this.options
    const last = this.batches.at(-1)
    const isOpen = last !== undefined && !last.isDue && last.cost < limits.maxBatchBytes
    const batch = isOpen ? last : this.begin()
    this.bytes += batch.add(message)
    if (batch.cost >= limits.batchBytes) void this.store()
  }

  /** Resolves when all messages are stored or dropped. */
  async close(): Promise<void> {
    for (const batch of this.batches) batch.isDue = true
    void this.store()
    while (this.bytes > 0) await this.stored.promise
  }

  private begin(): OpenBatch {
    const { limits, now } = this.options
    const batch = new OpenBatch(now())
    batch.timer = setTimeout(() => {
      batch.isDue = true
      void this.store()
    }, limits.batchMs)
    this.batches.push(batch)
    return batch
  }

  /** Stores all batches that are due or have enough messages. */
  private async store(): Promise<void> {
    if (this.isStoring) return
    this.isStoring = true
    const { limits, store } = this.options
    const isReady = ({ isDue, cost }: OpenBatch) => isDue || cost >= limits.batchBytes
    for (let [batch] = this.batches; batch && isReady(batch); [batch] = this.batches) {
      this.batches.shift()
      clearTimeout(batch.timer)
      await store(batch)
      this.bytes -= batch.cost
      this.stored.resolve()
      this.stored = deferred()
    }
    this.isStoring = false
  }
}

class OpenBatch implements MessageBatch {
  readonly arrivedAt: bigint
  readonly steps: MessageStep[] = []
  cost = 0
  /** True when the batch is to be stored however few messages it has. */
  isDue = false
  timer: NodeJS.Timeout | undefined

  constructor(arrivedAt: bigint) {
    this.arrivedAt = arrivedAt
  }

  add(message: Buffer): number {
    let step = this.steps.at(-1)
    if (!step?.hasRoom(message.length)) {
      step = new MessageStep()
      this.steps.push(step)
    }
    step.add(message)
    const cost = message.length + OVERHEAD_BYTES
    this.cost += cost
    return cost
  }
}
