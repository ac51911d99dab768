import { describe, expect, it } from 'vitest'
import { AuthThrottle } from '../../../src/service/auth/throttle.js'

function attempts() {
  const clock = { now: 1000 }
  const failed = new AuthThrottle(() => clock.now)
  const many = (count: number, address: string) =>
    Array.from({ length: count }, () => failed.countFailure(address))
  return { clock, failed, many }
}

describe('AuthThrottle', () => {
  it('does not delay the first failures, then increases the delay up to a maximum', () => {
    const { many } = attempts()
    expect(Math.max(...many(20, 'a'))).toBe(0)
    expect(many(3, 'a')).toEqual([200, 400, 600])
    expect(many(100, 'a').at(-1)).toBe(2000)
  })

  it('forgives failures over time', () => {
    const { clock, failed, many } = attempts()
    many(500, 'a')
    clock.now += 2000 + 200
    expect(failed.countFailure('a')).toBe(0)
    expect(failed.countFailure('a')).toBe(200)
    clock.now += 60_000
    expect(Math.max(...many(20, 'a'))).toBe(0)
  })

  it('counts failures per address', () => {
    const { failed, many } = attempts()
    many(30, '192.0.2.1')
    expect(failed.countFailure('192.0.2.2')).toBe(0)
    expect(failed.countFailure('::ffff:192.0.2.3')).toBe(0)
  })

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
    ['2001:db8::1', '2001:db8:0:0:1:2:3:4', true],
    ['2001:db8::1', '2001:db8:0:1::1', false],
    ['::1', '::2', true],
    ['fe80::1%eth0', 'fe80::2%eth0', true],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2', false],
  ])('assigns %s and %s to the same network: %j', (one, other, same) => {
    const { failed, many } = attempts()
    many(30, one)
    expect(failed.countFailure(other) > 0).toBe(same)
  })

  it('tracks a limited number of networks', () => {
    const { failed, many } = attempts()
    many(30, 'first')
    for (let n = 0; n < 10_050; n++)
      failed.countFailure(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`)
    expect(failed.size).toBe(10_000)
    expect(failed.countFailure('first')).toBe(0)
  })
})
