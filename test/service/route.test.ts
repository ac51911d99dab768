import { describe, expect, it } from 'vitest'
import { matchPath, type Route } from '../../src/service/route.js'
import { matchingRoutes } from '../../src/service/routes.js'

describe('a path pattern', () => {
  it.each([
    ['/a/:b', '/a/x%20y', { b: 'x y' }],
    ['/a/:b', '/a/', { b: '' }],
    ['/a/:b', '/a/x/y', undefined],
    ['/_:api', '/_bulk', { api: 'bulk' }],
    ['/_:api', '/bulk', undefined],
    ['/a/1.0', '/a/1x0', undefined],
    ['/_:api/:rest*', '/_ilm', { api: 'ilm' }],
    ['/_:api/:rest*', '/_ilm/policy/a%2Fb', { api: 'ilm' }],
    ['/_:api/:rest*', '/_ilm/', { api: 'ilm' }],
    ['/a/_:api/:rest*', '/_ilm/policy', undefined],
    ['/a/:b', '/a/%', { b: '%' }],
  ])('%s matches %s as %j', (pattern, path, parameters) => {
    expect(matchPath(pattern, path)).toEqual(parameters)
  })
})

describe('the routes of a path', () => {
  const route = (path: string, more: Partial<Route> = {}): Route => ({
    method: 'GET',
    path,
    permission: 'open',
    handle: async () => ({ status: 200, body: '' }),
    ...more,
  })
  const strict = route('/a/b')
  const loose = route('/c/:d', { ignoresExtraSlashes: true })
  const root = route('/', { ignoresExtraSlashes: true })
  const found = (path: string) =>
    matchingRoutes(path, [strict, loose, root]).map(({ route }) => route.path)

  it('ignore extra slashes only where they say so', () => {
    expect(found('/a/b')).toEqual(['/a/b'])
    expect(['/a//b', '/a/b/', '//a/b'].flatMap(found)).toEqual([])
    expect(['//c///x', '/c/x/', '/c/x//'].map(found)).toEqual(Array(3).fill(['/c/:d']))
    expect(['/', '//'].map(found)).toEqual([['/'], ['/']])
  })
})
