export { encodeDelimited, encodeNdjson, rowBytes, written } from './encode'
export { columns, end, rows, scan } from './scan'
