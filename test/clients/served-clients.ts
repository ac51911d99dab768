import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll } from 'vitest'
import { testEngineFlags } from '../support/engine.js'
import { start } from '../support/evq.js'
import { temporaryDirectory } from '../support/temporary.js'

/** `evq serve` with the tokens of its first start. */
export interface ServedClients {
  readonly url: string
  readonly personalToken: string
  readonly apiToken: string
  /** Sends a request as it is, with the API token. */
  send(path: string, init?: RequestInit): Promise<Response>
  /** Returns the columns of a query's result by name. */
  ask(apl: string): Promise<Readonly<Record<string, unknown>>>
  /** Runs a program that calls the service, and returns what it prints as JSON. */
  run(file: string, args?: readonly string[]): Promise<Readonly<Record<string, unknown>>>
}

/** Starts the service for all tests of a file. */
export function servedClients(): ServedClients {
  const directory = temporaryDirectory()
  let service: ReturnType<typeof start>
  let [url, personalToken, apiToken] = ['', '', '']
  beforeAll(async () => {
    const where = await testEngineFlags()
    service = start(['serve', '--listen', '127.0.0.1:0', '-q', ...where], { directory })
    const { err } = service
    url = (await err.until(/on (http:\/\/127\.0\.0\.1:\d+)\. /))[1] ?? ''
    personalToken = (await err.until(/shown only once: (xapt-\S+)\n/))[1] ?? ''
    apiToken = (await err.until(/shown only once: (xaat-\S+)\n/))[1] ?? ''
  })
  afterAll(async () => {
    service.child.kill()
    await service.ended
  })
  const send = (path: string, { headers, ...init }: RequestInit = {}): Promise<Response> =>
    fetch(`${url}${path}`, {
      method: 'POST',
      ...init,
      headers: { authorization: `Bearer ${apiToken}`, ...headers },
    })
  return {
    get url() {
      return url
    },
    get personalToken() {
      return personalToken
    },
    get apiToken() {
      return apiToken
    },
    send,
    async ask(apl) {
      const path = '/v1/datasets/_apl?format=tabular'
      const response = await send(path, { body: JSON.stringify({ apl }) })
      if (response.status !== 200) throw new Error(await response.text())
      const { tables } = (await response.json()) as { tables: readonly RawTable[] }
      return namedColumns(tables[0])
    },
    async run(file, args = []) {
      const env = {
        ...process.env,
        EVQ_URL: url,
        EVQ_PERSONAL_TOKEN: personalToken,
        EVQ_API_TOKEN: apiToken,
      }
      const { stdout } = await promisify(execFile)(file, args, { env })
      return JSON.parse(stdout) as Readonly<Record<string, unknown>>
    },
  }
}

/** A table as JSON. */
export interface RawTable {
  readonly name: string
  readonly fields: readonly { readonly name: string; readonly type: string }[]
  readonly columns: readonly (readonly unknown[])[]
}

/** Returns the columns of a table by name. */
export function namedColumns(table: RawTable | undefined): Readonly<Record<string, unknown>> {
  return Object.fromEntries(table?.fields.map(({ name }, i) => [name, table.columns[i]]) ?? [])
}
