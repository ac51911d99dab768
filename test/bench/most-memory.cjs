// Loaded before a program: says at its end, on descriptor 3, how many bytes of memory it had at most, and its CPU time in milliseconds.
const { writeSync } = require('node:fs')

process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
  writeSync(3, `${maxRSS * 1024} ${(userCPUTime + systemCPUTime) / 1000}`)
})
