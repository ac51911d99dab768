// Real ClickHouse servers for a benchmark.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const SCRIPT = join(import.meta.dirname, '../support/serve-clickhouse.js')
export const CLUSTER = 'duo'

/** Starts servers, each of them a shard; resolves to their addresses and a function that stops them. */
export async function startServers(count) {
  const root = mkdtempSync(join(tmpdir(), 'evq-bench-clickhouse-'))
  const ports = []
  while (ports.length < 2 * count) ports.push(await freePort())
  const config = join(root, 'config.xml')
  writeFileSync(config, configOf(ports.slice(count)))
  const children = Array.from({ length: count }, (_, i) => {
    const directory = join(root, `${i}`)
    mkdirSync(directory)
    const args = [SCRIPT, directory, `${ports[i]}`, `${ports[count + i]}`, config]
    return spawn(process.execPath, args, { stdio: 'ignore' })
  })
  const urls = ports.slice(0, count).map((port) => `http://127.0.0.1:${port}`)
  await Promise.all(urls.map(answers))
  return {
    urls,
    stop() {
      for (const child of children) child.kill('SIGKILL')
      rmSync(root, { recursive: true, force: true })
    },
  }
}

async function answers(url) {
  for (let tries = 0; tries < 600; tries++) {
    const response = await fetch(`${url}/ping`).catch(() => undefined)
    if (response?.ok) return
    await sleep(50)
  }
  throw new Error(`no server answers at ${url}`)
}

function configOf(ports) {
  const shards = ports.map(
    (port) =>
      `<shard><internal_replication>true</internal_replication><replica><host>127.0.0.1</host><port>${port}</port></replica></shard>`,
  )
  return `<clickhouse><logger><level>none</level></logger>
    <remote_servers><${CLUSTER}>${shards.join('')}</${CLUSTER}></remote_servers></clickhouse>`
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}
