import { BlockList, isIP } from 'node:net'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8)
LOOPBACK.addAddress('::1', 'ipv6')

/** True when other machines cannot reach the IP address. */
export function isLoopback(address: string): boolean {
  const version = isIP(address)
  // Every request is checked, and the list takes seven times as long.
  if (version === 4) return address.startsWith('127.')
  return version === 6 && LOOPBACK.check(address, 'ipv6')
}

/** True when the host of a URL, a name or an address, is this machine. */
export function isLocalHost(host: string): boolean {
  return isLoopback(host.replace(/^\[(.*)\]$/, '$1')) || /^(?:.+\.)?localhost\.?$/i.test(host)
}
