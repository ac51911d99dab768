// A service that only counts the lines that it receives, to measure the client. The port is printed to standard output.
import { createServer } from 'node:net'

const HEAD_END = Buffer.from('\r\n\r\n')
const LINE_FEED = 0x0a

function responseFor(events) {
  const body = JSON.stringify({ ingested: events, failed: 0, failures: [] })
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}

function linesIn(piece) {
  let lines = 0
  for (let at = piece.indexOf(LINE_FEED); at !== -1; at = piece.indexOf(LINE_FEED, at + 1)) lines++
  return lines
}

const server = createServer((socket) => {
  let head = Buffer.alloc(0)
  let rest = 0
  let lines = 0
  socket.on('error', () => {})
  socket.on('data', (piece) => {
    const taken = Math.min(rest, piece.length)
    rest -= taken
    lines += linesIn(piece.subarray(0, taken))
    if (taken > 0 && rest === 0) socket.write(responseFor(lines))
    if (taken < piece.length) begin(piece.subarray(taken))
  })

  /** The next request; clients wait for the response to the previous one. */
  function begin(piece) {
    head = Buffer.concat([head, piece])
    const end = head.indexOf(HEAD_END)
    if (end === -1) return
    const text = head.toString('latin1', 0, end)
    rest = Number(/^content-length: *(\d+)/im.exec(text)?.[1] ?? 0) - (head.length - end - 4)
    lines = linesIn(head.subarray(end + 4))
    head = Buffer.alloc(0)
    if (/^expect: *100-continue/im.test(text)) socket.write('HTTP/1.1 100 Continue\r\n\r\n')
    if (rest === 0) socket.write(responseFor(lines))
  }
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
