import { connect } from 'node:net'

/** What a service said to some bytes, until one of the two ended the connection. */
export interface Said {
  /** Of each answer, in order; bytes that are no answer are 0. */
  readonly statuses: readonly number[]
  readonly text: string
}

/** A service that has not ended a connection by then hangs: it was told that nothing more comes. */
const PATIENCE_MS = 120_000

/** When the service has said nothing for so long, it waits for more than it gets. */
const QUIET_MS = 50

/**
 * Sends bytes as they are, in pieces. The connection is the service's to end, unless bytes are missing
 * that it may wait for.
 */
export function sendRaw(
  port: number,
  pieces: readonly Buffer[],
  { isWhole }: { readonly isWhole: boolean },
): Promise<Said> {
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
    // Being cut is the service's right when what it gets is no HTTP.
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

/** Walks from answer to answer by their lengths. */
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
