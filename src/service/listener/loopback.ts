import { BlockList, isIP } from 'node:net'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8)
LOOPBACK.addAddress('::1', 'ipv6')

/** Whether an address is one that no other machine reaches. */
export function isLoopback(address: string): boolean {
  const version = isIP(address)
  return version !== 0 && LOOPBACK.check(address, version === 6 ? 'ipv6' : 'ipv4')
}

/**
 * Whether the `host` of a request is a name that this machine gives itself. A page of any site can make a browser
 * ask this machine, by a name of its own that is told to mean 127.0.0.1 (DNS rebinding); it can't change the name.
 */
export function isLocalName(host = 'localhost'): boolean {
  const name = host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1')
  return isLoopback(name) || /^(?:.+\.)?localhost\.?$/i.test(name)
}
