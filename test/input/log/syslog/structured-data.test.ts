import { describe, expect, it } from 'vitest'
import { readStructuredData } from '../../../../src/input/log/syslog/structured-data.js'

describe('structured data', () => {
  it('with pairs of Check Point has values of any length', () => {
    const value = 'a'.repeat(50_000_000)
    const text = `[action:"Drop"; url:"${value}"]`
    const found = readStructuredData(text, 0)
    expect(found?.end).toBe(text.length)
    expect(found?.json === `{"action":"Drop","url":"${value}"}`).toBe(true)
  })
})
