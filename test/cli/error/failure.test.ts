import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { failureOf } from '../../../src/cli/error/failure.js'
import { temporaryDirectory } from '../../support/temporary.js'

it('the error of replacing a file names the file, and not the temporary one', () => {
  const scratch = temporaryDirectory()
  const [temporary, target] = [join(scratch, '.evq-1.part'), join(scratch, 'parts.json')]
  writeFileSync(temporary, '')
  mkdirSync(target)
  let failure: unknown
  try {
    renameSync(temporary, target)
  } catch (error) {
    failure = failureOf(error)
  }
  expect(failure).toMatchObject({ message: expect.stringContaining(`\`${target}\`: `) })
})
