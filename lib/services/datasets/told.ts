import type { Statements } from '#lib/db/statements'
import { tell } from '#lib/services/telling/tell'

type Ended = {
  workspace_id: string
  status: 'completed' | 'failed'
  dataset_id: string
  dataset_name: string
  session_id: string
  row_count: number
  reject_count: number
  error: string | null
}

/** Reports the end of a dataset session, completed or failed. */
export async function tellOfSession(client: Statements, sessionId: string, at: Date): Promise<void> {
  const { rows } = await client.query<Ended>(
    `SELECT s.workspace_id, s.status::text AS status, d.dataset_id, d.dataset_name, s.session_id, d.row_count, d.reject_count, s.error
     FROM dataset_sessions s JOIN datasets d USING (dataset_id) WHERE s.session_id = $1`,
    [sessionId],
  )
  await tell(
    client,
    rows.map(({ workspace_id, status, ...data }) => ({
      type: `dataset.${status}` as const,
      workspace_id,
      at,
      data,
    })),
  )
}
