import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** Posts a body, a string or a stream, to a local port; resolves with the response's body. */
export function posted({ port, path, headers }, body) {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, method: 'POST' }
    const all = { 'content-type': 'application/json', ...headers }
    const sent = request({ ...options, headers: all }, (response) =>
      buffer(response).then((text) => {
        if (response.statusCode === 200) resolve(text)
        else reject(new Error(`${path}: ${response.statusCode} ${text}`))
      }, reject),
    )
    sent.on('error', reject)
    if (typeof body === 'string') sent.end(body)
    else body.pipe(sent)
  })
}
