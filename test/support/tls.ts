import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { afterAll } from 'vitest'

/** A self-signed certificate for `localhost` and `logs.test`, valid until 2100. */
export const CERTIFICATE_FILE = join(import.meta.dirname, 'tls/certificate.pem')

/** Serves HTTPS on a free port of loopback. */
export async function secureServer(listener: RequestListener): Promise<number> {
  const key = readFileSync(join(import.meta.dirname, 'tls/key.pem'))
  const server = createServer({ key, cert: readFileSync(CERTIFICATE_FILE) }, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Certificates of one authority for `localhost`, 127.0.0.1 and a client, and their keys; valid until 2099. */
export function tlsFile(
  name: 'authority' | 'server' | 'server-key' | 'expired' | 'client' | 'client-key',
): string {
  return join(import.meta.dirname, `tls/${name}.pem`)
}

/** Terminates TLS in front of a server without it, like a load balancer; resolves to its port. */
export async function tlsBefore(
  port: number,
  options: {
    readonly certificate?: 'server' | 'expired'
    readonly asksWho?: boolean
    readonly host?: string
  } = {},
): Promise<number> {
  const { certificate = 'server', asksWho = false, host = '127.0.0.1' } = options
  const front = createTlsServer(
    {
      cert: readFileSync(tlsFile(certificate)),
      key: readFileSync(tlsFile('server-key')),
      ca: readFileSync(tlsFile('authority')),
      requestCert: asksWho,
      rejectUnauthorized: asksWho,
    },
    (outside) => {
      const inside = connect(port, '127.0.0.1')
      outside.pipe(inside).pipe(outside)
      outside.on('error', () => inside.destroy())
      inside.on('error', () => outside.destroy())
    },
  )
  await new Promise<void>((resolve) => front.listen(0, host, resolve))
  afterAll(() => void front.close())
  return (front.address() as AddressInfo).port
}
