import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const tests = join(import.meta.dirname, '..')

it('is the only way to skip a test', () => {
  const others = readdirSync(tests, { recursive: true, encoding: 'utf8' })
    // Its texts are tests that are run by another process.
    .filter((file) => file.endsWith('.test.ts') && !file.endsWith('closing-line.test.ts'))
    .filter((file) =>
      /\b(?:it|test|describe)\.(?:skip|skipIf|runIf|todo|only)\b/.test(
        readFileSync(join(tests, file), 'utf8'),
      ),
    )
  expect(others).toEqual([])
})
