// The settings of a connection that are strings: their names in each source, and their texts in the help.
import { checkAddress, checkProxyAddress, type SettingValue } from './address.js'
import type { ProfileKey } from './config.js'

export interface ConnectionSetting {
  readonly flag: `--${string} <${string}>`
  readonly key: ProfileKey
  readonly variable?: string
  readonly summary: string
  /** The entry of `evq help settings`: its term and its text. */
  readonly entry: readonly [term: string, text: string]
  readonly check?: (given: SettingValue) => void
}

/** The settings by the names that commander gives to their flags. */
export const CONNECTION_SETTINGS = {
  url: {
    flag: '--url <url>',
    key: 'url',
    variable: 'EVQ_URL',
    summary: 'address of a deployment (EVQ_URL)',
    entry: ['--url, EVQ_URL', 'the address of a deployment'],
    check: checkAddress,
  },
  ingestUrl: {
    flag: '--ingest-url <url>',
    key: 'ingest_url',
    variable: 'EVQ_INGEST_URL',
    summary: 'address for ingest, if different (EVQ_INGEST_URL)',
    entry: ['--ingest-url, EVQ_INGEST_URL', 'the address for ingest, if different'],
    check: checkAddress,
  },
  orgId: {
    flag: '--org-id <id>',
    key: 'org_id',
    variable: 'EVQ_ORG_ID',
    summary: 'organization of a personal token (EVQ_ORG_ID)',
    entry: ['--org-id, EVQ_ORG_ID', 'the organization of a personal token'],
  },
  tokenFile: {
    flag: '--token-file <file>',
    key: 'token_file',
    summary: 'file that contains the token (or EVQ_TOKEN)',
    entry: ['--token-file, EVQ_TOKEN', 'the token; there is no flag for the token itself'],
  },
  caFile: {
    flag: '--ca-file <file>',
    key: 'ca_file',
    summary: 'CA certificates to trust, in PEM format',
    entry: ['--ca-file', 'certificates to trust in addition to the usual ones, as PEM'],
  },
  proxy: {
    flag: '--proxy <url>',
    key: 'proxy',
    summary: 'proxy to use (or HTTPS_PROXY, HTTP_PROXY, NO_PROXY)',
    entry: [
      '--proxy, HTTPS_PROXY, HTTP_PROXY, NO_PROXY',
      'a proxy; without the flag, loopback addresses are reached directly',
    ],
    check: checkProxyAddress,
  },
} as const satisfies Readonly<Record<string, ConnectionSetting>>

export type ConnectionSettingName = keyof typeof CONNECTION_SETTINGS

export const connectionSettings = Object.entries(CONNECTION_SETTINGS) as readonly (readonly [
  ConnectionSettingName,
  ConnectionSetting,
])[]

/** Returns the flag of a setting without its value: `--url`. */
export function settingFlag(name: ConnectionSettingName): string {
  return CONNECTION_SETTINGS[name].flag.replace(/ .*/, '')
}
