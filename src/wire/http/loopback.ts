import { BlockList, isIP } from 'node:net'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8)
LOOPBACK.addAddress('::1', 'ipv6')

/** True when other machines cannot reach the IP address. */
export function isLoopback(address: string): boolean {
  const version = isIP(address)
  return version !== 0 && LOOPBACK.check(address, version === 6 ? 'ipv6' : 'ipv4')
}

/** True when the host of a URL, a name or an address, is this machine. */
export function isLocalHost(host: string): boolean {
  return isLoopback(host.replace(/^\[(.*)\]$/, '$1')) || /^(?:.+\.)?localhost\.?$/i.test(host)
}
