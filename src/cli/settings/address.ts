import { isIPv4 } from 'node:net'
import { UsageError } from '../error/usage-error.js'

/** An address of a deployment, or why it is none. */
export function checkAddress(given: SettingValue | undefined): SettingValue | undefined {
  if (given === undefined) return undefined
  const { username, password } = urlOf(
    given,
    /^https?:$/,
    'https://host` or `http://host:port/path',
  )
  if (username === '' && password === '') return given
  throw new UsageError(
    `The address from ${given.origin} holds a name or password. A token comes from \`EVQ_TOKEN\`, \`--token-file\` or a profile.`,
  )
}

/** An address of a proxy, which may hold a name and a password. */
export function checkProxyAddress(given: SettingValue | undefined): SettingValue | undefined {
  if (given !== undefined) urlOf(given, /^https?:$/, 'http://host:3128')
  return given
}

function urlOf({ value, origin }: SettingValue, protocols: RegExp, example: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url !== undefined && protocols.test(url.protocol)) return url
  throw new UsageError(
    `${origin} is not an address: \`${withoutPassword(value)}\`. It looks like \`${example}\`.`,
  )
}

/** Text that may be an address, without the name and password before its host. */
function withoutPassword(text: string): string {
  return text.replace(/^(.*?:\/\/)?.*@/s, '$1…@')
}

/** A value, and where it came from, as it may be shown. */
export interface SettingValue {
  readonly value: string
  readonly origin: string
}

/** Whether a host, as a `URL` writes it, is this machine. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    (isIPv4(hostname) && hostname.startsWith('127.'))
  )
}
