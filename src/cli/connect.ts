import type { Connection } from '../client/connection.js'
import { connectHttp } from '../client/http.js'
import { HEADER } from '../wire/header.js'
import type { Io } from './io.js'
import { connectLocal } from './local.js'
import type { Settings } from './settings.js'

/** The way to the configured deployment, or to the local service when none is. Opens nothing yet. */
export function connect(settings: Settings, { io }: { readonly io: Io }): Connection {
  const { url, organizationId } = settings
  if (url === undefined) {
    return connectLocal({ directory: settings.dataDirectory, now: () => nanoseconds(io.now()) })
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

function nanoseconds(ms: number): bigint {
  return BigInt(Math.round(ms * 1000)) * 1000n
}
