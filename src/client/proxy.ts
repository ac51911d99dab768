import type { buildConnector, Dispatcher, ProxyAgent } from 'undici'
import { errorCode } from '../text/system-error.js'
import { compilingOnce } from './compile-once.js'

interface ProxyOptions
  extends Pick<ProxyAgent.Options, 'uri' | 'headers' | 'requestTls' | 'proxyTls' | 'proxyTunnel'> {
  /** The time in which the proxy must open a tunnel. */
  readonly connectMs: number
}

export async function openProxy({ connectMs, ...options }: ProxyOptions): Promise<Dispatcher> {
  // The modules of `ProxyAgent` lack methods that only the whole package adds.
  const { default: undici } = await import('undici')
  const factory = (
    origin: string | URL,
    { connect, ...others }: { readonly connect: buildConnector.connector },
  ) => new undici.Pool(origin, { ...others, connect: compilingOnce(connect) })
  const clientFactory: typeof factory = (origin, poolOptions) => {
    const pool = factory(origin, poolOptions)
    const connect: Connect = pool.connect.bind(pool)
    return Object.assign(pool, {
      connect: (tunnel: Dispatcher.ConnectOptions) => openTunnel(tunnel, { connect, connectMs }),
    })
  }
  return new undici.ProxyAgent({ ...options, factory, clientFactory })
}

type Connect = (tunnel: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData>

/**
 * Opens a tunnel. By itself, undici waits for the response of the proxy as for the response of a server, and repeats its request without end
 * when the proxy closes the connection: it takes the error for an error of an established connection.
 */
async function openTunnel(
  tunnel: Dispatcher.ConnectOptions,
  { connect, connectMs }: { readonly connect: Connect; readonly connectMs: number },
): Promise<Dispatcher.ConnectData> {
  const signal = AbortSignal.timeout(connectMs)
  const opened = await connect({ ...tunnel, signal }).catch((error: unknown) => {
    if (signal.aborted) throw Object.assign(new Error(), { code: 'UND_ERR_CONNECT_TIMEOUT' })
    if (errorCode(error) !== 'UND_ERR_SOCKET') throw error
    throw new Error('the proxy closed the connection', { cause: error })
  })
  if (opened.statusCode === 200) return opened
  opened.socket.on('error', () => {}).destroy()
  throw new Error(`the proxy refused the connection with status ${opened.statusCode}`)
}
