import { describe, expect, it } from 'vitest'
import { decodeTabularResult } from '../../../src/wire/http/tabular-result.js'

function response(table: string): string {
  return `{"format":"tabular","status":{"rowsExamined":3},"tables":[${table}]}`
}

describe('a tabular response', () => {
  it('is decoded with its cells as text', () => {
    const result = decodeTabularResult(
      response(
        '{"name":"0","sources":[{"name":"logs"}],"fields":[{"name":"n","type":"integer"},{"name":"s","type":"string"}],' +
          '"order":[{"field":"n","desc":true}],"groups":[],"range":{"field":"_time","start":"a","end":"b"},' +
          '"columns":[[18446744073709551615,1.10],["x",null]]}',
      ),
    )
    expect(result.status.rowsExamined).toBe(3)
    expect(result.tables).toEqual([
      {
        name: '0',
        sources: [{ name: 'logs' }],
        fields: [
          { name: 'n', type: 'integer' },
          { name: 's', type: 'string' },
        ],
        order: [{ field: 'n', desc: true }],
        groups: [],
        range: { field: '_time', start: 'a', end: 'b' },
        columns: [
          ['18446744073709551615', '1.10'],
          ['"x"', 'null'],
        ],
      },
    ])
  })

  it('is decoded without the totals that hosted deployments append', () => {
    const table = (name: string) =>
      `{"name":"${name}","fields":[{"name":"n","type":"integer"}],"columns":[[1]]}`
    const names = (...tables: readonly string[]) =>
      decodeTabularResult(response(tables.map(table).join())).tables.map(({ name }) => name)
    expect(names('0', '_totals')).toEqual(['0'])
    expect(names('0', '1')).toEqual(['0', '1'])
    expect(names('_totals')).toEqual(['_totals'])
  })

  it('may have null for a list and omit members', () => {
    const result = decodeTabularResult(
      '{"status":{"messages":null},"tables":[{"fields":[{"name":"n","type":"integer"}],"groups":null,"columns":null}],"datasetNames":null}',
    )
    expect(result.datasetNames).toEqual([])
    expect(result.fieldsMetaMap).toEqual({})
    expect(result.status).toMatchObject({ elapsedTime: 0, minCursor: '', isPartial: false })
    expect(result.status).not.toHaveProperty('messages')
    expect(result.tables[0]).toMatchObject({ name: '', groups: [], order: [], columns: [[]] })
  })

  it('may have incomplete messages', () => {
    const { status } = decodeTabularResult(
      '{"tables":[],"status":{"messages":[{"code":"cut"},null]}}',
    )
    expect(status.messages).toEqual([
      { priority: '', code: 'cut', count: 0, msg: 'cut' },
      { priority: '', code: '', count: 0, msg: '' },
    ])
  })

  it('may have no tables', () => {
    expect(decodeTabularResult('{"tables":null}').tables).toEqual([])
    expect(() => decodeTabularResult('{}')).toThrow('`tables` is missing')
  })

  it('may have unknown members, in any order', () => {
    const result = decodeTabularResult(
      '{"new":[{"columns":[[1]]}],"tables":[{"columns":[[1]],"more":{},"fields":[{"name":"n","type":""}]}],"status":{}}',
    )
    expect(result.tables[0]?.columns).toEqual([['1']])
  })
})

describe('a malformed tabular response', () => {
  it.each([
    ['columns of different length', '{"fields":[{"name":"a"},{"name":"b"}],"columns":[[1],[1,2]]}'],
    ['fewer columns than fields', '{"fields":[{"name":"a"},{"name":"b"}],"columns":[[1]]}'],
    ['a field without a name', '{"fields":[{"type":"string"}],"columns":[[1]]}'],
    ['a field that is null', '{"fields":[null],"columns":[[1]]}'],
    ['a table that is a number', '1'],
    ['a word that is not JSON', '{"name":nothing}'],
  ])('is rejected: %s', (_, table) => {
    expect(() => decodeTabularResult(response(table))).toThrow('Unexpected response')
  })

  it('is rejected when it is the page of a proxy', () => {
    expect(() => decodeTabularResult('<html>Sign in</html>')).toThrow('at character 1')
  })

  it('is rejected when its status is not JSON', () => {
    expect(() => decodeTabularResult('{"status":{"a":01},"tables":[]}')).toThrow('is not JSON')
  })
})
