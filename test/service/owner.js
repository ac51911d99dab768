// Holds a data directory until standard input ends. Prints `owned`, or `busy` when another
// process holds it. Runs the built program, because this is about processes.
import { openDataDirectory } from '../../dist/local/open-directory.js'

const directory = process.argv[2]
const owned = await openDataDirectory({ directory, now: () => BigInt(Date.now()) * 1_000_000n })
process.stdout.write(owned === undefined ? 'busy\n' : 'owned\n')
process.stdin.resume()
process.stdin.on('end', () => owned?.close())
