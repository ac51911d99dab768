import { setFlagsFromString } from 'node:v8'
import type { Dispatcher, ProxyAgent } from 'undici'
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
  const uri = proxyTo?.(origin)
  const opened =
    uri === undefined
      ? await openPool(origin, { ...connect, socketPath })
      : await openProxy({
          uri,
          ...(userAgent && { headers: { 'user-agent': userAgent } }),
          requestTls: connect,
          proxyTls: connect,
          // Many proxies allow tunnels to the HTTPS port only.
          proxyTunnel: origin.startsWith('https:'),
        })
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

async function openProxy(options: ProxyAgent.Options): Promise<Dispatcher> {
  // The modules of `ProxyAgent` lack methods that only the whole package adds.
  const { default: undici } = await import('undici')
  return new undici.ProxyAgent(options)
}

/** Returns the certificates to trust. A list replaces Node's default certificates, so it must contain them. */
async function trusted(ca: string): Promise<string[]> {
  const { rootCertificates } = await import('node:tls')
  return [...rootCertificates, ca]
}
