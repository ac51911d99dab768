import { ANY, type Signature } from './signature.js'

/** Functions on objects. */
export const OBJECT_FUNCTIONS = {
  bag_has_key: {
    parameters: [
      { name: 'object', accepts: ['dynamic'] },
      { name: 'key', accepts: ['string'] },
    ],
    result: 'bool',
    summary: 'true if the object has the key',
  },
  bag_keys: {
    parameters: [{ name: 'object', accepts: ['dynamic'] }],
    result: 'dynamic',
    summary: 'the keys of an object as an array; null unless the value is an object',
  },
  bag_pack: {
    parameters: [{ name: 'key, value, …', accepts: ANY, repeated: true }],
    result: 'dynamic',
    summary: 'an object of the key-value pairs; `*` stands for all columns',
  },
  bag_zip: {
    parameters: [
      { name: 'keys', accepts: ['dynamic'] },
      { name: 'values', accepts: ['dynamic'] },
    ],
    result: 'dynamic',
    summary: 'an object from an array of keys and an array of values, as long as the shorter one',
  },
  pack_dictionary: {
    parameters: [{ name: 'key, value, …', accepts: ANY, repeated: true }],
    result: 'dynamic',
    summary: 'an object of the key-value pairs; keys are constants',
  },
} satisfies Record<string, Signature>
