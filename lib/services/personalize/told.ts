import type { z } from 'zod'
import type { EVENTS } from '#lib/contracts/telling/webhook-events'
import type { Statements } from '#lib/db/statements'
import { tell } from '#lib/services/telling/tell'

type Finished = z.input<(typeof EVENTS)['run.finished']['data']> & { workspace_id: string }

/** Reports the end of a run, whatever its outcome. */
export async function tellOfRun(client: Statements, runId: string, at: Date): Promise<void> {
  const { rows } = await client.query<Finished>(
    `SELECT workspace_id, run_id, dataset_id, campaign_id, step, status::text AS status, total, generated_count, failed_count,
       flagged_count, error FROM personalization_runs WHERE run_id = $1`,
    [runId],
  )
  await tell(
    client,
    rows.map(({ workspace_id, ...data }) => ({ type: 'run.finished', workspace_id, at, data })),
  )
}
