import { PbfWriter } from 'pbf'
import { describe, expect, it } from 'vitest'
import { ProtobufError, ProtobufReader, uint64 } from '../../../src/wire/bytes/protobuf-reader.js'
import { runToEnd } from '../../../src/wire/steps/steps.js'

/** Returns a message written by another implementation. */
function written(write: (writer: PbfWriter) => void): Buffer {
  const writer = new PbfWriter()
  write(writer)
  return Buffer.from(writer.finish())
}

function skipAll(message: Buffer): void {
  const reader = new ProtobufReader(message)
  while (reader.next()) reader.skip()
}

/** A message with a field of each wire type, and a message inside it. */
const MESSAGE = written((writer) => {
  writer.writeVarintField(1, 300)
  writer.writeFixed64Field(2, 5)
  writer.writeMessage(3, (_, inner) => inner.writeStringField(1, 'Grüße'), null)
  writer.writeFixed32Field(4, 4_294_967_295)
  writer.writeStringField(5, 'end')
})

describe('ProtobufReader', () => {
  it('reads the fields of a message and of the message inside it', () => {
    const reader = new ProtobufReader(MESSAGE)
    expect([reader.next(), reader.tag, reader.uint32()]).toEqual([true, 0x08, 300])
    expect([reader.next(), reader.tag]).toEqual([true, 0x11])
    reader.fixed64()
    expect(uint64(reader.low, reader.high)).toBe(5n)
    expect([reader.next(), reader.tag]).toEqual([true, 0x1a])
    const outer = reader.enter()
    expect([reader.next(), reader.tag, reader.text()]).toEqual([true, 0x0a, 'Grüße'])
    expect(reader.next()).toBe(false)
    reader.leave(outer)
    expect([reader.next(), reader.tag, reader.fixed32()]).toEqual([true, 0x25, 4_294_967_295])
    expect([reader.next(), reader.tag, reader.text()]).toEqual([true, 0x2a, 'end'])
    expect(reader.next()).toBe(false)
  })

  it('finds a field after others of any type', () => {
    const reader = new ProtobufReader(MESSAGE)
    expect([reader.find(0x2a), reader.text(), reader.find(0x2a)]).toEqual([true, 'end', false])
  })

  it('leaves a message whose fields were not all read', () => {
    const reader = new ProtobufReader(MESSAGE)
    reader.find(0x1a)
    reader.leave(reader.enter())
    expect([reader.next(), reader.tag]).toEqual([true, 0x25])
  })

  it('returns to where it was after a scan', () => {
    const reader = new ProtobufReader(MESSAGE)
    const texts: string[] = []
    const scan = reader.scanInSteps(() => {
      if (reader.tag !== 0x2a) return false
      texts.push(reader.text())
      return true
    })
    runToEnd(scan)
    expect([texts, reader.next(), reader.tag]).toEqual([['end'], true, 0x08])
  })

  // The encodings are from https://protobuf.dev/programming-guides/encoding/#varints: two's complement in 7 bits per byte.
  it.each([
    ['00', 0n],
    ['9601', 150n],
    ['80808080808020', 2n ** 47n],
    ['81808080808080 10', 2n ** 53n + 1n],
    ['ffffffffffffffff7f', 2n ** 63n - 1n],
    ['80808080808080808001', -(2n ** 63n)],
    ['ffffffffffffffffff01', -1n],
  ])('reads the int64 %s', (hex, expected) => {
    const reader = new ProtobufReader(Buffer.from(hex.replaceAll(' ', ''), 'hex'))
    expect([reader.int64(), reader.at]).toEqual([expected, reader.end])
  })

  it('reports a message that is truncated at any byte', () => {
    const fields = new Set<number>([0])
    const whole = new ProtobufReader(MESSAGE)
    while (whole.next()) {
      whole.skip()
      fields.add(whole.at)
    }
    for (let size = 0; size < MESSAGE.length; size++) {
      const skip = () => skipAll(MESSAGE.subarray(0, size))
      if (fields.has(size)) skip()
      else expect(skip, `${size} bytes`).toThrow(new ProtobufError('the message is truncated'))
    }
  })

  it('does not read beyond the end of a message inside another one', () => {
    // A string of 2 bytes and a varint, each in a message that ends after its first byte.
    for (const hex of ['0a020a026161', '0a0208800101', '0a03118001000000000000']) {
      const reader = new ProtobufReader(Buffer.from(hex, 'hex'))
      reader.next()
      reader.enter()
      reader.next()
      expect(() => reader.skip(), hex).toThrow('the message is truncated')
    }
  })

  it.each([
    ['08ffffffffffffffffffff01', 'an integer has more than 10 bytes'],
    ['0b', 'a field has the wire type 3'],
    ['0c', 'a field has the wire type 4'],
    ['0e', 'a field has the wire type 6'],
    ['0f', 'a field has the wire type 7'],
    ['0000', 'a field has the number 0'],
    ['0200', 'a field has the number 0'],
    // Lengths of 2^32 and of -1.
    ['0a808080801000', 'the message is truncated'],
    ['0affffffffffffffffff01', 'the message is truncated'],
    // No length.
    ['0a', 'the message is truncated'],
  ])('reports the malformed message %s', (hex, message) => {
    expect(() => skipAll(Buffer.from(hex, 'hex'))).toThrow(new ProtobufError(message))
  })
})
