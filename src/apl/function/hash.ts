import type { Type } from '../type.js'
import { ANY, type Signature } from './signature.js'

/** Without `real`: the text of a real number is not unique, so its hash would not be well defined. */
const HASHED: readonly Type[] = ANY.filter((type) => type !== 'real')

/** Hash functions of any value. */
export const HASH_FUNCTIONS = {
  hash: {
    parameters: [
      { name: 'source', accepts: HASHED },
      { name: 'salt', accepts: ['int'], optional: true },
    ],
    result: 'int',
    summary: 'a 64-bit hash of the value; may differ between versions',
  },
  hash_md5: {
    parameters: [{ name: 'source', accepts: ANY }],
    result: 'string',
    summary: 'the MD5 of the value as a string, in 32 hexadecimal digits',
  },
  hash_sha1: {
    parameters: [{ name: 'source', accepts: ANY }],
    result: 'string',
    summary: 'the SHA-1 of the value as a string, in 40 hexadecimal digits',
  },
  hash_sha256: {
    parameters: [{ name: 'source', accepts: ANY }],
    result: 'string',
    summary: 'the SHA-256 of the value as a string, in 64 hexadecimal digits',
  },
  hash_sha512: {
    parameters: [{ name: 'source', accepts: ANY }],
    result: 'string',
    summary: 'the SHA-512 of the value as a string, in 128 hexadecimal digits',
  },
} satisfies Record<string, Signature>
