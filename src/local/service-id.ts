import { createHash, randomUUID } from 'node:crypto'
import { access, readFile, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

const FILE = 'service-id'

/** Whether events were stored in the directory itself. */
export async function holdsEvents(directory: string): Promise<boolean> {
  return await isThere(join(directory, 'engine'))
}

/** Whether the service on a directory keeps in ClickHouse what it serves, and nothing of it here. */
export async function isServedElsewhere(directory: string): Promise<boolean> {
  return (await isThere(join(directory, FILE))) && !(await holdsEvents(directory))
}

async function isThere(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  )
}

/** Who a service is, and a way to stay it. */
export interface ServiceName {
  readonly name: string
  /** Writes it down, once it serves something: a start that fails leaves the directory as it was. */
  keep(): Promise<void>
}

/**
 * Who a service on this directory is among all that share one ClickHouse: the same after a crash, and
 * another where the directory was copied to another machine, whose claims are not this one's to give back.
 */
export async function serviceName(directory: string): Promise<ServiceName> {
  const file = join(directory, FILE)
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return ''
  })
  // A crash may have come before anything was written.
  const id = kept || randomUUID()
  return {
    name: createHash('sha256').update(`${id} ${hostname()}`).digest('hex').slice(0, 32),
    async keep() {
      if (id !== kept) await writeFile(file, id, { mode: 0o600 })
    },
  }
}
