import { BlockList, isIP } from 'node:net'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8)
LOOPBACK.addAddress('::1', 'ipv6')

/** True when other machines cannot reach the address. */
export function isLoopback(address: string): boolean {
  const version = isIP(address)
  return version !== 0 && LOOPBACK.check(address, version === 6 ? 'ipv6' : 'ipv4')
}

/**
 * True when the `host` of a request is a local name. A web page can make a browser send requests to this machine under
 * a domain that resolves to 127.0.0.1 (DNS rebinding), but it cannot change that name in the `host` header.
 */
export function isLocalName(host = 'localhost'): boolean {
  const name = host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1')
  return isLoopback(name) || /^(?:.+\.)?localhost\.?$/i.test(name)
}
