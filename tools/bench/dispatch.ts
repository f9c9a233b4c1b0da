import { closeDatabase, db, pool } from '#lib/db/client'
import { WORKER_FLAGS } from '#scripts/up/services'
import { median, printNote, RUNS, report, runWorker, startServer } from './harness.ts'
import { aDataset, aDueCampaign, anOwner, giveSignIns, MAIL_TEXT } from './seed.ts'

const LEADS = Number(process.env.BENCH_LEADS ?? 10_000)
const MAILBOXES = 5
const GOAL = 0.9
const GOAL_RSS_MB = 300

type Result = { sent: number; ms: number; rss_mb: number; cpu_ms: number }

/** As many rows for the bare loop, with a message as long as ours. */
async function fillBareQueue(campaign_id: string) {
  await pool().query(`
    CREATE TABLE IF NOT EXISTS bare_queue (id int PRIMARY KEY, email text NOT NULL, status text NOT NULL, sent_at timestamptz);
    CREATE INDEX IF NOT EXISTS bare_queue_due ON bare_queue (id) WHERE status = 'due';
    CREATE TABLE IF NOT EXISTS bare_message (subject text, text text, html text, headers jsonb);
    TRUNCATE bare_queue, bare_message`)
  await pool().query(
    `INSERT INTO bare_queue SELECT lead_index, email, 'due' FROM campaign_leads WHERE campaign_id = $1`,
    [campaign_id],
  )
  const text = MAIL_TEXT.replaceAll(/\{\{.*?\}\}/g, 'some value')
  const headers = {
    'List-Unsubscribe': `<http://127.0.0.1:3000/unsubscribe/${'x'.repeat(67)}>, <mailto:sender@example.org?subject=unsubscribe%20${'x'.repeat(67)}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
  const footer = `\n\nIf this is not for you, just say so or use this link: http://127.0.0.1:3000/unsubscribe/${'x'.repeat(67)}`
  const html = `<!DOCTYPE html><html><head><meta charset="utf-8"></head><body>${text.replaceAll('\n', '<br>\n')}<p>${footer}</p></body></html>`
  await pool().query('INSERT INTO bare_message VALUES ($1, $2, $3, $4)', [
    'First1, a word about Company 1',
    text + footer,
    html,
    JSON.stringify(headers),
  ])
}

const sink = await startServer<{ port: number }>('bare/sink.ts')
const owner = await anOwner({ mailboxes: MAILBOXES, port: sink.where.port })
await giveSignIns(owner.workspace_id)
const dataset_id = await aDataset(owner.workspace_id, LEADS)
const ours: Result[] = []
const bare: Result[] = []
for (let run = 0; run < RUNS; run++) {
  const campaign_id = await aDueCampaign(owner, dataset_id, { message_template: MAIL_TEXT })
  await fillBareQueue(campaign_id)
  await pool().query('VACUUM ANALYZE')
  const sides = [
    async () => ours.push(await runWorker<Result>('workers/dispatch.ts', {}, WORKER_FLAGS)),
    async () =>
      bare.push(
        await runWorker<Result>('bare/sender.ts', { BENCH_SMTP_PORT: `${sink.where.port}` }, WORKER_FLAGS),
      ),
  ]
  // The order alternates, so that neither side always finds the warmer caches.
  for (const side of run % 2 === 0 ? sides : sides.reverse()) await side()
  const [one, other] = [ours.at(-1), bare.at(-1)]
  printNote(
    `ours ${computeRate(one)}/s, ${one?.cpu_ms.toFixed(0)} ms CPU; bare ${computeRate(other)}/s, ${other?.cpu_ms.toFixed(0)} ms CPU`,
  )
  if (one?.sent !== LEADS || other?.sent !== LEADS)
    throw new Error(`sent ${one?.sent} and ${other?.sent} of ${LEADS}`)
  // Every counted mail must have been sent, and the senders' daily limits must not be reached over the runs.
  const { sent_count } = await db.campaign.findUniqueOrThrow({ where: { campaign_id } })
  if (sent_count !== LEADS) throw new Error(`the ledger says ${sent_count} of ${LEADS}`)
  await db.campaign.delete({ where: { campaign_id } })
}
sink.stop()

function computeRate(result: Result | undefined): number {
  return result ? Math.round(result.sent / (result.ms / 1000)) : 0
}
const [mine, limit] = [median(ours.map(computeRate)), median(bare.map(computeRate))]
// Computed for each pair: between pairs the speed of the machine may double.
const ratio = median(ours.map((one, run) => computeRate(one) / computeRate(bare[run])))
report({
  what: `Dispatch of ${LEADS.toLocaleString('en')} mails, one worker, SMTP, ledger and limits`,
  ours: `${mine}/s`,
  against: `${limit}/s (claim + nodemailer + mark)`,
  ratio: ratio.toFixed(2),
  goal: `≥ ${GOAL}`,
  met: ratio >= GOAL,
})
const rss = Math.max(...ours.map((result) => result.rss_mb))
report({
  what: `Peak memory of that worker (\`node ${WORKER_FLAGS.join(' ')}\`)`,
  ours: `${rss} MB`,
  against: `${GOAL_RSS_MB} MB`,
  ratio: (rss / GOAL_RSS_MB).toFixed(2),
  goal: '≤ 1.0',
  met: rss <= GOAL_RSS_MB,
})
await closeDatabase()
