import type { Connection } from '../client/connection.js'
import { connectHttp } from '../client/http.js'
import { HEADER } from '../wire/header.js'
import { clock } from './clock.js'
import type { Context } from './context.js'
import { connectLocal } from './local.js'
import { serviceFault } from './service-fault.js'
import type { Settings } from './settings.js'

/** The way to the configured deployment, or to the local service when none is. Opens nothing yet. */
export function connect(
  settings: Settings,
  { io, flags, detail }: Pick<Context, 'io' | 'flags' | 'detail'>,
): Connection {
  const { url, organizationId } = settings
  if (url === undefined) {
    const withStack = flags().debug === true
    return connectLocal({
      directory: settings.dataDirectory,
      now: clock(io),
      report: (error, traceId) => detail(serviceFault(error, { traceId, withStack })),
    })
  }
  return connectHttp({
    name: `\`${url}\``,
    url,
    ingestUrl: settings.ingestUrl,
    token: settings.token,
    organization:
      organizationId === undefined
        ? undefined
        : { header: HEADER.organization, id: organizationId },
  })
}
