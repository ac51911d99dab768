import { setTimeout as sleep } from 'node:timers/promises'

/** What a client may wait for an answer of a service that is not killed meanwhile. */
const PATIENCE_MS = 60_000
const DATASETS = ['logs', 'logs', 'logs', 'audit']

/** Clients of a service that is killed under them: what they sent, and what of it was acknowledged. */
export class KilledLoad {
  /** Answers that no client may get, and answers that never came. */
  readonly wrong: string[] = []
  /** Requests that a kill came in the middle of. */
  broken = 0
  readonly acknowledged = new Map<string, number>()
  private readonly numbers = new Map<string, number>()
  private readonly service: { readonly url: string; readonly token: string }
  private readonly mayBeAway: boolean
  private readonly random: () => number
  private batches = 0
  private isOver = false
  private readonly clients: Promise<void>[] = []
  private readonly underWay = new Set<Promise<string>>()

  constructor(
    service: { readonly url: string; readonly token: string },
    random: () => number,
    clients: {
      readonly ingesting: number
      readonly querying: number
      /** What the service needs may be killed too: it says so with 503, and when to come again. */
      readonly mayBeAway?: boolean
    },
  ) {
    this.service = service
    this.mayBeAway = clients.mayBeAway === true
    this.random = random
    for (let i = 0; i < clients.ingesting; i++) this.client(() => this.ingest())
    for (let i = 0; i < clients.querying; i++) this.client(() => this.ask())
  }

  /** Lets each client bring to its end what it has begun. */
  async finish(): Promise<void> {
    this.isOver = true
    await Promise.all(this.clients)
  }

  /** Waits for the answers to all that is under way: nothing may hang that no kill ends. */
  async answered(): Promise<void> {
    await Promise.allSettled(this.underWay)
  }

  /** How many events of a dataset there are, how many different ones, how often the most frequent one, and the last. */
  async counts(dataset: string): Promise<readonly number[]> {
    const apl = `['${dataset}'] | summarize events = count() by n
      | summarize sum(events), count(), max(events), max(n)`
    const { tables } = JSON.parse(await this.persist('/v1/datasets/_apl?format=tabular', { apl }))
    return tables[0].columns.map(([value]: readonly number[]) => value)
  }

  private client(work: () => Promise<void>): void {
    const run = async () => {
      while (!this.isOver) {
        await work()
        await sleep(this.random() * 30)
      }
    }
    this.clients.push(run().catch((error) => void this.wrong.push(String(error))))
  }

  private async ingest(): Promise<void> {
    const id = `batch-${this.batches++}`
    const dataset = DATASETS[Math.floor(this.random() * DATASETS.length)] ?? ''
    const { lines, count } = this.events(dataset)
    const path = `/v1/ingest/${dataset}`
    const headers = { 'content-type': 'application/x-ndjson', 'x-service-batch-id': id }
    const answer = await this.persist(path, lines.join('\n'), headers)
    this.acknowledged.set(dataset, (this.acknowledged.get(dataset) ?? 0) + count)
    this.judge(id, answer, { count, failed: lines.length - count })
    // Some senders lose the answer on the way.
    if (this.random() > 0.1) return
    const again = await this.persist(path, lines.join('\n'), headers)
    this.judge(`${id} again`, again, { count, failed: lines.length - count })
  }

  private judge(id: string, answer: string, right: { count: number; failed: number }): void {
    const { ingested, failed } = JSON.parse(answer)
    if (ingested !== right.count || failed !== right.failed) this.wrong.push(`${id}: ${answer}`)
  }

  /** Events that nobody else sends, now and then with a field that is new, or with a line that is none. */
  private events(dataset: string): { readonly lines: readonly string[]; readonly count: number } {
    const first = this.numbers.get(dataset) ?? 0
    const count = 1 + Math.floor(this.random() ** 3 * 2_000)
    this.numbers.set(dataset, first + count)
    const more = this.random() < 0.05 ? `,"field${Math.floor(this.random() * 200)}":"new"` : ''
    const lines = Array.from(
      { length: count },
      (_, i) => `{"n":${first + i},"message":"request ${first + i} done"${more}}`,
    )
    if (this.random() < 0.05) lines.push('no event')
    return { lines, count }
  }

  /** An answer has every event that was acknowledged before it was asked for, and none of them twice. */
  private async ask(): Promise<void> {
    const before = this.acknowledged.get('logs') ?? 0
    if (before === 0) return
    const [total = 0, distinct] = await this.counts('logs')
    if (total < before || total !== distinct) {
      this.wrong.push(`${before} acknowledged, then ${total} seen, ${distinct} different`)
    }
  }

  private persist(...request: Parameters<KilledLoad['send']>): Promise<string> {
    const answer = this.send(...request)
    const settled = () => void this.underWay.delete(answer)
    this.underWay.add(answer)
    answer.then(settled, settled)
    return answer
  }

  /** Sends a request as often as kills take its answer away. */
  private async send(
    path: string,
    content: string | object,
    headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' },
  ): Promise<string> {
    const { url, token } = this.service
    const body = typeof content === 'string' ? content : JSON.stringify(content)
    for (;;) {
      const signal = AbortSignal.timeout(PATIENCE_MS)
      try {
        const answer = await fetch(`${url}${path}`, {
          method: 'POST',
          headers: { ...headers, authorization: `Bearer ${token}` },
          body,
          signal,
        })
        const text = await answer.text()
        if (answer.status === 200) return text
        if (this.mayBeAway && answer.status === 503 && answer.headers.has('retry-after')) {
          throw new Error('it is away')
        }
        throw new Answered(`${path}: ${answer.status} ${text}`)
      } catch (error) {
        if (error instanceof Answered) throw error
        if (signal.aborted)
          throw new Error(`${path}: no answer in ${PATIENCE_MS} ms to ${body.length} bytes`)
        if (!isRefused(error)) this.broken += 1
        await sleep(this.random() * 100)
      }
    }
  }
}

class Answered extends Error {}

/** Nobody listened: the request never came to be one. */
function isRefused(error: unknown): boolean {
  return (
    error instanceof Error && /ECONNREFUSED/.test(String(Reflect.get(error.cause ?? {}, 'code')))
  )
}
