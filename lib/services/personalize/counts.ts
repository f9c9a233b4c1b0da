import { pool } from '#lib/db/client'
import { inTransaction } from '#lib/db/transaction'

/** Recounts a run from its rows, after a review changed some of them. */
export async function recount(runId: string): Promise<void> {
  await inTransaction(pool(), async (client) => {
    await client.query('SELECT 1 FROM personalization_runs WHERE run_id = $1 FOR NO KEY UPDATE', [runId])
    await client.query(
      `UPDATE personalization_runs r SET generated_count = c.generated, failed_count = c.failed,
         rejected_count = c.rejected, flagged_count = c.flagged, approved_count = c.approved
       FROM (SELECT count(*) FILTER (WHERE status = 'generated') AS generated,
           count(*) FILTER (WHERE status = 'failed') AS failed, count(*) FILTER (WHERE status = 'rejected') AS rejected,
           count(*) FILTER (WHERE status = 'generated' AND flags <> '[]'::jsonb) AS flagged,
           count(*) FILTER (WHERE approved_at IS NOT NULL) AS approved
         FROM generations WHERE run_id = $1) c
       WHERE r.run_id = $1`,
      [runId],
    )
  })
}
