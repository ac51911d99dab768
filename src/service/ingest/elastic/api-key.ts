/** `<id>:<token>` in base64, as Elasticsearch's clients send it, or the token itself: no token is valid base64. */
export function apiKeyToken(credentials: string): string {
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(credentials)
  const decoded = isBase64 ? Buffer.from(credentials, 'base64').toString() : ''
  const [, token] = /^[^:]*:(.*)$/s.exec(decoded) ?? []
  return token ?? credentials
}
