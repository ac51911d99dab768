import { ChunkedBuffer } from '../wire/bytes/chunked-buffer.js'
import type { HttpAddress } from './address.js'
import type { HttpRequest, HttpResponse } from './connection.js'
import { isSuccess, NetworkError } from './error.js'
import type { Redact } from './redaction.js'

/** Returns the secrets in requests to an address: the token, and the passwords of proxies. */
export function secretsOf({ url, ingestUrl = url, token, proxyTo }: HttpAddress): string[] {
  const proxies = [url, ingestUrl].flatMap((target) => proxyTo?.(new URL(target).origin) ?? [])
  return [...(token === undefined ? [] : [token.text]), ...proxies.flatMap(passwordOf)]
}

function passwordOf(proxy: string): string[] {
  if (!URL.canParse(proxy)) return []
  const { username, password } = new URL(proxy)
  const secret = password === '' ? username : password
  try {
    return [decodeURIComponent(secret)]
  } catch {
    return [secret]
  }
}

/** Resolves with the response without the secrets of its request. Rows, saved queries and other data are not changed. */
export async function withoutSecrets(
  exchange: Promise<HttpResponse>,
  { purpose, redact }: { readonly purpose: HttpRequest['purpose']; readonly redact: Redact },
): Promise<HttpResponse> {
  try {
    const response = await exchange
    const isData = isSuccess(response.status) && purpose !== 'ingest'
    const headers = Object.entries(response.headers).map(
      ([name, value]) => [name, value && redact(value)] as const,
    )
    return {
      ...response,
      headers: Object.fromEntries(headers),
      body: isData ? response.body : redactedBody(response.body, redact),
    }
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    const { failure, message, cause, stack } = error
    const clean = new NetworkError(failure, redact(message), { cause })
    // `--debug` prints the stack of the original failure.
    if (stack !== undefined) clean.stack = redact(stack)
    throw clean
  }
}

/** Returns a body without secrets. In JSON, only strings are changed, because a secret may occur in keys. */
function redactedBody(body: ChunkedBuffer, redact: Redact): ChunkedBuffer {
  const text = body.toString()
  const plain = redact(text)
  if (plain === text) return body
  try {
    const inStrings = (_key: string, value: unknown) =>
      typeof value === 'string' ? redact(value) : value
    return ChunkedBuffer.of(JSON.stringify(JSON.parse(text, inStrings)))
  } catch {
    return ChunkedBuffer.of(plain)
  }
}
