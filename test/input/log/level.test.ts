import { describe, expect, it } from 'vitest'
import { bunyanLevel, normalLevel, syslogLevel } from '../../../src/input/log/level.js'

describe('normalLevel', () => {
  it.each([
    ['WARN', 'warn'],
    ['Warning', 'warn'],
    ['WRN', 'warn'],
    ['INFO ', 'info'],
    ['Information', 'info'],
    ['LOG', 'info'],
    ['NOTICE', 'notice'],
    ['eror', 'error'],
    ['ERRO', 'error'],
    ['SEVERE', 'error'],
    ['CRIT', 'critical'],
    ['emerg', 'emergency'],
    ['alert', 'alert'],
    ['PANIC', 'fatal'],
    ['FTL', 'fatal'],
    ['FINE', 'debug'],
    ['CONFIG', 'debug'],
    ['FINEST', 'trace'],
    ['D2', 'debug'],
    ['DEBUG-4', 'debug'],
    ['INFO+2', 'info'],
  ])('reads %s as %s', (text, level) => {
    expect(normalLevel(text)).toBe(level)
  })

  it('reads the letters of Android, klog and glog', () => {
    const levels = ['V', 'D', 'I', 'W', 'E', 'F'].map(normalLevel)
    expect(levels).toEqual(['trace', 'debug', 'info', 'warn', 'error', 'fatal'])
  })

  it.each(['', '30', 'GET', 'default', 'constructor', '+2'])('reads no level in `%s`', (text) => {
    expect(normalLevel(text)).toBeUndefined()
  })
})

it('reads the severities of syslog', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 8].map(syslogLevel)).toEqual([
    ...['emergency', 'alert', 'critical', 'error', 'warn', 'notice', 'info', 'debug'],
    undefined,
  ])
})

it('reads the numbers of bunyan and pino, also those in between', () => {
  expect([10, 20, 30, 35, 40, 50, 60, 100, 5, Number.NaN].map(bunyanLevel)).toEqual([
    ...['trace', 'debug', 'info', 'info', 'warn', 'error', 'fatal', 'fatal'],
    undefined,
    undefined,
  ])
})
