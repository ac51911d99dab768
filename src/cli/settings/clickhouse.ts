// `--clickhouse` and its configuration file. Secrets never appear on the command line, where every user of the machine
// can read them.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { ClickHouseOptions } from '../../local/clickhouse.js'
import { UsageError } from '../error/usage-error.js'
import { isCertificate } from './certificate.js'
import type { Environment } from './config.js'
import { readError, requirePrivateFile } from './secret-file.js'
import { checkKeys, parseToml } from './toml.js'

/** The flags with which the service keeps its data in a ClickHouse server or cluster. */
export interface ClickHouseFlags {
  readonly clickhouse?: string
  readonly cluster?: string
  readonly clickhouseConfig?: string
  readonly allowPartial?: boolean
}

const TEXT_KEYS = ['user', 'password', 'ca_file', 'cert_file', 'key_file'] as const
const KEYS = [...TEXT_KEYS, 'nodes', 'write_copies']

interface File extends Partial<Record<(typeof TEXT_KEYS)[number], string>> {
  /** The addresses of all servers of a cluster. */
  readonly nodes?: readonly string[]
  /** The number of copies of an event that a response requires, in a cluster. */
  readonly write_copies?: number
}

/** Returns the ClickHouse of the service; undefined for the embedded ClickHouse. Throws a `UsageError` for an invalid setting. */
export async function clickHouseOptions(
  flags: ClickHouseFlags,
  env: Environment,
): Promise<ClickHouseOptions | undefined> {
  const { clickhouse, clickhouseConfig: path, cluster } = flags
  if (clickhouse === undefined) {
    refuseWithout({ '--clickhouse-config': path, '--cluster': cluster }, '`--clickhouse <url>`')
  }
  if (cluster === undefined) {
    refuseWithout({ '--allow-partial': flags.allowPartial }, '`--cluster <name>`')
  }
  if (clickhouse === undefined) return undefined
  const file = path === undefined ? {} : await readClickHouseConfig(path)
  const user = env.EVQ_CLICKHOUSE_USER || file.user
  const password = env.EVQ_CLICKHOUSE_PASSWORD || file.password
  const tls = await clickHouseTls(file, dirname(resolve(path ?? '.')))
  const url = addressOf(clickhouse, '`--clickhouse`')
  const nodes = file.nodes?.map((node) => addressOf(node, '`nodes`'))
  if (tls !== undefined) refusePlain([url, ...(nodes ?? [])])
  return {
    url,
    cluster,
    nodes,
    writeCopies: file.write_copies,
    allowPartial: flags.allowPartial,
    user,
    password,
    tls,
  }
}

function refuseWithout(flags: Readonly<Record<string, unknown>>, other: string): void {
  for (const [name, value] of Object.entries(flags)) {
    if (value !== undefined) throw new UsageError(`\`${name}\` requires ${other}.`)
  }
}

function addressOf(text: string, where: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(
      `${where} takes the address of ClickHouse's HTTP port such as \`http://127.0.0.1:8123\`, not \`${text}\`.`,
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(
      `${where} takes no password, because other users can read a command line. Set \`user\` and \`password\` in the file of \`--clickhouse-config\`, or \`EVQ_CLICKHOUSE_USER\` and \`EVQ_CLICKHOUSE_PASSWORD\`.`,
    )
  }
  return url.href
}

/** Throws a `UsageError` when an address does not use TLS although there are certificates. */
function refusePlain(urls: readonly string[]): void {
  const plain = urls.find((url) => url.startsWith('http:'))
  if (plain === undefined) return
  throw new UsageError(
    `\`ca_file\` and \`cert_file\` require addresses that begin with \`https://\`, not \`${plain}\`.`,
  )
}

async function readClickHouseConfig(path: string): Promise<File> {
  const members = await parseToml(path, (await bytesOf(path)).toString('utf8'))
  checkKeys(members, KEYS, `\`${path}\``)
  for (const [key, value] of Object.entries(members)) {
    const wanted = wantedForm(key, value)
    if (wanted !== undefined) throw new UsageError(`\`${key}\` in \`${path}\` is not ${wanted}.`)
  }
  if (members.password !== undefined) await requirePrivateFile(path, 'password')
  return members as File
}

/** Returns the form that a value in the configuration file should have; undefined when it has this form. */
function wantedForm(key: string, value: unknown): string | undefined {
  const isString = (one: unknown) => typeof one === 'string'
  if (key === 'nodes') {
    return Array.isArray(value) && value.every(isString) ? undefined : 'a list of strings'
  }
  if (key !== 'write_copies') return isString(value) ? undefined : 'a string'
  const isCopies = Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 9
  return isCopies ? undefined : 'an integer from 1 to 9'
}

/**
 * Reads the certificates and the key, whose names are relative to `folder`. Throws a `UsageError` for files that TLS can't use,
 * because the errors of TLS do not name the file.
 */
async function clickHouseTls(
  { ca_file: ca, cert_file: certificate, key_file: key }: File,
  folder: string,
): Promise<ClickHouseOptions['tls']> {
  if ((certificate === undefined) !== (key === undefined)) {
    throw new UsageError('`cert_file` and `key_file` must be set together.')
  }
  if (ca === undefined && certificate === undefined) return undefined
  const read = (path: string): Promise<Buffer> => bytesOf(resolve(folder, path))
  const authority = ca === undefined ? undefined : await read(ca)
  if (authority !== undefined && !isCertificate(authority)) {
    throw new UsageError(`\`${ca}\` (\`ca_file\`) contains no certificate in PEM format.`)
  }
  if (certificate === undefined || key === undefined) return authority && { ca: authority }
  const client = { certificate: await read(certificate), key: await read(key) }
  await requirePrivateFile(resolve(folder, key), 'key')
  checkKeyPair(client, { certificate, key })
  return { ca: authority, client }
}

/** Throws a `UsageError` for a certificate and a key that TLS could not use. */
function checkKeyPair(
  pem: { readonly certificate: Buffer; readonly key: Buffer },
  path: { readonly certificate: string; readonly key: string },
): void {
  if (!isCertificate(pem.certificate)) {
    throw new UsageError(
      `\`${path.certificate}\` (\`cert_file\`) contains no certificate in PEM format.`,
    )
  }
  const key = keyOf(pem.key)
  if (key === undefined) {
    throw new UsageError(
      `\`${path.key}\` (\`key_file\`) contains no key in PEM format that can be read without a passphrase.`,
    )
  }
  if (new X509Certificate(pem.certificate).checkPrivateKey(key)) return
  throw new UsageError(`The key in \`${path.key}\` does not belong to \`${path.certificate}\`.`)
}

function keyOf(pem: Buffer): KeyObject | undefined {
  try {
    return createPrivateKey(pem)
  } catch {
    return undefined
  }
}

/** Returns the contents of a file. Throws a `UsageError` when it can't be read. */
async function bytesOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    throw readError(path, error)
  }
}
