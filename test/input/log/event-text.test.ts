import { describe, expect, it } from 'vitest'
import { EventText } from '../../../src/input/log/event-text.js'

const ODD = 'tab\t quote " backslash \\ \x00\x1f\x7f\xe4'

describe('the JSON of an event', () => {
  it('has members of all kinds in any order', () => {
    const event = new EventText()
    event.setTime('2026-11-20T10:00:00Z')
    event.text('message', ODD)
    event.json('n', '[1,2]')
    event.text(ODD, '')
    event.members(' {"a":1, "b":"}"} ', ['a', 'b'])
    event.members('{ }', [])
    event.plain('status', '200')
    event.plain('id', '007')
    const json =
      `{"_time":"2026-11-20T10:00:00Z","message":${JSON.stringify(ODD)},"n":[1,2],` +
      `${JSON.stringify(ODD)}:"","a":1, "b":"}","status":200,"id":"007"}`
    expect(event.take()).toBe(json)
  })

  it('is an empty object without members', () => {
    const event = new EventText()
    expect(event.take()).toBe('{}')
    event.json('n', '1')
    expect(event.take()).toBe('{"n":1}')
  })

  it('keeps only the time when it is discarded', () => {
    const event = new EventText()
    event.text('level', 'info')
    event.setTime('2026-11-20T10:00:00Z')
    event.discard()
    event.text('message', 'm')
    expect(event.take()).toBe('{"_time":"2026-11-20T10:00:00Z","message":"m"}')
    event.writeTime({ text: '1700000000', isJson: true })
    event.text('a', 'b')
    event.discard()
    expect(event.take()).toBe('{"_time":1700000000}')
    event.text('a', 'b')
    event.discard()
    expect(event.take()).toBe('{}')
  })

  it('has repeated keys under other names, but not keys of objects inside it', () => {
    const event = new EventText()
    for (const key of ['host', 'level', 'pid']) event.text(key, 'first')
    const mark = event.mark()
    event.members('{"host":1,"process":{"pid":2}}', ['host', 'process'])
    event.json('http', '{"level":3}')
    event.renameRepeated(mark, ['host', 'level', 'pid', 'other'], (key) => `line_${key}`)
    expect(event.hasSince(mark, 'host')).toBe(true)
    expect(event.hasSince(mark, 'pid')).toBe(false)
    expect(event.take()).toBe(
      '{"line_host":"first","level":"first","pid":"first","host":1,"process":{"pid":2},"http":{"level":3}}',
    )
  })

  it('has none of the keys of the event before it', () => {
    const event = new EventText()
    for (const key of ['a', 'b', 'c']) event.text(key, 'first')
    event.take()
    const mark = event.mark()
    event.json('a', '{"b":1}')
    expect(event.hasSince(mark, 'a')).toBe(true)
    expect(event.hasSince(mark, 'b')).toBe(false)
    event.rollback(mark)
    event.json('c', '{"a":1}')
    expect(event.hasSince(mark, 'a')).toBe(false)
    event.members('{"b":2}', ['b'])
    event.text('a', 'last')
    expect(event.take()).toBe('{"c":{"a":1},"b":2,"a":"last"}')
  })

  it('is a line of several', () => {
    const event = new EventText()
    event.text('a', '1')
    event.endLine()
    event.endLine()
    event.json('b', '2')
    event.endLine()
    event.text('c', '3')
    event.discard()
    event.text('d', '4')
    const lines = '{"a":"1"}\n{}\n{"b":2}\n{"d":"4"}\n'
    expect(event.endLine()).toBe(lines.length)
    expect(event.takeLines()).toBe(lines)
    expect(event.takeLines()).toBe('')
  })
})
