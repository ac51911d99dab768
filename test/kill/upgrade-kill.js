// Kills the process that loads it once its upgrade has made a number of steps: `node --import ./upgrade-kill.js …`. Another process
// could come too late. The steps are made one after the other, with turns of the event loop between them.
import { upgradeSteps } from './upgrade-steps.js'

const { UPGRADE_TABLES = '', UPGRADE_STEPS } = process.env

const timer = setInterval(() => {
  if (upgradeSteps(UPGRADE_TABLES) >= Number(UPGRADE_STEPS)) process.kill(process.pid, 'SIGKILL')
}, 1)
timer.unref()
