import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('decides how often each property is tried, and with which values', () => {
  const root = join(import.meta.dirname, '..')
  const others = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      return (
        /\bassert\(/.test(text) && / from 'fast-check'/.test(text) && !text.includes('/runs.js')
      )
    })
  expect(others).toEqual([])
})
