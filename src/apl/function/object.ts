import { ANY, parameter, repeated, type Signature } from './signature.js'

/** Functions on objects. */
export const OBJECT_FUNCTIONS = {
  bag_has_key: {
    parameters: [parameter('object', 'dynamic'), parameter('key', 'string')],
    result: 'bool',
    summary: 'true if the object has the key',
    example: 'print bag_has_key(dynamic({"user": "ann"}), "user") // true',
  },
  bag_keys: {
    parameters: [parameter('object', 'dynamic')],
    result: 'dynamic',
    summary: 'the keys of an object as an array; null unless the value is an object',
    example: 'print bag_keys(dynamic({"a": 1, "b": 2})) // ["a","b"]',
  },
  bag_pack: {
    parameters: [repeated('key, value, …', ...ANY)],
    result: 'dynamic',
    summary: 'an object of the key-value pairs; `*` stands for all columns',
    example: 'print bag_pack("user", "ann", "code", 7) // {"user":"ann","code":7}',
  },
  bag_zip: {
    parameters: [parameter('keys', 'dynamic'), parameter('values', 'dynamic')],
    result: 'dynamic',
    summary: 'an object from an array of keys and an array of values, as long as the shorter one',
    example: 'print bag_zip(dynamic(["a", "b"]), dynamic([1, 2])) // {"a":1,"b":2}',
  },
  pack_dictionary: {
    parameters: [repeated('key, value, …', ...ANY)],
    result: 'dynamic',
    summary: 'an object of the key-value pairs; keys are constants',
    example: 'print pack_dictionary("user", "ann") // {"user":"ann"}',
  },
} satisfies Record<string, Signature>
