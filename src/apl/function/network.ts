import type { Signature } from '../signature.js'

/** Functions on network addresses. */
export const NETWORK_FUNCTIONS = {
  format_ipv4: {
    parameters: [{ name: 'address', accepts: ['int', 'string'] }],
    result: 'string',
    summary: 'an IPv4 address in dots, from its number; empty when it is none',
  },
  format_ipv4_mask: {
    parameters: [
      { name: 'address', accepts: ['int', 'string'] },
      { name: 'prefix', accepts: ['int'] },
    ],
    result: 'string',
    summary:
      'the network of an IPv4 address, with a slash and its prefix; empty when there is none',
  },
  has_any_ipv4: {
    parameters: [
      { name: 'text', accepts: ['string'] },
      { name: 'addresses', accepts: ['string', 'dynamic'] },
    ],
    result: 'bool',
    summary:
      'true for a text with one of the IPv4 addresses in it, or one of a range with a prefix',
  },
  has_any_ipv4_prefix: {
    parameters: [
      { name: 'text', accepts: ['string'] },
      { name: 'prefixes', accepts: ['string', 'dynamic'] },
    ],
    result: 'bool',
    summary: 'true for a text with an IPv4 address in it that begins with one of the prefixes',
  },
  has_ipv4: {
    parameters: [
      { name: 'text', accepts: ['string'] },
      { name: 'address', accepts: ['string'] },
    ],
    result: 'bool',
    summary: 'true for a text with that IPv4 address in it, no letter or digit beside it',
  },
  has_ipv4_prefix: {
    parameters: [
      { name: 'text', accepts: ['string'] },
      { name: 'prefix', accepts: ['string'] },
    ],
    result: 'bool',
    summary: 'true for a text with an IPv4 address in it that begins so',
  },
  ipv4_compare: {
    parameters: [
      { name: 'address', accepts: ['string'] },
      { name: 'other', accepts: ['string'] },
    ],
    result: 'int',
    summary:
      '-1, 0 or 1, as the first IPv4 address is below, the same as or above the other; null when one is none',
  },
  ipv4_is_in_any_range: {
    parameters: [
      { name: 'address', accepts: ['string'] },
      { name: 'ranges', accepts: ['string', 'dynamic'] },
    ],
    result: 'bool',
    summary: 'true for an IPv4 address in one of the ranges; null when one is none',
  },
  ipv4_is_in_range: {
    parameters: [
      { name: 'address', accepts: ['string'] },
      { name: 'range', accepts: ['string'] },
    ],
    result: 'bool',
    summary: 'true for an IPv4 address in a range with a prefix; null when one is none',
  },
  ipv4_is_match: {
    parameters: [
      { name: 'address', accepts: ['string'] },
      { name: 'other', accepts: ['string'] },
      { name: 'prefix', accepts: ['int'], optional: true },
    ],
    result: 'bool',
    summary:
      'true for two IPv4 addresses that agree in the bits of the shortest prefix; null when one is none',
  },
  ipv4_is_private: {
    parameters: [{ name: 'address', accepts: ['string'] }],
    result: 'bool',
    summary: 'true for an IPv4 address of a private network; null when it is none',
  },
  ipv4_netmask_suffix: {
    parameters: [{ name: 'range', accepts: ['string'] }],
    result: 'int',
    summary: 'the number behind the slash of an IPv4 range, 32 without; null when it is none',
  },
  ipv6_compare: {
    parameters: [
      { name: 'address', accepts: ['string'] },
      { name: 'other', accepts: ['string'] },
    ],
    result: 'int',
    summary:
      '-1, 0 or 1, as the first address is below, the same as or above the other; IPv4 too; null when one is none',
  },
  ipv6_is_in_any_range: {
    parameters: [
      { name: 'address', accepts: ['string'] },
      { name: 'ranges', accepts: ['string', 'dynamic'] },
    ],
    result: 'bool',
    summary: 'true for an address in one of the ranges, IPv6 or IPv4; null when one is none',
  },
  ipv6_is_in_range: {
    parameters: [
      { name: 'address', accepts: ['string'] },
      { name: 'range', accepts: ['string'] },
    ],
    result: 'bool',
    summary: 'true for an address in a range like `fd00::/8`, IPv6 or IPv4; null when one is none',
  },
  ipv6_is_match: {
    parameters: [
      { name: 'address', accepts: ['string'] },
      { name: 'other', accepts: ['string'] },
    ],
    result: 'bool',
    summary:
      'true for two addresses that agree in the bits of the shorter prefix, IPv6 or IPv4; null when one is none',
  },
  parse_ipv4: {
    parameters: [{ name: 'address', accepts: ['string'] }],
    result: 'int',
    summary: 'the number of an IPv4 address; null when it is none',
  },
  parse_ipv4_mask: {
    parameters: [
      { name: 'address', accepts: ['string'] },
      { name: 'prefix', accepts: ['int'] },
    ],
    result: 'int',
    summary: 'the number of the network of an IPv4 address; null when there is none',
  },
} satisfies Record<string, Signature>
