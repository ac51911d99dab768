import { setTimeout as sleep } from 'node:timers/promises'

/** The timeout of a request to a service that is not killed meanwhile. */
const PATIENCE_MS = 150_000
const DATASETS = ['logs', 'logs', 'logs', 'audit']

interface KilledServices {
  /** The addresses of services with the same data; each attempt of a request is sent to one of them. */
  readonly urls: readonly string[]
  readonly token: string
}

/** Clients of a service that is killed: the sent and the acknowledged events. */
export class KilledLoad {
  /** Unexpected responses, and requests without a response. */
  readonly wrong: string[] = []
  /** Requests interrupted by a kill. */
  broken = 0
  readonly acknowledged = new Map<string, number>()
  private readonly numbers = new Map<string, number>()
  private readonly services: KilledServices
  private readonly mayBeAway: boolean
  /** Appended to the names of datasets. */
  private readonly suffix: string
  private readonly random: () => number
  private batches = 0
  private isOver = false
  private readonly clients: Promise<void>[] = []
  private readonly underWay = new Set<Promise<string>>()

  constructor(
    services: KilledServices,
    random: () => number,
    clients: {
      readonly ingesting: number
      readonly querying: number
      /** The engine may be killed, too: then the service responds with 503 and `Retry-After`. */
      readonly mayBeAway?: boolean
      readonly suffix?: string
    },
  ) {
    this.services = services
    this.mayBeAway = clients.mayBeAway === true
    this.suffix = clients.suffix ?? ''
    this.random = random
    for (let i = 0; i < clients.ingesting; i++) this.client(() => this.ingest())
    for (let i = 0; i < clients.querying; i++) this.client(() => this.ask())
  }

  /** The number of acknowledged events of all datasets. */
  get total(): number {
    return [...this.acknowledged.values()].reduce((sum, count) => sum + count, 0)
  }

  /** Waits until each client has finished its current batch. */
  async finish(): Promise<void> {
    this.isOver = true
    await Promise.all(this.clients)
  }

  /** Waits for the responses to all requests in flight: none may hang. */
  async answered(): Promise<void> {
    await Promise.allSettled(this.underWay)
  }

  /** The number of events of a dataset, of distinct ones, the maximum number of copies, and the last event. */
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
    const dataset = `${DATASETS[Math.floor(this.random() * DATASETS.length)]}${this.suffix}`
    const { lines, count } = this.events(dataset)
    const path = `/v1/ingest/${dataset}`
    const headers = { 'content-type': 'application/x-ndjson', 'x-service-batch-id': id }
    const response = await this.persist(path, lines.join('\n'), headers)
    this.acknowledged.set(dataset, (this.acknowledged.get(dataset) ?? 0) + count)
    this.judge(id, response, { count, failed: lines.length - count })
    // Some clients lose the response.
    if (this.random() > 0.1) return
    const again = await this.persist(path, lines.join('\n'), headers)
    this.judge(`${id} again`, again, { count, failed: lines.length - count })
  }

  private judge(id: string, response: string, right: { count: number; failed: number }): void {
    const { ingested, failed } = JSON.parse(response)
    if (ingested !== right.count || failed !== right.failed) this.wrong.push(`${id}: ${response}`)
  }

  /** Events of this client only, sometimes with a new field or an invalid line. */
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

  /** A result must have every event acknowledged before the query, and none twice. */
  private async ask(): Promise<void> {
    const dataset = `logs${this.suffix}`
    const before = this.acknowledged.get(dataset) ?? 0
    if (before === 0) return
    const [total = 0, distinct] = await this.counts(dataset)
    if (total < before || total !== distinct) {
      this.wrong.push(`${before} acknowledged, then ${total} seen, ${distinct} different`)
    }
  }

  private persist(...request: Parameters<KilledLoad['send']>): Promise<string> {
    const response = this.send(...request)
    const settled = () => void this.underWay.delete(response)
    this.underWay.add(response)
    response.then(settled, settled)
    return response
  }

  /** Repeats a request until it is not interrupted by a kill. */
  private async send(
    path: string,
    content: string | object,
    headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' },
  ): Promise<string> {
    const { urls, token } = this.services
    const body = typeof content === 'string' ? content : JSON.stringify(content)
    for (;;) {
      const url = urls[urls.length === 1 ? 0 : Math.floor(this.random() * urls.length)] ?? ''
      const signal = AbortSignal.timeout(PATIENCE_MS)
      try {
        const response = await fetch(`${url}${path}`, {
          method: 'POST',
          headers: { ...headers, authorization: `Bearer ${token}` },
          body,
          signal,
        })
        const text = await response.text()
        if (response.status === 200) return text
        if (this.mayBeAway && response.status === 503 && response.headers.has('retry-after')) {
          throw new Error('it is away')
        }
        throw new Answered(`${path}: ${response.status} ${text}`)
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

/** The connection was refused: the request was not sent. */
function isRefused(error: unknown): boolean {
  return (
    error instanceof Error && /ECONNREFUSED/.test(String(Reflect.get(error.cause ?? {}, 'code')))
  )
}
