import * as fs from 'node:fs'
import { promisify } from 'node:util'

// File descriptors instead of `FileHandle`s: a socket can only take over a descriptor.
export const open = promisify(fs.open)
export const read = promisify(fs.read)
export const fstat = promisify(fs.fstat)
export const close = promisify(fs.close)
