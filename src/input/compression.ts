import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { type ByteSource, streamBytes } from './byte-source.js'
import { InputError, STANDARD_INPUT, shown } from './error.js'

/** How many first bytes tell what an input is packed with. */
export const MAGIC_LENGTH = 2

/** Packings that are known by their first bytes but not unpacked here, and what unpacks them. */
const FOREIGN: readonly (readonly [magic: string, name: string, command: string])[] = [
  ['28b52ffd', 'zstd', 'zstd -dc'],
  ['fd377a585a00', 'xz', 'xz -dc'],
  ['425a68', 'bzip2', 'bzip2 -dc'],
  ['04224d18', 'lz4', 'lz4 -dc'],
  ['504b0304', 'zip', 'unzip -p'],
]

const FAILURES: Readonly<Record<string, string>> = {
  Z_BUF_ERROR: 'ends in the middle of its compressed data',
  Z_DATA_ERROR: 'holds compressed data that is damaged',
}

/** The plain bytes of an input that begins with `head`, unpacked when they are packed. */
export function unpacked(head: Buffer, source: ByteSource, name: string): ByteSource {
  const hex = head.toString('hex')
  const foreign = FOREIGN.find(([magic]) => hex.startsWith(magic))
  if (foreign !== undefined) {
    const [, packing, command] = foreign
    const file = name === STANDARD_INPUT ? 'FILE' : name
    const hint = `\`${command} ${file} | evq ingest …\` does it`
    throw new InputError(`${shown(name)} is packed with ${packing}, unpack it first: ${hint}.`)
  }
  return hex.startsWith('1f8b') ? gunzipped(source, name) : source
}

function gunzipped(source: ByteSource, name: string): ByteSource {
  const packed = Readable.from(pieces(source), { objectMode: false })
  const gunzip = createGunzip({ chunkSize: 256 * 1024 })
  packed.on('error', (error) => gunzip.destroy(error))
  const bytes = streamBytes(packed.pipe(gunzip))
  return {
    ready: bytes.ready,
    async read(target) {
      try {
        return await bytes.read(target)
      } catch (error) {
        throw damaged(name, error)
      }
    },
    async close() {
      packed.destroy()
      await bytes.close()
      await source.close()
    },
  }
}

async function* pieces(source: ByteSource): AsyncGenerator<Buffer> {
  for (;;) {
    const piece = Buffer.allocUnsafe(64 * 1024)
    const length = await source.read(piece)
    if (length === 0) return
    yield piece.subarray(0, length)
  }
}

function damaged(name: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const failure = FAILURES[code]
  return failure === undefined ? error : new InputError(`${shown(name)} ${failure}.`)
}
