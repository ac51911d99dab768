import { setFlagsFromString } from 'node:v8'
import type { Dispatcher } from 'undici'
import type { HttpAddress } from './address.js'

interface DispatcherOptions
  extends Pick<HttpAddress, 'socketPath' | 'ca' | 'proxyTo' | 'userAgent'> {
  readonly connectMs: number
}

/** Opens the connection pool for an origin: to a socket, over the network, or through a proxy. */
export async function openDispatcher(
  origin: string,
  { socketPath, ca, proxyTo, userAgent, connectMs }: DispatcherOptions,
): Promise<Dispatcher> {
  const connect = { timeout: connectMs, ...(ca !== undefined && { ca: await trusted(ca) }) }
  const proxy = proxyTo?.(origin)
  const opened =
    proxy === undefined
      ? await openPool(origin, { ...connect, socketPath })
      : await openProxy(origin, { uri: proxy, userAgent, connect })
  // Without this flag, V8 compiles undici's parser a second time in the background, which doubles the CPU time of a short run
  // (0.24 s instead of 0.10 s). Node has no option for it. The flag must be set after the code is loaded, and V8 reads it only when
  // it compiles a WebAssembly function. Long exports do not become slower.
  setFlagsFromString('--wasm-tiering-budget=1000000000')
  return opened
}

async function openPool(origin: string, connect: object): Promise<Dispatcher> {
  const { default: Pool } = await import('undici/lib/dispatcher/pool.js')
  return new Pool(origin, { connect })
}

interface Proxy {
  readonly uri: string
  readonly userAgent: string | undefined
  readonly connect: object
}

async function openProxy(origin: string, { uri, userAgent, connect }: Proxy): Promise<Dispatcher> {
  // The modules of `ProxyAgent` lack methods that only the whole package adds.
  const { default: undici } = await import('undici')
  return new undici.ProxyAgent({
    uri,
    ...(userAgent && { headers: { 'user-agent': userAgent } }),
    requestTls: connect,
    proxyTls: connect,
    // Many proxies allow tunnels to the HTTPS port only.
    proxyTunnel: origin.startsWith('https:'),
  })
}

/** Returns the certificates to trust. A list replaces Node's default certificates, so it must contain them. */
async function trusted(ca: string): Promise<readonly string[]> {
  const { rootCertificates } = await import('node:tls')
  return [...rootCertificates, ca]
}
