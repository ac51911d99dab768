// Logs two events with pino and the hosted service's transport. `transport.end()` blocks its process until they are sent.
import pino from 'pino'

const [options = '{}'] = process.argv.slice(2)
const transport = pino.transport({ target: '@axiomhq/pino', options: JSON.parse(options) })
const logger = pino({ base: { pid: 7 } }, transport)
logger.info({ user: { id: 42 } }, 'signed in')
logger.error(new TypeError('no such page'), 'failed')
transport.end()
