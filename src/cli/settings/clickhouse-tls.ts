// The certificates and the key that the configuration of ClickHouse names. What TLS could not use is told
// here by the name of its file; TLS itself would only say that something is wrong.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ClickHouseOptions } from '../../local/clickhouse.js'
import { UsageError } from '../error/usage-error.js'
import { readError, requirePrivateFile } from './secret-file.js'

interface TlsFiles {
  readonly ca_file?: string
  readonly cert_file?: string
  readonly key_file?: string
}

/** What the files hold; their names are relative to the folder. */
export async function clickHouseTls(
  { ca_file: ca, cert_file: certificate, key_file: key }: TlsFiles,
  folder: string,
): Promise<ClickHouseOptions['tls']> {
  if ((certificate === undefined) !== (key === undefined)) {
    throw new UsageError('`cert_file` and `key_file` go together.')
  }
  if (ca === undefined && certificate === undefined) return undefined
  const read = (path: string): Promise<Buffer> => bytesOf(resolve(folder, path))
  const authority = ca === undefined ? undefined : await read(ca)
  if (authority !== undefined && !isCertificate(authority)) {
    throw new UsageError(`\`${ca}\` (\`ca_file\`) holds no certificate in PEM.`)
  }
  if (certificate === undefined || key === undefined) return authority && { ca: authority }
  const client = { certificate: await read(certificate), key: await read(key) }
  await requirePrivateFile(resolve(folder, key), 'key')
  refuseStrangers(client, { certificate, key })
  return { ...(authority && { ca: authority }), client }
}

function isCertificate(pem: Buffer): boolean {
  // The other form, DER, would be read here and then not by TLS.
  if (!pem.includes('-----BEGIN CERTIFICATE-----')) return false
  try {
    return new X509Certificate(pem).subject !== undefined
  } catch {
    return false
  }
}

/** Refuses a certificate and a key that TLS could not use. */
function refuseStrangers(
  pem: { readonly certificate: Buffer; readonly key: Buffer },
  path: { readonly certificate: string; readonly key: string },
): void {
  if (!isCertificate(pem.certificate)) {
    throw new UsageError(`\`${path.certificate}\` (\`cert_file\`) holds no certificate in PEM.`)
  }
  const key = keyOf(pem.key)
  if (key === undefined) {
    throw new UsageError(
      `\`${path.key}\` (\`key_file\`) holds no key in PEM that can be read without a passphrase.`,
    )
  }
  if (new X509Certificate(pem.certificate).checkPrivateKey(key)) return
  throw new UsageError(`The key in \`${path.key}\` is not that of \`${path.certificate}\`.`)
}

function keyOf(pem: Buffer): KeyObject | undefined {
  try {
    return createPrivateKey(pem)
  } catch {
    return undefined
  }
}

/** What a file holds that the configuration names, or the configuration itself. */
export async function bytesOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    throw readError(path, error)
  }
}
