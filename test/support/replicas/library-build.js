import { openSync, readSync } from 'node:fs'

// Addresses in builds of libchdb, by build id. All are found from the strings in the library: the function that uses
// "Parameter 'interserver_http(s)_port' required", the one that uses "InterserverIOHTTPHandler-factory", and the members of the
// shared context that the functions next to the first one read. The error handlers are the functions that
// `Poco::Net::TCPServerConnection::start` calls when it catches an exception: the stack of an abort in a thread `TCPHandler` has both.

/** The addresses that the patch of a build needs; `expects` has the bytes at each address before the patch. */
export const KNOWN_BUILDS = {
  // chdb 3.4.0 for Linux on x64: libchdb 26.7.3-stable.1
  d3d8f5517577ad52775b52318a193784b2fb5317: {
    interserverAddress: { at: 0x1417c9c0, expects: '4156534883ec484c8b36' },
    handlerFactory: { at: 0x18395cc0, expects: '554157415641554154534881ec98000000' },
    schemeOffset: 0x170,
    credentialsOffset: 0x1b0,
    errorHandlers: [
      { at: 0x1c8f99c0, expects: '534883ec104889fb488d35e1dd0606488d7c2408' },
      { at: 0x1c8f9a40, expects: '534883ec104889fb488d3561dd0606488d7c2408' },
      { at: 0x1c8f9ac0, expects: '534883ec10488d35e4dc0606488d7c2408' },
    ],
  },
}

const NOTE_SEGMENT = 4
const BUILD_ID_NOTE = 3

/** Returns the build id of an ELF file; undefined when it has none. */
export function buildIdOf(path) {
  const file = openSync(path, 'r')
  const head = Buffer.alloc(65_536)
  readSync(file, head, 0, head.length, 0)
  if (head.toString('latin1', 1, 4) !== 'ELF') return undefined
  const first = Number(head.readBigUInt64LE(32))
  for (let i = 0; i < head.readUInt16LE(56); i++) {
    const at = first + 56 * i
    if (head.readUInt32LE(at) !== NOTE_SEGMENT) continue
    const notes = Buffer.alloc(Number(head.readBigUInt64LE(at + 32)))
    readSync(file, notes, 0, notes.length, Number(head.readBigUInt64LE(at + 8)))
    const found = buildIdIn(notes)
    if (found !== undefined) return found
  }
  return undefined
}

function buildIdIn(notes) {
  for (let at = 0; at + 12 <= notes.length; ) {
    const nameLength = notes.readUInt32LE(at)
    const length = notes.readUInt32LE(at + 4)
    const start = at + 12 + align(nameLength)
    const isGnu = notes.toString('latin1', at + 12, at + 15) === 'GNU'
    if (notes.readUInt32LE(at + 8) === BUILD_ID_NOTE && isGnu) {
      return notes.toString('hex', start, start + length)
    }
    at = start + align(length)
  }
  return undefined
}

function align(length) {
  return (length + 3) & ~3
}
