import { describe, expect, it } from 'vitest'
import { fieldName } from '../../src/wire/json/field-path.js'
import { ask } from '../support/ask.js'
import { TemporaryStore } from './temporary-store.js'

/** Returns fields of the event whose `id` is 1, as JSON. */
async function read(evq: TemporaryStore, names: readonly string[]): Promise<readonly string[]> {
  const { rows } = await ask(evq.world, `['logs'] | where id == 1 | project ${names.join(', ')}`)
  return rows[0] ?? []
}

// Later events give each field another type, so that none of them has a column.
describe('fields that are read from the text of an event, all at once', () => {
  it('have their values next to a double that the engine writes as an integer beyond 64 bits', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(
      '{"id":1,"o":{"big":1e20,"low":-9.5e18,"name":"\\"-\\" 123456789012345678901,","long":18446744073709551615},"p":true}\n' +
        '{"id":2,"o":{"big":"b","low":"l","name":5,"long":"n"},"p":"p"}\n',
    )
    expect(await read(evq, ['o.big', 'o.low', 'o.name', 'o.long', 'p'])).toEqual([
      '100000000000000000000',
      '-9500000000000000000',
      '"\\"-\\" 123456789012345678901,"',
      '18446744073709551615',
      'true',
    ])
  })

  it('are numbers in expressions when they are doubles beyond 64 bits', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest('{"id":1,"a":1e20,"b":"x","c":[1]}\n{"id":2,"a":"a","b":5,"c":"c"}\n')
    const names = ['todouble(a)', 'a > 5', 'tostring(a)', 'strcat(b, "y")', 'tostring(c)']
    expect(await read(evq, names)).toEqual([
      '100000000000000000000',
      'true',
      '"100000000000000000000"',
      '"xy"',
      '"[1]"',
    ])
  })

  it('are found by their keys, whatever these are and however many there are', async () => {
    const evq = await TemporaryStore.open()
    const keys = ['a', 'a b', 'A', "'", '"', '\\', '\\\\', 'é😀', 'null', '0', '1', 'a.b', '\t']
    const names = [...keys, ...Array.from({ length: 300 }, (_, i) => `k${i}`)]
    const event = (id: number, value: (i: number) => unknown): string =>
      JSON.stringify(Object.fromEntries([['id', id], ...names.map((name, i) => [name, value(i)])]))
    // Event 1 has every second key, in the opposite order, and event 2 the others.
    const first = event(1, (i) => (i % 2 === 0 ? i : undefined))
    const second = event(2, (i) => (i % 2 === 0 ? undefined : `v${i}`))
    const both = event(3, (i) => (i % 2 === 0 ? `v${i}` : i))
    const turned = `{${first.slice(1, -1).split(',').reverse().join(',')}}`
    await evq.ingest(`${turned}\n${second}\n${both}\n`)
    const result = async (where: string) => {
      const { names: fields, rows } = await ask(evq.world, `['logs'] | where ${where}`)
      return rows.map((row) => names.map((name) => row[fields.indexOf(fieldName([name]))]))
    }
    expect(await result('id == 1')).toEqual([names.map((_, i) => (i % 2 ? 'null' : `${i}`))])
    expect(await result('id == 2')).toEqual([names.map((_, i) => (i % 2 ? `"v${i}"` : 'null'))])
    // A term in any field.
    expect(await result('* has "v311"')).toEqual(await result('id == 2'))
    expect(await result('* has "v312"')).toEqual(await result('id == 3'))
  })

  it('have the first of several values of one key, also when it is null', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(
      '{"id":1,"f":null,"g":{"a":1},"h":{"a":1},"f":"last"}\n{"id":2,"f":2,"g":{"a":"g"},"h":{"a":"h"}}\n{"id":3,"f":"f"}\n',
    )
    expect(await read(evq, ['f'])).toEqual(['null'])
    expect(await read(evq, ['f', 'g.a', 'h.a'])).toEqual(['null', '1', '1'])
  })
})
