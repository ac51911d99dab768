import { connect } from 'node:net'

/** The output of a service for some bytes, until one of the two ended the connection. */
export interface RawOutput {
  /** The status of each response, in order; 0 for bytes that are not a response. */
  readonly statuses: readonly number[]
  readonly text: string
}

/** A service that has not ended a connection by then hangs, because the client has ended its side. */
const PATIENCE_MS = 120_000

/** A service that is silent for this long is waiting for more bytes. */
const QUIET_MS = 50

/**
 * Sends bytes in pieces. The service must end the connection, unless it may be waiting for
 * missing bytes.
 */
export function sendRaw(
  port: number,
  pieces: readonly Buffer[],
  { isWhole }: { readonly isWhole: boolean },
): Promise<RawOutput> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    const deadline = setTimeout(() => {
      reject(new Error(`no end after ${JSON.stringify(text.slice(0, 200))}`))
      socket.destroy()
    }, PATIENCE_MS)
    let quiet: NodeJS.Timeout | undefined
    const wait = () => {
      clearTimeout(quiet)
      if (!isWhole) quiet = setTimeout(() => socket.end(), QUIET_MS)
    }
    socket.setEncoding('latin1').on('data', (piece) => {
      text += piece
      wait()
    })
    // The service may disconnect when it does not get HTTP.
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(deadline)
      clearTimeout(quiet)
      resolve({ statuses: statusesOf(text), text })
    })
    void write()

    async function write(): Promise<void> {
      for (const piece of pieces) {
        await new Promise<void>((done) => socket.write(piece, () => done()))
        if (pieces.length > 1) await new Promise((done) => setImmediate(done))
      }
      wait()
    }
  })
}

/** Splits responses by their lengths. */
function statusesOf(text: string): readonly number[] {
  const statuses: number[] = []
  let rest = text
  while (rest !== '') {
    const head = /^HTTP\/1\.1 (\d{3}) .*?\r\n\r\n/s.exec(rest)
    if (head === null) return [...statuses, 0]
    const length = Number(/^content-length: (\d+)/im.exec(head[0])?.[1] ?? 0)
    statuses.push(Number(head[1]))
    rest = rest.slice(head[0].length + length)
  }
  return statuses
}
