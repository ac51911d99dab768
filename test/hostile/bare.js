// An HTTP server that does nothing else: its response time is that of the machine.
import { createServer } from 'node:http'

const server = createServer((_, outgoing) => outgoing.end()).listen(0, '127.0.0.1', () => {
  process.stdout.write(`${server.address().port}\n`)
})
// The test that started this process is gone.
process.stdin.resume().on('end', () => process.exit())
