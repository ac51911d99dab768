import { BlockList, isIP } from 'node:net'
import { isLocalHost } from '../../wire/http/loopback.js'
import { UsageError } from '../error/usage-error.js'
import type { Environment } from './config.js'

/** Returns the proxy for an address; undefined for a direct connection. Throws a `UsageError` for an invalid proxy. */
export function proxyFor(
  target: string,
  { chosen, env }: { readonly chosen: string | undefined; readonly env: Environment },
): string | undefined {
  if (chosen !== undefined) return chosen
  const url = new URL(target)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // A proxy on another machine would connect to its own loopback address.
  if (isLocalHost(url.hostname)) return undefined
  const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const proxy = env[name.toLowerCase()] || env[name]
  if (!proxy || isExcepted(url, host, env.no_proxy || env.NO_PROXY || '')) return undefined
  const address = proxy.includes('://') ? proxy : `http://${proxy}`
  if (URL.canParse(address)) return address
  throw new UsageError(
    `\`${name}\` is not the address of a proxy. An address looks like \`http://host:3128\`.`,
  )
}

/** True when `NO_PROXY` names a host: hosts, domains with or without a dot, `host:port`, networks such as `10.0.0.0/8`, or `*`. */
function isExcepted(url: URL, host: string, exceptions: string): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return exceptions
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((rule) => rule !== '')
    .some((rule) => {
      if (rule === '*') return true
      if (rule.includes('/')) return isWithin(host, rule)
      const [, name = rule, wantedPort] = /^(.*?):(\d+)$/.exec(rule) ?? []
      if (isIP(rule) === 6) return host === rule
      if (wantedPort !== undefined && wantedPort !== port) return false
      const domain = name.replace(/^\*?\./, '')
      return host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`))
    })
}

function isWithin(host: string, network: string): boolean {
  const [base = '', bits = ''] = network.split('/')
  const family = isIP(base)
  if (family === 0 || isIP(host) !== family || !/^\d+$/.test(bits)) return false
  const list = new BlockList()
  const kind = family === 6 ? 'ipv6' : 'ipv4'
  if (Number(bits) > (family === 6 ? 128 : 32)) return false
  list.addSubnet(base, Number(bits), kind)
  return list.check(host, kind)
}
