// The settings of a connection that are strings: their names in each source, and their texts in the help.
import { UsageError } from '../error/usage-error.js'

/** A value, and the name of its source for messages. */
export interface SettingValue {
  readonly value: string
  readonly origin: string
}

export interface ConnectionSetting<Key extends string = string> {
  readonly flag: `--${string} <${string}>`
  /** The key in a profile. */
  readonly key: Key
  readonly variable?: string
  readonly summary: string
  /** The entry of `evq help settings`: its term and its text. */
  readonly entry: readonly [term: string, text: string]
  /** True for a setting of one deployment, which must not be used with another one. */
  readonly isOfDeployment: boolean
  readonly check?: (given: SettingValue) => void
  /** True for a path. A profile holds it as an absolute path, because commands run in other directories. */
  readonly isPath?: true
}

/** The settings by the names that commander gives to their flags. */
export const CONNECTION_SETTINGS = {
  url: {
    flag: '--url <url>',
    key: 'url',
    variable: 'EVQ_URL',
    summary: 'address of a deployment (EVQ_URL)',
    entry: ['--url, EVQ_URL', 'the address of a deployment'],
    isOfDeployment: true,
    check: checkAddress,
  },
  ingestUrl: {
    flag: '--ingest-url <url>',
    key: 'ingest_url',
    variable: 'EVQ_INGEST_URL',
    summary: 'address for ingest, if different (EVQ_INGEST_URL)',
    entry: ['--ingest-url, EVQ_INGEST_URL', 'the address for ingest, if different'],
    isOfDeployment: true,
    check: checkAddress,
  },
  orgId: {
    flag: '--org-id <id>',
    key: 'org_id',
    variable: 'EVQ_ORG_ID',
    summary: 'organization of a personal token (EVQ_ORG_ID)',
    entry: ['--org-id, EVQ_ORG_ID', 'the organization of a personal token'],
    isOfDeployment: true,
  },
  tokenFile: {
    flag: '--token-file <file>',
    key: 'token_file',
    summary: 'file that contains the token (or EVQ_TOKEN)',
    entry: ['--token-file, EVQ_TOKEN', 'the token; there is no flag for the token itself'],
    isOfDeployment: true,
    isPath: true,
  },
  caFile: {
    flag: '--ca-file <file>',
    key: 'ca_file',
    summary: 'CA certificates to trust, in PEM format',
    entry: ['--ca-file', 'certificates to trust in addition to the usual ones, as PEM'],
    isOfDeployment: false,
    isPath: true,
  },
  proxy: {
    flag: '--proxy <url>',
    key: 'proxy',
    summary: 'proxy to use (or HTTPS_PROXY, HTTP_PROXY, NO_PROXY)',
    entry: [
      '--proxy, HTTPS_PROXY, HTTP_PROXY, NO_PROXY',
      'a proxy; without the flag, loopback addresses are reached directly',
    ],
    isOfDeployment: false,
    check: checkProxyAddress,
  },
} as const satisfies Readonly<Record<string, ConnectionSetting>>

export type ConnectionSettingName = keyof typeof CONNECTION_SETTINGS
export type ConnectionKey = (typeof CONNECTION_SETTINGS)[ConnectionSettingName]['key']

export const connectionSettings = Object.entries(CONNECTION_SETTINGS) as readonly (readonly [
  ConnectionSettingName,
  ConnectionSetting<ConnectionKey>,
])[]

/** Returns the flag of a setting without its value: `--url`. */
export function settingFlag(name: ConnectionSettingName): string {
  return CONNECTION_SETTINGS[name].flag.replace(/ .*/, '')
}

/** Throws a `UsageError` when the address of a deployment is not an HTTP URL to which paths can be added, or contains a password. */
function checkAddress(given: SettingValue): void {
  const { username, password, search, hash } = urlOf(
    given,
    'https://host` or `http://host:port/path',
  )
  if (username !== '' || password !== '') {
    throw new UsageError(
      `The address from ${given.origin} contains a user name or password. Set a token with \`EVQ_TOKEN\`, \`--token-file\` or a profile.`,
    )
  }
  if (search !== '' || hash !== '') {
    throw new UsageError(
      `The address from ${given.origin} must end before \`${(search || hash)[0]}\`: paths are added to it.`,
    )
  }
}

/** Throws a `UsageError` when the address of a proxy, which may contain a password, is not an HTTP URL. */
function checkProxyAddress(given: SettingValue): void {
  urlOf(given, 'http://host:3128')
}

function urlOf({ value, origin }: SettingValue, example: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url
  throw new UsageError(
    `\`${withoutSecrets(value)}\` from ${origin} is not an address. An address looks like \`${example}\`.`,
  )
}

/** Removes the user name and password, and a query, which may contain a token, from a string that may be an address. */
function withoutSecrets(text: string): string {
  return text.replace(/^(.*?:\/\/)?.*@/s, '$1…@').replace(/([?#]).+/s, '$1…')
}
