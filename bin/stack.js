const { readFileSync } = require('node:fs')
const { SourceMap } = require('node:module')

const PLACE = /([^\s(]+\.cjs):(\d+):(\d+)/

/** Makes stack traces show positions in `src/` instead of positions in the bundle. */
function showSources() {
  const maps = new Map()

  function mapOf(file) {
    if (!maps.has(file)) {
      maps.set(file, new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8'))))
    }
    return maps.get(file)
  }

  function translated(site) {
    const line = String(site)
    try {
      return line.replace(PLACE, (place, file, row, column) => {
        const found = mapOf(file).findEntry(row - 1, column - 1)
        if (found.originalSource === undefined) return place
        return `${found.originalSource.replace(/^(\.\.\/)+/, '')}:${found.originalLine + 1}:${found.originalColumn + 1}`
      })
    } catch {
      return line
    }
  }

  Error.prepareStackTrace = (error, sites) =>
    [String(error), ...sites.map((site) => `    at ${translated(site)}`)].join('\n')
}

module.exports = { showSources }
