import { WireCompression } from '../../../../client/wire-compression.js'
import { isLoopback } from '../../../settings/loopback.js'
import type { Settings } from '../../../settings/settings.js'
import type { Compress } from './options.js'

/** How batches are packed on their way; undefined when they go as they are. */
export function compressionOf(
  settings: Pick<Settings, 'url' | 'ingestUrl'>,
  compress: Compress = 'auto',
): WireCompression | undefined {
  return isPacked(settings, compress) ? new WireCompression() : undefined
}

function isPacked(
  { url, ingestUrl }: Pick<Settings, 'url' | 'ingestUrl'>,
  compress: Compress,
): boolean {
  if (url === undefined || compress === 'none') return false
  // On its way within this machine a packed body only costs time.
  return compress === 'gzip' || !isLoopback(new URL(ingestUrl ?? url).hostname)
}
