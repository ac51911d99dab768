import { expect, it } from 'vitest'
import { closeConnection } from '../../../src/cli/connection/with-connection.js'
import { listenForInterrupt } from '../../../src/cli/terminal/interrupt.js'

it('a connection that does not close keeps a command from ending only until a signal arrives', async () => {
  const interrupt = listenForInterrupt(['SIGTERM'])
  let isClosed = false
  const close = () => new Promise<void>(() => {})
  const connection = {
    name: 'a service that hangs',
    send: () => new Promise<never>(() => {}),
    close,
  }
  const closing = closeConnection(connection, interrupt).then(() => {
    isClosed = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(isClosed).toBe(false)
  process.emit('SIGTERM', 'SIGTERM')
  await closing
})
