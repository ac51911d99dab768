import { type Signature, signature } from './signature.js'

const hashOf = signature('source', 'string')

export const HASH_FUNCTIONS = {
  hash: signature('source: bool|int|string|datetime|timespan|dynamic, [salt: int]', 'int')(
    'a 64-bit hash of the value; may differ between versions',
    "['logs'] | extend bucket = hash(user_id) % 16",
  ),
  hash_md5: hashOf(
    'the MD5 of the value as a string, in 32 hexadecimal digits',
    'print hash_md5("abc") // "900150983cd24fb0d6963f7d28e17f72"',
  ),
  hash_sha1: hashOf(
    'the SHA-1 of the value as a string, in 40 hexadecimal digits',
    'print hash_sha1("abc") // "a9993e364706816aba3e25717850c26c9cd0d89d"',
  ),
  hash_sha256: hashOf(
    'the SHA-256 of the value as a string, in 64 hexadecimal digits',
    'print hash_sha256("abc") // "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"',
  ),
  hash_sha512: hashOf(
    'the SHA-512 of the value as a string, in 128 hexadecimal digits',
    "['logs'] | extend digest = hash_sha512(user_id)",
  ),
} satisfies Record<string, Signature>
