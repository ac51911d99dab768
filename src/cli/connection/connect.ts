import type { HttpAddress } from '../../client/address.js'
import type { Connection } from '../../client/connection.js'
import { connectHttp } from '../../client/http.js'
import { redaction } from '../../client/redaction.js'
import { secretsOf } from '../../client/secrets.js'
import { isLocalHost } from '../../wire/http/loopback.js'
import { type Context, clock } from '../context.js'
import { formatInternalError } from '../error/internal-error.js'
import type { Settings } from '../settings/settings.js'
import { userAgent } from '../version.js'
import { connectLocal } from './local.js'
import { showing } from './trace.js'

/** Returns a connection to the configured deployment, or to the local service. Nothing is opened before the first request. */
export function connect(
  settings: Settings,
  { io, flags, debug, warn, hide }: Pick<Context, 'io' | 'flags' | 'debug' | 'warn' | 'hide'>,
): Connection {
  const { url } = settings
  for (const origin of settings.origins) debug(origin)
  const observe = (flags().verbose ?? 0) < 2 ? undefined : showing(debug)
  if (url === undefined) {
    const withStack = flags().debug === true
    return connectLocal({
      directory: settings.dataDirectory,
      now: clock(io),
      observe,
      keepWarmMs: settings.keepWarmMs,
      warn,
      report: (error, traceId) => debug(formatInternalError(error, { traceId, withStack })),
    })
  }
  const address = httpAddress({ ...settings, url })
  hide(redaction(secretsOf(address)))
  const exposed = exposedUrl(address)
  if (exposed !== undefined) {
    warn(
      `The token is sent to \`${exposed}\` unencrypted: others on the network can read it. Use \`https://\`.`,
    )
  }
  return connectHttp({ ...address, trace: observe })
}

/** Returns the first address to which the token is sent unencrypted over a network; undefined when there is no such address. */
function exposedUrl({ url, ingestUrl = url, token, proxyTo }: HttpAddress): string | undefined {
  if (token === undefined) return undefined
  return [url, ingestUrl].find((target) => {
    const { protocol, origin } = new URL(target)
    return protocol === 'http:' && ![target, proxyTo?.(origin) ?? target].every(isNear)
  })
}

function isNear(url: string): boolean {
  return URL.canParse(url) && isLocalHost(new URL(url).hostname)
}

export function httpAddress(settings: Settings & { readonly url: string }): HttpAddress {
  const { url, profile, timeoutMs } = settings
  const timeouts = timeoutMs === undefined ? {} : { responseMs: timeoutMs, idleMs: timeoutMs }
  const name = profile === undefined ? `\`${url}\`` : `\`${url}\` (profile \`${profile}\`)`
  return { ...settings, name, timeouts, userAgent: userAgent() }
}
