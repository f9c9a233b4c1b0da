import * as fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { closeDatabase, pool } from '#lib/db/client'
import { seal } from '#lib/db/seal'
import { createSmtpProvider } from '#lib/providers/mail/smtp'
import { dispatchDue } from '#lib/services/sending/run'
import { bounceOf, replyTo } from '#tests/support/scenes/arrivals'
import { median, printNote, RUNS, report, runWorker, startServer } from './harness.ts'
import { postgresCpu } from './instance/processes.ts'
import { aDataset, aDueCampaign, anOwner } from './seed.ts'

const MAILS = Number(process.env.BENCH_MAILS ?? 4_000)
const MAILBOXES = 20
const GOAL = 500

const WORDS = `Thank you for your message. We looked at this last year and put it off; it may be worth a second look now.

Could you send me two or three dates in the coming weeks, and what it would cost for a team of forty?

Kind regards
Petra

> Hello, I read about your company and the work that your team does. Would it be worth twenty minutes next week
> to see how others handle it? If not, a short no is just as welcome, and you will not hear from me again.
`

type Result = { mails: number; failed: number; ms: number; rss_mb: number; cpu_ms: number }
type Sent = {
  mailbox_id: string
  message_id: string
  subject: string
  to: { address: string }
  from: { address: string }
}

/** The messages sent to this many leads, by mailbox. */
async function sentByMailbox(leads: number): Promise<Map<string, Sent[]>> {
  const sink = await startServer<{ port: number }>('bare/sink.ts')
  const owner = await anOwner({ mailboxes: MAILBOXES, port: sink.where.port })
  const dataset_id = await aDataset(owner.workspace_id, leads)
  const campaign_id = await aDueCampaign(owner, dataset_id, {
    message_template: 'A word about {{ company }}',
  })
  const mail = createSmtpProvider({ policy: { allow_private_hosts: true } })
  await dispatchDue({ mail, clock: () => new Date() })
  await mail.close()
  sink.stop()
  const { rows } = await pool().query<Sent>(
    `SELECT a.mailbox_id, a.message_id, a.subject, jsonb_build_object('address', l.email) AS to,
       jsonb_build_object('address', m.address) AS from
     FROM actions a JOIN campaign_leads l USING (campaign_lead_id) JOIN mailboxes m ON m.mailbox_id = a.mailbox_id
     WHERE a.campaign_id = $1 AND a.status = 'sent' ORDER BY l.lead_index`,
    [campaign_id],
  )
  return Map.groupBy(rows, ({ mailbox_id }) => mailbox_id)
}

/** Of ten mails, five are replies, two newsletters, two out-of-office notices and one a bounce. */
function arrivedFor(mail: Sent, n: number): string {
  const kind = n % 10
  const raw =
    kind < 5
      ? replyTo(mail, WORDS)
      : kind < 7
        ? `From: <news@shop${n}.example>\nTo: <${mail.from.address}>\nSubject: What is new\nMessage-ID: <news-${n}@shop.example>\nList-Id: <news.shop.example>\n\n${WORDS}`
        : kind < 9
          ? replyTo(mail, 'I am out of the office until Monday.', 'Auto-Submitted: auto-replied')
          : bounceOf(mail, '5.1.1')
  return raw.replace(/\r?\n/g, '\r\n')
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'opener-bench-'))
const file = path.join(folder, 'inboxes.json')

/** Puts this many mails into the mailboxes of a new workspace and lets one worker read them. */
async function takeIn(mails: number): Promise<Result & { postgres_ms: number }> {
  const sent = await sentByMailbox(mails)
  fs.writeFileSync(file, JSON.stringify([...sent.values()].map((mailbox) => mailbox.map(arrivedFor))))
  const inboxes = await startServer<{ ports: number[] }>('bare/inboxes.ts', { BENCH_INBOXES: file })
  await pool().query(
    `UPDATE mailboxes m SET imap = jsonb_build_object('host', '127.0.0.1', 'port', p.port, 'security', 'none', 'username', 'bench'),
       imap_password = $3, created_at = now() - interval '1 day'
     FROM unnest($1::uuid[], $2::int[]) p (mailbox_id, port) WHERE m.mailbox_id = p.mailbox_id`,
    [[...sent.keys()], inboxes.where.ports, seal('bench')],
  )
  await pool().query('VACUUM (ANALYZE)')
  const before = await postgresCpu()
  const one = await runWorker<Result>('workers/inbound.ts')
  inboxes.stop()
  if (one.failed > 0 || one.mails !== mails)
    throw new Error(`read ${one.mails} mails, ${one.failed} mailboxes failed`)
  await pool().query('UPDATE mailboxes SET imap = NULL, imap_password = NULL')
  return { ...one, postgres_ms: (await postgresCpu()) - before }
}

const ours: (Result & { postgres_ms: number })[] = []
try {
  // A warm-up: a real instance has received mail before, so Postgres has statistics of its tables.
  await takeIn(MAILS / 10)
  for (let run = 0; run < RUNS; run++) {
    const one = await takeIn(MAILS)
    ours.push(one)
    printNote(
      `${Math.round(one.mails / (one.ms / 1000))} mails/s; CPU a mail: worker ${(one.cpu_ms / MAILS).toFixed(2)} ms, Postgres ${(one.postgres_ms / MAILS).toFixed(2)} ms`,
    )
  }
} finally {
  fs.rmSync(folder, { recursive: true, force: true })
}
const rate = MAILS / (median(ours.map(({ ms }) => ms)) / 1000)
const each = (of: number[]) => (median(of) / MAILS).toFixed(2)
report({
  what: `${MAILS.toLocaleString('en')} mails of ${MAILBOXES} mailboxes read over IMAP, matched, classified and written, one worker`,
  ours: `${Math.round(rate)} mails/s`,
  against: `${GOAL} mails/s`,
  ratio: (rate / GOAL).toFixed(2),
  goal: '≥ 1.0',
  met: rate >= GOAL,
})
report({
  what: 'CPU for each of them',
  ours: `${each(ours.map(({ cpu_ms }) => cpu_ms))} ms of the worker, ${each(ours.map(({ postgres_ms }) => postgres_ms))} ms of Postgres, and the reader`,
  against: '',
  ratio: '',
  goal: '',
  met: null,
})
await closeDatabase()
