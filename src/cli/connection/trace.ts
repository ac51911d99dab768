import type { HttpTrace } from '../../client/address.js'
import type { Context } from '../context.js'
import { shortBytes, shortDuration } from '../option/quantity.js'

let exchanges = 0

/** Shows HTTP exchanges, which are numbered because several may be in flight: `>` for a request, `<` for its response. */
export function showing(debug: Context['debug']): HttpTrace {
  return async ({ url, request }, carryOut) => {
    const exchange = `#${++exchanges}`
    const startedAt = performance.now()
    const elapsed = () => shortDuration(performance.now() - startedAt)
    function show(sign: string, summary: string, headers: Headers = {}): void {
      debug(`${exchange} ${sign} ${summary}`)
      for (const [name, value] of Object.entries(headers))
        debug(`${exchange} ${sign} ${name}: ${value ?? ''}`)
    }

    const { method, headers = {}, body = '' } = request
    const size = shortBytes(Buffer.byteLength(body))
    show('>', `${method} ${url.href}, ${size}`, withoutToken(headers))
    try {
      const response = await carryOut()
      const summary = `${response.status}, ${shortBytes(response.body.length)} in ${elapsed()}`
      show('<', summary, response.headers)
      return response
    } catch (error) {
      show('<', `after ${elapsed()}: ${error instanceof Error ? error.message : String(error)}`)
      throw error
    }
  }
}

type Headers = Readonly<Record<string, string | undefined>>

export function withoutToken<H extends Headers>(headers: H): H {
  return 'authorization' in headers ? { ...headers, authorization: 'Bearer …' } : headers
}
