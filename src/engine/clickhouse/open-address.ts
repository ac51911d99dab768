import { randomUUID } from 'node:crypto'
import { raw, sql } from '../../sql/sql.js'
import { DATASETS } from '../catalog/database.js'
import type { Engine } from '../engine.js'
import { stringsIn } from '../response.js'
import {
  keepsTokensIn,
  ManagedEngine,
  offersKeeperMap,
  serversBehind,
  tableKindOf,
} from './managed-engine.js'
import { RemoteEngine } from './remote.js'
import { RemoteServer, type ServerAddress } from './remote-server.js'

/** The servers behind an address can't be used; the message is for users. */
export class AddressError extends Error {}

/** Opens the ClickHouse at one address, a single server or a managed one. Throws an `AddressError` when it can't be used. */
export async function openRemote(address: ServerAddress): Promise<Engine> {
  const server = await RemoteServer.open(address)
  try {
    const { name = randomUUID() } = address
    // The default database may not exist yet.
    const system = new RemoteEngine(server, { settings: { database: 'system' } })
    for (const database of [DATASETS, 'evq']) {
      await system.run(sql`CREATE DATABASE IF NOT EXISTS ${raw(database)}`)
    }
    const remote = await engineOf(server, { system, name })
    await remote.end(name)
    return remote
  } catch (error) {
    await server.close()
    throw error
  }
}

async function engineOf(
  server: RemoteServer,
  { system, name }: { readonly system: RemoteEngine; readonly name: string },
): Promise<RemoteEngine> {
  const { url } = server
  const kind = await tableKindOf(system)
  if (kind !== 'own') {
    const [version = ''] = stringsIn(await system.ask(sql`SELECT version() AS version`), 'version')
    if (!keepsTokensIn(version)) throw new AddressError(tooOldMessage(url))
    return new ManagedEngine(server, { name, kind, hasKeeperMap: await offersKeeperMap(system) })
  }
  const servers = await serversBehind(system)
  if (servers.size === 1) return new RemoteEngine(server, { name })
  throw new AddressError(
    `\`${url}\` is the address of several ClickHouse servers, each with tables of its own. Give the address of one server, or name their cluster with \`--cluster\`.`,
  )
}

/** Returns the message about a server that may store a repeated insert twice. */
export function tooOldMessage(url: string): string {
  return `The ClickHouse at \`${url}\` is too old: its replicas may store a batch twice. Update it to version 26.4 or later.`
}
