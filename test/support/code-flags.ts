import { Script } from 'node:vm'

let scripts = 0

/** Returns what V8 notes of its flags in cached code, which it rejects when the flags differ later. */
export function codeFlags(): string {
  scripts += 1
  // After the version and the length of the source.
  return new Script(`${scripts}`.padStart(9)).createCachedData().toString('hex', 12, 16)
}
