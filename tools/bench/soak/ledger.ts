import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Client } from '#lib/client/types'
import { report } from '../harness.ts'
import type { Counts } from './world.ts'

type Sides = { client: Client; database: pg.Client; counts: () => Promise<Counts> }

/** Stops all sending, and compares the ledger with the mail that was received. */
export async function reportLedger(
  { client, database, counts }: Sides,
  { launched, failures }: { launched: number; failures: string[] },
): Promise<void> {
  const campaigns = await stopAll(client)
  while ((await actionsByStatus(database)).sending) await sleep(500)
  const { sent = 0, ...others } = await actionsByStatus(database)
  const { taken, twice, unmarked, opened, open_failed, answered } = await counts()
  report({
    what: `Sent by the ledger, of ${campaigns} campaigns, against taken by the mail server`,
    ours: `${sent.toLocaleString('en')}, ${twice} twice, else ${JSON.stringify(others)}`,
    against: taken.toLocaleString('en'),
    ratio: (sent / taken).toFixed(6),
    goal: '= 1, none twice',
    met: sent === taken && twice + unmarked + failures.length === 0 && launched === campaigns,
  })
  const { rows } = await database.query<{ opens: string; answers: string }>(
    `SELECT (SELECT count(*) FROM tracking_events WHERE kind = 'open') AS opens,
       (SELECT count(*) FROM inbox_messages WHERE direction = 'in') AS answers`,
  )
  report({
    what: 'Opens and answers written down, against those that people made',
    ours: `${Number(rows[0]?.opens).toLocaleString('en')} and ${Number(rows[0]?.answers).toLocaleString('en')}`,
    against: `${opened.toLocaleString('en')} (${open_failed} failed) and ${answered.toLocaleString('en')}, the last not read yet`,
    ratio: '',
    goal: '',
    met: null,
  })
}

/** Pauses every active campaign, including those being launched; returns the total number of campaigns. */
async function stopAll(client: Client): Promise<number> {
  for (;;) {
    const campaigns = []
    for (let page = 1; ; page++) {
      const answer = await client.listCampaigns({ query: { page, page_size: 100 } })
      campaigns.push(...answer.campaigns)
      if (campaigns.length >= answer.total) break
    }
    const running = campaigns.filter(({ status }) => ['launching', 'active', 'draining'].includes(status))
    if (running.length === 0) return campaigns.length
    for (const { campaign_id, status } of running)
      if (status !== 'launching') await client.pauseCampaign({ params: { campaign_id } })
    await sleep(1_000)
  }
}

async function actionsByStatus(database: pg.Client): Promise<Record<string, number>> {
  const { rows } = await database.query<{ status: string; count: string }>(
    'SELECT status, count(*) FROM actions GROUP BY status',
  )
  return Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)]))
}
