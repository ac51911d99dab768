import * as stable from '@opentelemetry/semantic-conventions'
import * as all from '@opentelemetry/semantic-conventions/incubating'
import { describe, expect, it } from 'vitest'
import { isConventional } from '../../../src/wire/otlp/semantic-conventions.js'

const exported = [...Object.entries(stable), ...Object.entries(all)].filter(([name]) =>
  /^(?:ATTR|SEMATTRS|SEMRESATTRS)_/.test(name),
)
const isName = (value: unknown): value is string => typeof value === 'string' && value.includes('.')
const names = exported.flatMap(([, value]) => (isName(value) ? value : []))
const templates = exported.flatMap(([, value]) =>
  typeof value === 'function' ? (value as (key: string) => string)('x-y') : [],
)

describe('the semantic conventions', () => {
  it('have every name of the official package, also deprecated and open ones', () => {
    expect(names.length).toBeGreaterThan(900)
    expect(templates.length).toBeGreaterThan(20)
    expect([...names, ...templates].filter((name) => !isConventional(name))).toEqual([])
  })

  it.each([
    'http.protocol',
    'http',
    'http.request.header',
    'team',
    'app.user.id',
    '',
    'constructor',
  ])('do not have %j', (name) => {
    expect(isConventional(name)).toBe(false)
  })
})
