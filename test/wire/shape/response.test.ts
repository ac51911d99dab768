import { describe, expect, it } from 'vitest'
import { MalformedResponseError } from '../../../src/wire/http/response-json.js'
import {
  constant,
  count,
  decodeResponse,
  flag,
  listOf,
  listOfValid,
  mapOf,
  mapped,
  object,
  openObject,
  optional,
  type ResponseShape,
  required,
  text,
} from '../../../src/wire/shape/response.js'
import { named } from '../../../src/wire/shape/shape.js'

const PERSON = object({
  name: required(text('The name.')),
  age: count(),
  isAdmin: flag(),
  tags: listOf(text()),
  nickname: optional(text()),
})

/** A shape that keeps the JSON of its value. */
const raw: ResponseShape<string> = {
  schema: {},
  accepts: () => true,
  decode: (_, value) => (value as string | undefined) ?? 'null',
  read: (reader) => reader.raw(),
}

describe('the schema of a shape', () => {
  it('lists the members that are always in a response as required', () => {
    expect(PERSON.schema).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', description: 'The name.' },
        age: { type: 'integer', minimum: 0 },
        isAdmin: { type: 'boolean' },
        tags: { type: 'array', items: { type: 'string' } },
        nickname: { type: 'string' },
      },
      required: ['name', 'age', 'isAdmin', 'tags'],
    })
  })

  it('refers to a named shape', () => {
    expect(listOf(named('Person', PERSON)).schema).toEqual({
      type: 'array',
      items: { $ref: '#/components/schemas/Person' },
    })
  })

  it('has the values of a map as additional properties', () => {
    expect(mapOf(count()).schema).toEqual({
      type: 'object',
      additionalProperties: { type: 'integer', minimum: 0 },
    })
  })

  it('is the constant itself for a constant', () => {
    expect(constant('apl').schema).toEqual({ const: 'apl' })
  })
})

describe('the decoder of a shape', () => {
  it('fills in absent and null members and ignores unknown ones', () => {
    expect(decodeResponse('{"name":"a","tags":null,"new":{}}', PERSON)).toEqual({
      name: 'a',
      age: 0,
      isAdmin: false,
      tags: [],
    })
  })

  it('replaces scalars of another type, and omits optional ones', () => {
    expect(
      decodeResponse('{"name":"a","age":"7","isAdmin":1,"nickname":[],"tags":["x",3]}', PERSON),
    ).toEqual({ name: 'a', age: 0, isAdmin: false, tags: ['x', ''] })
  })

  it.each(['{}', '[]', 'null', '{"name":null}', '{"name":3}'])(
    'rejects %s, which lacks a required member',
    (json) => {
      expect(() => decodeResponse(json, PERSON)).toThrow(
        new MalformedResponseError('`name` is missing, or has the wrong type').quote(json),
      )
    },
  )

  it.each([
    ['{"name":"a","tags":{}}', PERSON, '`tags` is not a list'],
    ['{}', listOf(PERSON), 'it is not a list'],
    ['[]', mapOf(text()), 'it is not an object'],
    ['<html>', PERSON, 'it is not JSON'],
  ])('rejects %s', (json, shape, message) => {
    expect(() => decodeResponse<unknown>(json, shape)).toThrow(
      new MalformedResponseError(message).quote(json),
    )
  })

  it('drops the elements of a lenient list that lack a required member', () => {
    const lenient = listOfValid(PERSON)
    expect(decodeResponse('[{"name":"a"},{},null,3]', lenient)).toMatchObject([{ name: 'a' }])
    expect(decodeResponse('{}', lenient)).toEqual([])
  })

  it('keeps unknown members of an open object, in their order', () => {
    const open = openObject({ name: required(text()), age: count() })
    expect(JSON.stringify(decodeResponse('{"new":[1],"name":"a"}', open))).toBe(
      '{"new":[1],"name":"a","age":0}',
    )
  })

  it('changes the decoded values of a mapped shape', () => {
    expect(
      decodeResponse(
        '{"name":"a"}',
        mapped(PERSON, ({ name }) => `${name}!`),
      ),
    ).toBe('a!')
  })

  it('keeps the digits of numbers that are read as JSON, at any depth', () => {
    const shape = object({ rows: listOf(object({ value: raw, name: text() })) })
    expect(
      decodeResponse(
        '{"new":{"rows":1},"rows":[{"name":"a","value":18446744073709551615}]}',
        shape,
      ),
    ).toEqual({ rows: [{ value: '18446744073709551615', name: 'a' }] })
  })

  it('rejects text after a value that is read as JSON', () => {
    expect(() => decodeResponse('{} {}', object({ value: raw }))).toThrow('the end expected')
  })
})
