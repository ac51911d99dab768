import type { Connection } from '../client/connection.js'
import type { Observe } from '../client/exchange.js'
import { connectHttp, type HttpAddress } from '../client/http.js'
import { clock } from './clock.js'
import type { Context } from './context.js'
import { exchangeLines } from './exchange-lines.js'
import { connectLocal } from './local.js'
import { serviceFault } from './service-fault.js'
import type { Settings } from './settings.js'
import { userAgent } from './version.js'

/** The way to the configured deployment, or to the local service when none is. Opens nothing yet. */
export function connect(
  settings: Settings,
  { io, flags, detail, note }: Pick<Context, 'io' | 'flags' | 'detail' | 'note'>,
): Connection {
  const { url } = settings
  for (const origin of settings.origins) detail(origin)
  const observe = (flags().verbose ?? 0) < 2 ? undefined : showing(detail)
  if (url === undefined) {
    const withStack = flags().debug === true
    return connectLocal({
      directory: settings.dataDirectory,
      now: clock(io),
      observe,
      note,
      report: (error, traceId) => detail(serviceFault(error, { traceId, withStack })),
    })
  }
  return connectHttp({ ...httpAddress({ ...settings, url }), observe })
}

/** A configured deployment, as it is spoken to. */
export function httpAddress(settings: Settings & { readonly url: string }): HttpAddress {
  const { url, ingestUrl, token, organizationId, headerNames, timeoutMs, ca, proxyTo } = settings
  return {
    name: `\`${url}\``,
    url,
    ingestUrl,
    token,
    organizationId,
    headerNames,
    timeouts: timeoutMs === undefined ? {} : { answerMs: timeoutMs, pauseMs: timeoutMs },
    ca,
    proxyTo,
    userAgent: userAgent(),
  }
}

function showing(detail: Context['detail']): Observe {
  return (moment) => {
    for (const line of exchangeLines(moment)) detail(line)
  }
}
