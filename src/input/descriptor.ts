import * as fs from 'node:fs'
import { promisify } from 'node:util'

// File descriptors instead of `FileHandle`s: a socket can only take over a descriptor.
export const open = promisify(fs.open)
export const read = promisify(fs.read)
export const fstat = promisify(fs.fstat)
export const close = promisify(fs.close)

/**
 * The flags with which regular files are opened. Some files of `/proc` and `/sys` look like regular ones, but reading waits, during which the
 * process cannot exit; without waiting, they end after what they have now.
 */
export const NOT_WAITING = fs.constants.O_RDONLY | fs.constants.O_NONBLOCK
