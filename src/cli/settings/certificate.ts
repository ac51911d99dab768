import { X509Certificate } from 'node:crypto'

/** True for text in PEM format whose first certificate can be read: TLS ignores text that it can't read. */
export function isCertificate(pem: Buffer | string): boolean {
  // X509Certificate also reads DER, which TLS does not accept.
  if (!pem.includes('-----BEGIN CERTIFICATE-----')) return false
  try {
    return new X509Certificate(pem).subject !== undefined
  } catch {
    return false
  }
}
