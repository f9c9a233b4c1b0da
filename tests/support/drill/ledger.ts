import pg from 'pg'

export type Entry = {
  action_id: string
  lead: string
  step: number
  status: string
  message_id: string
  lease_owner: string
  performed_at: Date
  recorded_at: Date | null
}

/** Reads the database over a connection of the drill's own, which is opened anew for each query. */
export function drillLedger(databaseUrl: string, ...campaignIds: string[]) {
  async function ask<T extends pg.QueryResultRow>(sql: string, values: unknown[]): Promise<T[]> {
    const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return (await client.query<T>(sql, [campaignIds, ...values])).rows
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  return {
    /** The actions that were in flight at a past instant. */
    underway: async (at: Date) =>
      (
        await ask<{ action_id: string }>(
          `SELECT action_id FROM actions WHERE campaign_id = ANY ($1::uuid[]) AND performed_at <= $2
             AND (status = 'sending' OR recorded_at > $2)`,
          [at],
        )
      ).map((row) => row.action_id),
    entries: () =>
      ask<Entry>(
        `SELECT action_id, l.email AS lead, step, a.status, message_id, lease_owner, performed_at, recorded_at
         FROM actions a JOIN campaign_leads l USING (campaign_lead_id) WHERE a.campaign_id = ANY ($1::uuid[])`,
        [],
      ),
    leads: async () =>
      (
        await ask<{ status: string; count: number }>(
          'SELECT status, count(*)::int AS count FROM campaign_leads WHERE campaign_id = ANY ($1::uuid[]) GROUP BY 1',
          [],
        )
      ).map(({ status, count }): [string, number] => [status, count]),
    /** How many actions are decided or in flight, and whether the campaigns are over. */
    progress: async () => {
      const [row] = await ask<{ status: string; decided: number; underway: number }>(
        `SELECT coalesce(CASE WHEN bool_and(c.status = 'completed') THEN 'completed'
             ELSE min(c.status::text) FILTER (WHERE c.status <> 'completed') END, 'gone') AS status,
           (SELECT count(*)::int FROM actions a WHERE a.campaign_id = ANY ($1::uuid[])
           AND a.status IN ('sent', 'uncertain', 'failed')) AS decided,
           (SELECT count(*)::int FROM actions a WHERE a.campaign_id = ANY ($1::uuid[]) AND a.status = 'sending') AS underway
         FROM campaigns c WHERE c.campaign_id = ANY ($1::uuid[])`,
        [],
      )
      return row ?? { status: 'gone', decided: 0, underway: 0 }
    },
  }
}

export type DrillLedger = ReturnType<typeof drillLedger>
