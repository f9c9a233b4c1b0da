// npm run drill -- [--kills 50] [--workers 3] [--leads N] [--seed N]: the crash drill of the tests, for any length of time. More
// than 5,000 leads are split into several campaigns.
// With INNGEST_BASE_URL and its two keys it runs against a real Inngest server, which is killed instead of the engine;
// INNGEST_SERVER is the command that starts it. --fast: the mail server answers at once.
// npm run drill -- --machines 3 [--leads N]: an instance divided over that many web machines and as many engine machines.
import { parseArgs } from 'node:util'
import { freePort } from '#lib/db/free-port'
import { explain } from '#scripts/up/trouble'
import { runDivided } from '#tests/support/drill/divided'
import { runDrill } from '#tests/support/drill/run'
import { isFlawless } from '#tests/support/drill/verdict'
import { removeThrowaway, throwawayFolder } from '#tests/support/files/throwaway'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    workers: { type: 'string', default: '3' },
    leads: { type: 'string' },
    seed: { type: 'string', default: '1' },
    port: { type: 'string' },
    machines: { type: 'string' },
    fast: { type: 'boolean' },
  },
})
const kills = Number(values.kills)
/** Leads of one campaign: two mails each, and it sends at most 10,000 a day. */
const MOST_LEADS = 5_000
if (values.machines && Number(values.leads ?? 0) > MOST_LEADS) {
  console.error(`At most ${MOST_LEADS.toLocaleString('en')} leads with --machines.`)
  process.exit(1)
}
const dataFolder = throwawayFolder()
let passed = false
try {
  const port = Number(values.port ?? (await freePort()))
  const say = (line: string) => console.log(line)
  const machines = Number(values.machines ?? 0)
  const verdict = machines
    ? await runDivided({
        dataFolder,
        port,
        leads: Number(values.leads ?? 1500),
        machines,
        cut_off_ms: 60_000,
        say,
      })
    : await runDrill({
        dataFolder,
        port,
        kills,
        // Enough that mail is still being sent at the last kill.
        leads: Number(values.leads ?? Math.max(300, kills * 30)),
        workers: Number(values.workers),
        seed: Number(values.seed),
        ...(values.fast && { slow: { from: 0, to: 0 } }),
        say,
      })
  console.log(verdict)
  passed = isFlawless(verdict)
} catch (error) {
  console.error(explain(error, dataFolder))
}
if (passed) removeThrowaway(dataFolder)
else console.error(`Logs and data are kept in ${dataFolder} until the next run.`)
process.exit(passed ? 0 : 1)
