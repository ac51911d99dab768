import { chmodSync, copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { main } from '../../src/main.js'
import { type ClickHouseServers, needsServers, startServers } from '../support/clickhouse-server.js'
import { evq, start } from '../support/evq.js'
import { fakeIo } from '../support/fake-io.js'
import { temporaryDirectory } from '../support/temporary.js'
import { CERTIFICATE_FILE, tlsBefore, tlsFile } from '../support/tls.js'

// The library that the tests run as servers does not support TLS: a proxy terminates it.

const scratch = temporaryDirectory()
let files = 0

const AUTHORITY = `ca_file = "${tlsFile('authority')}"\n`
const CLIENT = `cert_file = "${tlsFile('client')}"\nkey_file = "${secret(tlsFile('client-key'))}"\n`

function configFile(text: string): string {
  const path = join(scratch, `clickhouse-${files++}.toml`)
  writeFileSync(path, text, { mode: 0o600 })
  return path
}

/** Returns a copy that only this user may read, unlike the files of a checkout. */
function secret(file: string): string {
  const copy = join(scratch, `key-${files++}.pem`)
  copyFileSync(file, copy)
  chmodSync(copy, 0o600)
  return copy
}

describe('the ClickHouse certificates', () => {
  const startupError = async (config: string, url = 'https://db:8443'): Promise<string> => {
    const io = fakeIo()
    const args = ['serve', '--clickhouse', url, '--clickhouse-config', configFile(config)]
    expect(await main(args, io)).toBe(2)
    return io.err()
  }

  it('rejects files that are not certificates, and keys that do not match', async () => {
    const key = tlsFile('server-key')
    expect(await startupError(`ca_file = "${key}"`)).toBe(
      `evq: \`${key}\` (\`ca_file\`) contains no certificate in PEM format.\n`,
    )
    const client = tlsFile('client')
    expect(await startupError(`cert_file = "${client}"\nkey_file = "${secret(client)}"`)).toMatch(
      /^evq: `\S+` \(`key_file`\) contains no key in PEM format that can be read without a passphrase\.\n$/,
    )
    const other = secret(key)
    expect(await startupError(`cert_file = "${client}"\nkey_file = "${other}"`)).toBe(
      `evq: The key in \`${other}\` does not belong to \`${client}\`.\n`,
    )
    expect(await startupError(`cert_file = "${client}"`)).toBe(
      'evq: `cert_file` and `key_file` must be set together.\n',
    )
    expect(await startupError(`${AUTHORITY}cert_file = "/nowhere/c.pem"\nkey_file = "x"`)).toBe(
      "evq: `/nowhere/c.pem` can't be read (no such file or directory).\n",
    )
  })

  it('rejects certificates without TLS', async () => {
    expect(await startupError(AUTHORITY, 'http://db:8123')).toBe(
      'evq: `ca_file` and `cert_file` require addresses that begin with `https://`, not `http://db:8123/`.\n',
    )
  })

  it('rejects a key that other users can read', async () => {
    const key = secret(tlsFile('client-key'))
    chmodSync(key, 0o640)
    expect(await startupError(`cert_file = "${tlsFile('client')}"\nkey_file = "${key}"`)).toBe(
      `evq: \`${key}\` contains a key and other users can read it (mode 0640). Run \`chmod 600 ${key}\`.\n`,
    )
  })
})

describe('the service in front of a ClickHouse server with TLS', needsServers, () => {
  let servers: ClickHouseServers
  let port: number
  let directories = 0

  beforeAll(async () => {
    servers = await startServers(1)
    port = Number(new URL(servers.servers[0]!.url).port)
  })
  afterAll(() => servers.stop())

  function serving(url: string, config: string) {
    const args = ['--clickhouse', url, '--clickhouse-config', configFile(config)]
    return {
      args: ['serve', '--listen', '127.0.0.1:0', ...args],
      directory: join(scratch, `data-${directories++}`),
    }
  }

  /** Returns the error with which the service fails to start. */
  async function refused(url: string, config: string): Promise<string> {
    const { args, directory } = serving(url, config)
    const { status, stdout, stderr } = await evq(args, { directory })
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    return stderr
  }

  async function works(url: string, config: string): Promise<void> {
    const { args, directory } = serving(url, config)
    const service = start(args, { directory })
    try {
      await service.err.until(/ on http/)
      const number = ++files
      const stdin = `{"n":${number}}\n`
      const ingested = await evq(['ingest', 'logs', '-q', '-'], { directory, stdin })
      expect(ingested).toMatchObject({ status: 0 })
      const apl = `['logs'] | where n == ${number} | project n`
      const response = await evq(['query', apl, '-o', 'ndjson'], { directory })
      expect(response).toMatchObject({ status: 0, stdout: stdin })
    } finally {
      service.child.kill('SIGTERM')
      await service.ended
    }
  }

  it('trusts the configured authority', async () => {
    await works(`https://localhost:${await tlsBefore(port)}`, AUTHORITY)
  })

  it('sends a client certificate, with or without a password', async () => {
    const url = `https://localhost:${await tlsBefore(port, { asksWho: true })}`
    await works(url, AUTHORITY + CLIENT)
    await works(url, `${AUTHORITY}${CLIENT}user = "default"\npassword = ""\n`)
  })

  it('authenticates with its certificate when there is no password', async () => {
    // The proxy hides the certificate from the server, whose error shows that the certificate was to be used.
    const url = `https://localhost:${await tlsBefore(port, { asksWho: true })}`
    expect(await refused(url, `${AUTHORITY}${CLIENT}user = "default"\n`)).toBe(
      `evq: ClickHouse at \`${url}/\` rejects the user or its certificate. Set both in the file of \`--clickhouse-config\`.\n`,
    )
  })

  it('does not start without the required client certificate', async () => {
    const at = await tlsBefore(port, { asksWho: true })
    expect(await refused(`https://localhost:${at}`, AUTHORITY)).toBe(
      `evq: ClickHouse at \`https://localhost:${at}/\` can't be reached: localhost:${at}: it requires a client certificate. \`cert_file\` and \`key_file\` in the file of \`--clickhouse-config\` name the certificate and its key.\n`,
    )
  })

  it('does not trust other authorities', async () => {
    const at = await tlsBefore(port)
    const url = `https://localhost:${at}`
    const untrusted =
      /^evq: ClickHouse at `https:\/\/localhost:\d+\/` can't be reached: localhost:\d+: (the authority that signed its certificate is not trusted|a certificate in its chain is self-signed)\. `ca_file` in the file of `--clickhouse-config` names the trusted certificates, in PEM format\.\n$/
    expect(await refused(url, '')).toMatch(untrusted)
    expect(await refused(url, `ca_file = "${CERTIFICATE_FILE}"\n`)).toMatch(untrusted)
    // A client certificate does not change that.
    expect(await refused(url, CLIENT)).toMatch(untrusted)
  })

  it('rejects an expired certificate and one for another host', async () => {
    const at = await tlsBefore(port, { certificate: 'expired' })
    expect(await refused(`https://localhost:${at}`, AUTHORITY)).toBe(
      `evq: ClickHouse at \`https://localhost:${at}/\` can't be reached: localhost:${at}: its certificate has expired.\n`,
    )
    const named = await tlsBefore(port, { host: '127.0.0.2' })
    expect(await refused(`https://127.0.0.2:${named}`, AUTHORITY)).toMatch(
      /its certificate is for another name: DNS:localhost, IP Address:127\.0\.0\.1\. Use a host name that the certificate contains\.\n$/,
    )
  })

  it('reports a server without TLS', async () => {
    expect(await refused(`https://127.0.0.1:${port}`, AUTHORITY)).toBe(
      `evq: ClickHouse at \`https://127.0.0.1:${port}/\` can't be reached: 127.0.0.1:${port}: it does not use TLS on that port; the address may need \`http://\`.\n`,
    )
  })
})
