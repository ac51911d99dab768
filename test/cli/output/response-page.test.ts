import { expect, it } from 'vitest'
import { ResponsePage } from '../../../src/cli/output/response-page.js'
import { ChunkedBuffer } from '../../../src/wire/bytes/chunked-buffer.js'
import { tabular } from '../../support/canned-service.js'
import {
  nativeIntegers,
  nativeResponse,
  nativeText,
  nullableTexts,
} from '../../support/native-column.js'

const STATUS = { minCursor: 'a', maxCursor: 'b', rowsMatched: 9 }
const native = ResponsePage.read({
  form: 'native',
  body: nativeResponse(
    [
      {
        name: '_time',
        type: "DateTime64(9, 'UTC')",
        bytes: nativeIntegers([1_500_000_000n, 0n], 8),
      },
      { name: 'text', type: 'Nullable(String)', bytes: nullableTexts(['ä "b"', null]) },
      {
        ...{ name: 'more', type: 'String', isJson: true },
        bytes: Buffer.concat(['[1,{"x":2}]', 'null'].map(nativeText)),
      },
    ],
    2,
    { status: STATUS },
  ),
})
const json = ResponsePage.read({
  form: 'json',
  body: ChunkedBuffer.of(
    tabular(
      [
        {
          ...{ name: '_time', type: 'datetime' },
          values: '["1970-01-01T00:00:01.5Z","1970-01-01T00:00:00Z"]',
        },
        { name: 'text', type: 'string', values: '["ä \\"b\\"",null]' },
        { name: 'more', type: '', values: '[[1,{"x":2}],null]' },
      ],
      STATUS,
    ),
  ),
})

it('a page in the format Native has the same rows as one in JSON', () => {
  for (const page of [native, json]) {
    expect(page.rows).toBe(2)
    expect(page.names).toEqual(['_time', 'text', 'more'])
    expect(page.status).toMatchObject(STATUS)
    expect(page.timeOf(0)).toBe(1_500_000_000n)
    expect(page.count()).toBeUndefined()
  }
  expect(native.identityOf(0)).toBe(json.identityOf(0))
  expect(native.identityOf(1)).toBe(json.identityOf(1))
  expect(native.identityOf(0)).not.toBe(native.identityOf(1))
  expect(native.table()?.columns).toEqual(json.table()?.columns)
})

it('its columns can be those of another page', () => {
  for (const page of [native, json]) {
    const other = page.withColumns(['text', 'absent', '_time'])
    expect(other.names).toEqual(['text', 'absent', '_time'])
    expect(other.table()?.columns).toEqual([
      ['"ä \\"b\\""', 'null'],
      ['null', 'null'],
      ['"1970-01-01T00:00:01.5Z"', '"1970-01-01T00:00:00Z"'],
    ])
  }
})
