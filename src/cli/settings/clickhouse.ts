// `--clickhouse` and its configuration file. What is secret never stands on the command line, where
// everybody on the machine can read it.
import { dirname, resolve } from 'node:path'
import type { ClickHouseOptions } from '../../local/clickhouse.js'
import { UsageError } from '../error/usage-error.js'
import { bytesOf, clickHouseTls } from './clickhouse-tls.js'
import type { Environment } from './config.js'
import { requirePrivateFile } from './secret-file.js'
import { checkKeys, parseToml } from './toml.js'

/** The flags that say where the service keeps the data, when not in the directory. */
export interface ClickHouseFlags {
  readonly clickhouse?: string
  readonly cluster?: string
  readonly clickhouseConfig?: string
  readonly allowPartial?: boolean
}

const TEXT_KEYS = ['user', 'password', 'ca_file', 'cert_file', 'key_file'] as const
const KEYS = [...TEXT_KEYS, 'nodes']

interface File extends Partial<Record<(typeof TEXT_KEYS)[number], string>> {
  /** The addresses of all servers of a cluster. */
  readonly nodes?: readonly string[]
}

/** The ClickHouse that the service is to use; undefined for the embedded one. */
export async function clickHouseOptions(
  flags: ClickHouseFlags,
  env: Environment,
): Promise<ClickHouseOptions | undefined> {
  const { clickhouse, clickhouseConfig: path, cluster } = flags
  if (clickhouse === undefined) {
    refuseAlone({ '--clickhouse-config': path, '--cluster': cluster }, '`--clickhouse <url>`')
    refuseAlone({ '--allow-partial': flags.allowPartial }, '`--cluster <name>`')
    return undefined
  }
  if (cluster === undefined) {
    refuseAlone({ '--allow-partial': flags.allowPartial }, '`--cluster <name>`')
  }
  const file = path === undefined ? {} : await readClickHouseConfig(path)
  const user = env.EVQ_CLICKHOUSE_USER || file.user
  const password = env.EVQ_CLICKHOUSE_PASSWORD || file.password
  const tls = await clickHouseTls(file, dirname(resolve(path ?? '.')))
  const url = addressOf(clickhouse, '`--clickhouse`')
  const nodes = file.nodes?.map((node) => addressOf(node, '`nodes`'))
  if (tls !== undefined) refusePlain([url, ...(nodes ?? [])])
  return {
    url,
    ...(cluster !== undefined && { cluster }),
    ...(nodes && { nodes }),
    ...(flags.allowPartial && { allowPartial: true }),
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    ...(tls && { tls }),
  }
}

function refuseAlone(flags: Readonly<Record<string, unknown>>, other: string): void {
  for (const [name, value] of Object.entries(flags)) {
    if (value !== undefined) throw new UsageError(`\`${name}\` goes with ${other}.`)
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
      `${where} takes no password: others can read a command line. \`user\` and \`password\` in the file of \`--clickhouse-config\` do, or \`EVQ_CLICKHOUSE_USER\` and \`EVQ_CLICKHOUSE_PASSWORD\`.`,
    )
  }
  return url.href
}

/** What proves who a server is proves nothing where nobody asks for it. */
function refusePlain(urls: readonly string[]): void {
  const plain = urls.find((url) => url.startsWith('http:'))
  if (plain === undefined) return
  throw new UsageError(
    `\`ca_file\` and \`cert_file\` go with addresses that begin with \`https://\`, and \`${plain}\` does not.`,
  )
}

async function readClickHouseConfig(path: string): Promise<File> {
  const members = await parseToml(path, (await bytesOf(path)).toString('utf8'))
  checkKeys(members, KEYS, `\`${path}\``)
  for (const [key, value] of Object.entries(members)) {
    const isRight = key === 'nodes' ? isTexts(value) : typeof value === 'string'
    if (isRight) continue
    const wanted = key === 'nodes' ? 'a list of addresses in quotes' : 'a text in quotes'
    throw new UsageError(`\`${key}\` in \`${path}\` is not ${wanted}.`)
  }
  if (members.password !== undefined) await requirePrivateFile(path, 'password')
  return members as File
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}
