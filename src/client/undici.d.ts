// The package has no `exports` map, so that single modules can be loaded, in 18 ms instead of 65 ms.
declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici'
}

declare module 'undici/lib/core/connect.js' {
  export { buildConnector as default } from 'undici'
}
