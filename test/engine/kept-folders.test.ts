import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { keptFolders } from '../../src/engine/kept-folders.js'
import { temporaryDirectory } from '../support/temporary.js'

it('notices that a folder is gone, or that another one has its name, until it is back', async () => {
  const folder = join(temporaryDirectory(), 'folder')
  await mkdir(folder)
  const warnings: string[] = []
  const isGone = keptFolders([folder], (message) => warnings.push(message))
  expect(isGone()).toBe(false)
  await rename(folder, `${folder}-moved`)
  expect(isGone()).toBe(true)
  await mkdir(folder)
  expect(isGone()).toBe(true)
  await rename(folder, `${folder}-other`)
  await rename(`${folder}-moved`, folder)
  expect(isGone()).toBe(false)
  expect(warnings).toEqual([expect.stringContaining('was deleted or replaced')])
})
