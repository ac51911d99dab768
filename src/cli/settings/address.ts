import { UsageError } from '../error/usage-error.js'

/** Throws a `UsageError` when the address of a deployment is not an HTTP URL or contains a password. */
export function checkAddress(given: SettingValue): void {
  const { username, password } = urlOf(given, 'https://host` or `http://host:port/path')
  if (username === '' && password === '') return
  throw new UsageError(
    `The address from ${given.origin} contains a user name or password. Set a token with \`EVQ_TOKEN\`, \`--token-file\` or a profile.`,
  )
}

/** Throws a `UsageError` when the address of a proxy, which may contain a password, is not an HTTP URL. */
export function checkProxyAddress(given: SettingValue): void {
  urlOf(given, 'http://host:3128')
}

function urlOf({ value, origin }: SettingValue, example: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url
  throw new UsageError(
    `${origin} is not an address: \`${withoutPassword(value)}\`. An address looks like \`${example}\`.`,
  )
}

/** Removes the user name and password from a string that may be an address. */
function withoutPassword(text: string): string {
  return text.replace(/^(.*?:\/\/)?.*@/s, '$1…@')
}

/** A value, and the name of its source for messages. */
export interface SettingValue {
  readonly value: string
  readonly origin: string
}
