import { type Signature, signature } from './signature.js'

export const NETWORK_FUNCTIONS = {
  format_ipv4: signature('address: int|string', 'string')(
    'an IPv4 address in dotted notation from its number; empty if it is not one',
    'print format_ipv4(3232235777) // "192.168.1.1"',
  ),
  format_ipv4_mask: signature('address: int|string, prefix: int', 'string')(
    'the network of an IPv4 address in CIDR notation; empty if it is not one',
    'print format_ipv4_mask("192.168.1.77", 24) // "192.168.1.0/24"',
  ),
  has_any_ipv4: signature('text: string, addresses: string|dynamic', 'bool')(
    'true if the string has one of the IPv4 addresses, or one in a CIDR range',
    'print has_any_ipv4("from 10.1.2.3", "10.0.0.0/8") // true',
  ),
  has_any_ipv4_prefix: signature('text: string, prefixes: string|dynamic', 'bool')(
    'true if the string has an IPv4 address that begins with one of the prefixes',
    'print has_any_ipv4_prefix("from 10.1.2.3", "10.1.") // true',
  ),
  has_ipv4: signature('text: string, address: string', 'bool')(
    'true if the string has the IPv4 address as a whole word',
    'print has_ipv4("from 10.1.2.3:80", "10.1.2.3") // true',
  ),
  has_ipv4_prefix: signature('text: string, prefix: string', 'bool')(
    'true if the string has an IPv4 address that begins with the prefix',
    'print has_ipv4_prefix("from 10.1.2.3", "10.1.") // true',
  ),
  ipv4_compare: signature('address: string, other: string', 'int')(
    '-1, 0 or 1: the first IPv4 address is lower than, equal to or higher than the second; null if one is not an address',
    'print ipv4_compare("10.0.0.1", "10.0.0.2") // -1',
  ),
  ipv4_is_in_any_range: signature('address: string, ranges: string|dynamic', 'bool')(
    'true if the IPv4 address is in one of the ranges; null if one is not valid',
    'print ipv4_is_in_any_range("10.1.2.3", dynamic(["10.0.0.0/8", "192.168.0.0/16"])) // true',
  ),
  ipv4_is_in_range: signature('address: string, range: string', 'bool')(
    'true if the IPv4 address is in a CIDR range; null if one is not valid',
    'print ipv4_is_in_range("192.168.1.77", "192.168.1.0/24") // true',
  ),
  ipv4_is_match: signature('address: string, other: string, [prefix: int]', 'bool')(
    'true if two IPv4 addresses agree in the bits of the shortest prefix; null if one is not valid',
    'print ipv4_is_match("192.168.1.1", "192.168.1.2", 24) // true',
  ),
  ipv4_is_private: signature('address: string', 'bool')(
    'true if the IPv4 address is private; null if it is not valid',
    'print ipv4_is_private("192.168.1.1") // true',
  ),
  ipv4_netmask_suffix: signature('range: string', 'int')(
    'the prefix length of an IPv4 range, 32 without one; null if it is not valid',
    'print ipv4_netmask_suffix("10.0.0.0/8") // 8',
  ),
  ipv6_compare: signature('address: string, other: string', 'int')(
    '-1, 0 or 1: the first address, IPv6 or IPv4, is lower than, equal to or higher than the second; null if one is not valid',
    'print ipv6_compare("::1", "::2") // -1',
  ),
  ipv6_is_in_any_range: signature('address: string, ranges: string|dynamic', 'bool')(
    'true if the address, IPv6 or IPv4, is in one of the ranges; null if one is not valid',
    'print ipv6_is_in_any_range("fd00::1", dynamic(["fc00::/7", "::1/128"])) // true',
  ),
  ipv6_is_in_range: signature('address: string, range: string', 'bool')(
    'true if the address, IPv6 or IPv4, is in a range such as `fd00::/8`; null if one is not valid',
    'print ipv6_is_in_range("fd00::1", "fd00::/8") // true',
  ),
  ipv6_is_match: signature('address: string, other: string', 'bool')(
    'true if two addresses, IPv6 or IPv4, agree in the bits of the shorter prefix; null if one is not valid',
    'print ipv6_is_match("fd00::1/64", "fd00::2/64") // true',
  ),
  parse_ipv4: signature('address: string', 'int')(
    'the number of an IPv4 address; null if it is not valid',
    'print parse_ipv4("192.168.1.1") // 3232235777',
  ),
  parse_ipv4_mask: signature('address: string, prefix: int', 'int')(
    'the number of the network of an IPv4 address; null if it is not valid',
    'print parse_ipv4_mask("192.168.1.77", 24) // 3232235776',
  ),
} satisfies Record<string, Signature>
