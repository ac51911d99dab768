import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { streamCopies } from '../../../../src/cli/commands/view/stream-copies.js'
import { chunksOf, streamBytes } from '../../../../src/input/byte-source.js'
import { temporaryDirectory } from '../../../support/temporary.js'

it('copies streams while they are read', async () => {
  const copies = streamCopies(temporaryDirectory())
  const texts = { one: 'a\n'.repeat(100_000), other: 'b\n' }
  for (const [name, text] of Object.entries(texts)) {
    const bytes = streamBytes(Readable.from([Buffer.from(text)]))
    const opened = copies.copied({ name, bytes, isLive: true })
    const read: Buffer[] = []
    for await (const chunk of chunksOf(opened.bytes)) read.push(chunk)
    expect(Buffer.concat(read).toString()).toBe(text)
  }
  for (const [name, text] of Object.entries(texts)) {
    expect(readFileSync(copies.pathOf(name)!, 'utf8')).toBe(text)
  }
  expect(copies.pathOf('app.log')).toBeUndefined()
  copies.close()
})
