import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** A directory for this test file, removed when its tests are done. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'evq-test-'))
  afterAll(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}
