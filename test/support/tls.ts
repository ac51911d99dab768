import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** A certificate that nobody has signed but itself, for `localhost` and `logs.test`; good until 2100. */
export const CERTIFICATE_FILE = join(import.meta.dirname, 'tls/certificate.pem')

/** Serves HTTPS on a free port of loopback. */
export async function secureServer(answer: RequestListener): Promise<number> {
  const key = readFileSync(join(import.meta.dirname, 'tls/key.pem'))
  const server = createServer({ key, cert: readFileSync(CERTIFICATE_FILE) }, answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}
