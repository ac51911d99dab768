// The certificates and the key that the configuration of ClickHouse names. Files that TLS can't use are rejected here, because the
// errors of TLS do not name the file.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ClickHouseOptions } from '../../local/clickhouse.js'
import { UsageError } from '../error/usage-error.js'
import { readError, requirePrivateFile } from './secret-file.js'

/** Reads the files, whose names are relative to `folder`. Throws a `UsageError` when TLS could not use them. */
export async function clickHouseTls(
  {
    ca_file: ca,
    cert_file: certificate,
    key_file: key,
  }: { readonly [Key in 'ca_file' | 'cert_file' | 'key_file']?: string },
  folder: string,
): Promise<ClickHouseOptions['tls']> {
  if ((certificate === undefined) !== (key === undefined)) {
    throw new UsageError('`cert_file` and `key_file` must be set together.')
  }
  if (ca === undefined && certificate === undefined) return undefined
  const read = (path: string): Promise<Buffer> => bytesOf(resolve(folder, path))
  const authority = ca === undefined ? undefined : await read(ca)
  if (authority !== undefined && !isCertificate(authority)) {
    throw new UsageError(`\`${ca}\` (\`ca_file\`) contains no certificate in PEM format.`)
  }
  if (certificate === undefined || key === undefined) return authority && { ca: authority }
  const client = { certificate: await read(certificate), key: await read(key) }
  await requirePrivateFile(resolve(folder, key), 'key')
  checkKeyPair(client, { certificate, key })
  return { ca: authority, client }
}

function isCertificate(pem: Buffer): boolean {
  // X509Certificate also reads DER, which TLS does not accept.
  if (!pem.includes('-----BEGIN CERTIFICATE-----')) return false
  try {
    return new X509Certificate(pem).subject !== undefined
  } catch {
    return false
  }
}

/** Throws a `UsageError` for a certificate and a key that TLS could not use. */
function checkKeyPair(
  pem: { readonly certificate: Buffer; readonly key: Buffer },
  path: { readonly certificate: string; readonly key: string },
): void {
  if (!isCertificate(pem.certificate)) {
    throw new UsageError(
      `\`${path.certificate}\` (\`cert_file\`) contains no certificate in PEM format.`,
    )
  }
  const key = keyOf(pem.key)
  if (key === undefined) {
    throw new UsageError(
      `\`${path.key}\` (\`key_file\`) contains no key in PEM format that can be read without a passphrase.`,
    )
  }
  if (new X509Certificate(pem.certificate).checkPrivateKey(key)) return
  throw new UsageError(`The key in \`${path.key}\` does not belong to \`${path.certificate}\`.`)
}

function keyOf(pem: Buffer): KeyObject | undefined {
  try {
    return createPrivateKey(pem)
  } catch {
    return undefined
  }
}

/** Returns the contents of a file. Throws a `UsageError` when it can't be read. */
export async function bytesOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    throw readError(path, error)
  }
}
