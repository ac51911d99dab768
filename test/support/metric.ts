import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { socketPath } from '../../src/local/socket-path.js'

/** Returns the value of a metric without labels of the process that has a data directory open; NaN while there is none. */
export async function metric(directory: string, name: string): Promise<number> {
  const metrics = await new Promise<string>((resolve, reject) => {
    const outgoing = request({ socketPath: socketPath(directory), path: '/metrics', agent: false })
    outgoing.on('response', (incoming) => resolve(text(incoming)))
    outgoing.on('error', reject)
    outgoing.end()
  })
  return Number(
    metrics
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1],
  )
}
