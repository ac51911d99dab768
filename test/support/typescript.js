// Lets Node 20 import the TypeScript of this folder: `node --import ./test/support/typescript.js`.
import { readFile } from 'node:fs/promises'
import { register } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'

// Node runs the hooks below in a thread of their own.
if (isMainThread) register(import.meta.url)

/** Resolves `./name.js` to `./name.ts` where only that exists. */
export async function resolve(specifier, context, next) {
  try {
    return await next(specifier, context)
  } catch (error) {
    if (!/^\.\.?\/.*\.js$/.test(specifier)) throw error
    return await next(specifier.replace(/js$/, 'ts'), context)
  }
}

/** Compiles TypeScript. */
export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return await next(url, context)
  const { transform } = await import('esbuild')
  const file = fileURLToPath(url)
  const source = await readFile(file, 'utf8')
  const { code } = await transform(source, { loader: 'ts', sourcefile: file, sourcemap: 'inline' })
  return { format: 'module', source: code, shortCircuit: true }
}
