import { expect, it } from 'vitest'
import { ResponsePage } from '../../../src/cli/output/response-page.js'
import { RowSink } from '../../../src/cli/output/rows.js'
import { ChunkedBuffer } from '../../../src/wire/bytes/chunked-buffer.js'
import { tabular } from '../../support/canned-service.js'
import { silentContext } from '../../support/fake-io.js'

const ROWS = 100

const page = ResponsePage.read({
  form: 'json',
  body: ChunkedBuffer.of(
    tabular([
      { name: 'name', type: 'string', values: JSON.stringify(Array(ROWS).fill('api')) },
      { name: 'n', type: 'integer', values: JSON.stringify(Array(ROWS).fill(5)) },
    ]),
  ),
})

it('lines of records are written together', async () => {
  const pieces: (Uint8Array | string)[] = []
  const context = silentContext()
  const target = {
    out: context.io.stdout,
    copy: (piece: Uint8Array) => piece,
    write: async (piece: Uint8Array | string) => void pieces.push(piece),
  }
  await new RowSink({ format: 'record', target }, context).write(page)
  const records = Array.from(
    { length: ROWS },
    (_, i) => `${`── ${i + 1} `.padEnd(80, '─')}\nname  api\nn     5\n`,
  )
  expect(pieces).toEqual([records.join('')])
})
