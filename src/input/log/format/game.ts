import { formatsByName } from './line-format.js'

const ZOMBOID = '(?<level>LOG|DEBUG|TRACE|NOISE|WARN|ERROR) {0,2}: (?<logger>\\w{1,40}) {0,20}'
/** The number of a frame and the time since the start, as Project Zomboid writes them from build 42 on. */
const FRAME =
  ' f:%{INT:frame:long}(?: st:(?<uptime>[\\d,]{1,20}))?(?: at (?<function>[^\\s<>]{1,100}(?:<\\w{1,20}>)?) {0,4})?> ?'

const ROBLOX = '%{TIME:_time},(?<uptime>\\d{1,9}\\.\\d{6}),(?<tid>[\\da-f]{1,16}),\\d{1,3}'
const CHANNEL = '\\[(?<logger>\\w{1,20}::\\w{1,80})\\] ?%{MESSAGE:message}'

/** Formats of games and of their servers. */
export const GAME_FORMATS = formatsByName({
  'project-zomboid': {
    title: 'Project Zomboid, its server and its files',
    example: 'LOG  : General     , 1795168800123> 3,049,080,666> server name is "demo"',
    patterns: [
      `\\[%{TIME:_time}\\] ${ZOMBOID}${FRAME}%{MESSAGE:message}`,
      `\\[%{TIME:_time}\\] ${ZOMBOID}, \\d{13}> (?:(?<uptime>[\\d,]{1,20})> ?)?%{MESSAGE:message}`,
      `${ZOMBOID}, %{TIME:_time}> (?:(?<uptime>[\\d,]{1,20})> ?)?%{MESSAGE:message}`,
      `${ZOMBOID}${FRAME}%{MESSAGE:message}`,
    ],
    levels: { NOISE: 'trace' },
  },
  roblox: {
    title: 'Roblox, and Sober: seconds since the start, a thread, a number and a channel',
    example:
      '2026-11-20T10:00:00.123Z,0.323650,94cc,6,Warning [FLog::Starter] All modules completed',
    patterns: [
      `(?:(?:debug|info|warn|error): Roblox: )?${ROBLOX},%{LEVEL:level} ${CHANNEL}`,
      `(?:(?<level>debug|info|warn|error): Roblox: )?${ROBLOX} ${CHANNEL}`,
    ],
    // Sober.
    others: '(?<level>debug|info|warn|error): (?<logger>[\\w$]{1,40}): ?%{MESSAGE:message}',
  },
  '7-days-to-die': {
    title: '7 Days to Die: a time, seconds since the start and a level',
    example: '2026-11-20T10:00:00 23.524 INF [EOS] Created request',
    patterns:
      '%{TIME:_time} (?<uptime>\\d{1,9}\\.\\d{3}) (?<level>LOG|INF|WRN|ERR|EXC) %{MESSAGE:message}',
    levels: { EXC: 'error' },
  },
})
