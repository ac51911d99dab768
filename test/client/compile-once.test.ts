import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { compilingOnce } from '../../src/client/compile-once.js'
import { codeFlags } from '../support/code-flags.js'

const TARGET = { hostname: 'localhost', protocol: 'http:', port: '80' }

it('sets a flag of V8 only while a connection is taken over', () => {
  const before = codeFlags()
  const within: string[] = []
  const connect = compilingOnce((_, callback) => callback(null, new Socket()))
  connect(TARGET, () => void within.push(codeFlags()))
  expect(within).not.toEqual([before])
  expect(codeFlags()).toBe(before)
})

it('resets the flag after an error', () => {
  const before = codeFlags()
  const connect = compilingOnce((_, callback) => callback(new Error('refused'), null))
  expect(() =>
    connect(TARGET, (...[error]) => {
      throw error
    }),
  ).toThrow('refused')
  expect(codeFlags()).toBe(before)
})
