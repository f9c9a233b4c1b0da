import { closeDatabase } from '#lib/db/client'
import { WORKER_FLAGS } from '#scripts/up/services'
import { median, printNote, RUNS, report, runWorker } from './harness.ts'
import { aCampaignOver, aDataset, anOwner } from './seed.ts'

const LEADS = 100_000
const STEPS = 5
const GOAL_MS = 400
const GOAL_RSS_MB = 150
const MANY_MAILBOXES = 500
const GOAL_MANY = 1.5

type Result = { idle_mb: number; first_ms: number; ms: number; rss_mb: number; actions: number; days: number }

/** A campaign with this many mailboxes, described for the worker. */
async function aCampaignFrom(mailboxes: number): Promise<string> {
  const owner = await anOwner({ mailboxes })
  const { campaign_id } = await aCampaignOver(owner, await aDataset(owner.workspace_id, LEADS), {
    daily_limit: 2_000,
    min_interval_seconds: 5,
    sending_window_start: '08:00',
    sending_window_end: '18:00',
    timezone: 'Europe/Berlin',
    send_days: ['mon', 'tue', 'wed', 'thu', 'fri'],
    steps_config: Array.from({ length: STEPS }, (_, index) => ({
      delay_days: index === 0 ? 0 : 3,
      subject: 'Hello',
      message_template: 'A word',
    })),
  })
  return `${owner.workspace_id} ${campaign_id}`
}

async function measure(campaign: string): Promise<Result> {
  const result = await runWorker<Result>('workers/forecast.ts', { BENCH_CAMPAIGN: campaign }, WORKER_FLAGS)
  if (result.actions !== LEADS * STEPS) throw new Error(`forecast ${result.actions} actions`)
  printNote(
    `first ${Math.round(result.first_ms)} ms, again ${Math.round(result.ms)} ms, ${result.rss_mb} MB, ${result.days} days`,
  )
  return result
}

const few = await aCampaignFrom(5)
const many = await aCampaignFrom(MANY_MAILBOXES)
const results: Result[] = []
const fromMany: Result[] = []
for (let run = 0; run < RUNS; run++) {
  results.push(await measure(few))
  fromMany.push(await measure(many))
}
const ms = median(results.map((result) => result.ms))
const rss = Math.max(...results.map((result) => result.rss_mb))
const idle = Math.max(...results.map((result) => result.idle_mb))
report({
  what: `Forecast of ${LEADS.toLocaleString('en')} leads × ${STEPS} steps, rows read from the database`,
  ours: `${Math.round(ms)} ms`,
  against: `${GOAL_MS} ms`,
  ratio: (ms / GOAL_MS).toFixed(2),
  goal: '≤ 1.0',
  met: ms <= GOAL_MS,
})
report({
  what: 'The first one in a process that has just begun',
  ours: `${Math.round(median(results.map((result) => result.first_ms)))} ms`,
  against: '',
  ratio: '',
  goal: '',
  met: null,
})
report({
  what: `Peak memory of that process (\`node ${WORKER_FLAGS.join(' ')}\`)`,
  ours: `${rss} MB (${idle} before the first)`,
  against: `${GOAL_RSS_MB} MB`,
  ratio: (rss / GOAL_RSS_MB).toFixed(2),
  goal: '≤ 1.0',
  met: rss <= GOAL_RSS_MB,
})
const msFromMany = median(fromMany.map((result) => result.ms))
report({
  what: `The same from ${MANY_MAILBOXES} mailboxes instead of 5`,
  ours: `${Math.round(msFromMany)} ms`,
  against: `${Math.round(ms)} ms`,
  ratio: (msFromMany / ms).toFixed(2),
  goal: `≤ ${GOAL_MANY}`,
  met: msFromMany / ms <= GOAL_MANY,
})
await closeDatabase()
