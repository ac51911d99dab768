import { createCatalog } from '../engine/catalog/catalog.js'
import { createDocuments, documents } from '../engine/catalog/documents.js'
import { AddressError, openRemote } from '../engine/clickhouse/open-address.js'
import type { ServerAddress } from '../engine/clickhouse/remote-server.js'
import { type ClusterAddress, openCluster } from '../engine/cluster/cluster.js'
import { ClusterError } from '../engine/cluster/topology.js'
import { type Engine, EngineError, hasCode, isUnreachable } from '../engine/engine.js'
import { tokenDocuments } from '../service/auth/token-documents.js'
import { openTokens, type Tokens } from '../service/auth/tokens.js'
import { connectionErrorCode } from '../text/system-error.js'
import { DirectoryError } from './directory-error.js'

/** The address of a ClickHouse server, and the cluster to spread the data over; without one, it is a single server. */
export type ClickHouseOptions = ServerAddress & Partial<ClusterAddress>

/** Connects to ClickHouse. Throws a `DirectoryError` when it cannot be used. */
export async function openClickHouse(options: ClickHouseOptions): Promise<Engine> {
  try {
    const { cluster } = options
    return cluster === undefined
      ? await openRemote(options)
      : await openCluster({ ...options, cluster })
  } catch (error) {
    throw clickHouseError(options, error)
  }
}

const REFUSED_USER = [
  'UNKNOWN_USER',
  'WRONG_PASSWORD',
  'REQUIRED_PASSWORD',
  'AUTHENTICATION_FAILED',
] as const

const TRUST =
  '`ca_file` in the file of `--clickhouse-config` names the trusted certificates, in PEM format.'
const CLIENT_CERTIFICATE =
  '`cert_file` and `key_file` in the file of `--clickhouse-config` name the certificate and its key.'
const TLS_HELP: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: TRUST,
  SELF_SIGNED_CERT_IN_CHAIN: TRUST,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: TRUST,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: TRUST,
  ERR_TLS_CERT_ALTNAME_INVALID: 'Use a host name that the certificate contains.',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: CLIENT_CERTIFICATE,
}

/** Converts an error of ClickHouse to a `DirectoryError` with an actionable message; returns other errors unchanged. */
export function clickHouseError({ url, tls }: ClickHouseOptions, error: unknown): unknown {
  if (error instanceof ClusterError || error instanceof AddressError)
    return new DirectoryError(error.message)
  if (!(error instanceof EngineError)) return error
  const failed = (message: string): DirectoryError => new DirectoryError(message, { cause: error })
  if (isUnreachable(error)) {
    const help = TLS_HELP[connectionErrorCode(error.cause)]
    const message = `ClickHouse at \`${url}\` can't be reached: ${error.message}.`
    return failed(help === undefined ? message : `${message} ${help}`)
  }
  if (hasCode(error, ...REFUSED_USER)) {
    const what = tls?.client === undefined ? 'the password' : 'its certificate'
    return failed(
      `ClickHouse at \`${url}\` rejects the user or ${what}. Set both in the file of \`--clickhouse-config\`.`,
    )
  }
  const may = hasCode(error, 'ACCESS_DENIED') ? ' denies a required permission' : ' refuses'
  return failed(`ClickHouse at \`${url}\`${may}: ${error.message.split('\n', 1)[0]}`)
}

/** Opens the tokens that all services in front of one ClickHouse share, for the duration of `work`; no service has to run. */
export async function withSharedTokens<Result>(
  options: ClickHouseOptions,
  now: () => bigint,
  work: (tokens: Tokens) => Promise<Result>,
): Promise<Result> {
  const engine = await openClickHouse(options)
  try {
    await createCatalog(engine)
    await createDocuments(engine)
    return await work(openTokens(tokenDocuments(documents(engine, 'token')), now))
  } catch (error) {
    throw clickHouseError(options, error)
  } finally {
    await engine.close()
  }
}
