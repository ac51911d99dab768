import { UsageError } from '../../error/usage-error.js'

/** Parses `host:port`, `:port` or `[v6]:port`. Throws a `UsageError` for any other string. */
export function parseAddress(
  text: string,
  { flag, example }: { readonly flag: string; readonly example: string },
): { readonly host: string; readonly port: number } {
  const [, v6, name, digits] = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (digits === undefined || port > 65_535) {
    throw new UsageError(
      `\`${flag}\` takes a host and a port such as \`${example}\`, not \`${text}\`.`,
    )
  }
  return { host: v6 ?? (name || '127.0.0.1'), port }
}
