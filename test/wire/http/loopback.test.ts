import { describe, expect, it } from 'vitest'
import { isLocalHost, isLoopback } from '../../../src/wire/http/loopback.js'

describe('isLoopback', () => {
  it.each([
    '127.0.0.1',
    '127.9.8.7',
    '127.255.255.255',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
  ])('is true for the address %s', (address) => {
    expect(isLoopback(address)).toBe(true)
  })

  it.each([
    '128.0.0.1',
    '12.7.0.1',
    '1.127.0.0',
    '10.0.0.1',
    '0.0.0.0',
    '127.1',
    '127.0.0.256',
    '::',
    '::127.0.0.1',
    '::ffff:10.0.0.1',
    '127::1',
    'localhost',
    '127.0.0.1.logs.test',
    '',
  ])('is false for %j', (address) => {
    expect(isLoopback(address)).toBe(false)
  })
})

describe('isLocalHost', () => {
  it.each(['localhost', 'LOCALHOST', 'logs.localhost', 'localhost.', '127.0.0.1', '[::1]'])(
    'is true for %s',
    (host) => {
      expect(isLocalHost(host)).toBe(true)
    },
  )

  it.each(['notlocalhost', 'localhost.test', '127.0.0.1.logs.test', '[2001:db8::1]', ''])(
    'is false for %j',
    (host) => {
      expect(isLocalHost(host)).toBe(false)
    },
  )
})
