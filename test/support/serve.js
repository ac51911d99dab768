// `evq serve` as a separate process.
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const evq = join(import.meta.dirname, '../../bin/evq.js')

/** A service on a free port; `env` sets its data directory, `flags` are its own and `node` those of Node. */
export async function serve(env, { flags = [], node = [] } = {}) {
  const args = [...node, evq, 'serve', '--listen', '127.0.0.1:0', '-q', ...flags]
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = new Promise((resolve) => child.on('exit', resolve))
  let said = ''
  const [, url, token] = await new Promise((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (piece) => {
      said += piece
      const found = / on (http:\/\/\S+:\d+)[\s\S]*?only once: (\S+)\n/.exec(said)
      if (found !== null) resolve(found)
    })
    ended.then(() => reject(new Error(`evq serve ended: ${said}`)))
  })
  async function stop() {
    child.kill()
    await ended
  }
  return { url, token, pid: child.pid, stop }
}
