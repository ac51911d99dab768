// A service that ignores what it receives, to measure the client.
// The first argument is the number of events per body. The port is printed to standard output.
import { createServer } from 'node:net'

const [events] = process.argv.slice(2)
const HEAD_END = Buffer.from('\r\n\r\n')
const answer = JSON.stringify({ ingested: Number(events), failed: 0, failures: [] })
const response = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${answer.length}\r\n\r\n${answer}`

const server = createServer((socket) => {
  let head = Buffer.alloc(0)
  let rest = 0
  socket.on('error', () => {})
  socket.on('data', (piece) => {
    const taken = Math.min(rest, piece.length)
    rest -= taken
    if (taken > 0 && rest === 0) socket.write(response)
    if (taken < piece.length) begin(piece.subarray(taken))
  })

  /** The next request; clients wait for the response to the previous one. */
  function begin(piece) {
    head = Buffer.concat([head, piece])
    const end = head.indexOf(HEAD_END)
    if (end === -1) return
    const text = head.toString('latin1', 0, end)
    rest = Number(/^content-length: *(\d+)/im.exec(text)?.[1] ?? 0) - (head.length - end - 4)
    head = Buffer.alloc(0)
    if (/^expect: *100-continue/im.test(text)) socket.write('HTTP/1.1 100 Continue\r\n\r\n')
    if (rest === 0) socket.write(response)
  }
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
