import { afterAll, afterEach } from 'vitest'

type Hook = () => unknown

const hooks = { test: [] as Hook[], file: [] as Hook[] }

/** Runs a function after each test of this file, and of the files that share its process and modules. It may run twice. */
export function afterEveryTest(hook: Hook): void {
  hooks.test.push(hook)
  afterEach(hook)
}

/** Runs a function after the tests of this file, and of the files that share its process and modules. It may run twice. */
export function afterEveryFile(hook: Hook): void {
  hooks.file.push(hook)
  afterAll(hook)
}

/** Runs the functions of all files so far. */
export async function runHooks(kind: 'test' | 'file'): Promise<void> {
  for (const hook of hooks[kind]) await hook()
}
