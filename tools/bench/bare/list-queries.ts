type List = {
  rows: string
  total: string
  values: (user: string, id: string, offset: number, size: number) => unknown[]
}

const byRange: List['values'] = (user, id, offset, size) => [user, id, offset, offset + size]

/** The queries of the three list endpoints, as plain SQL. */
export const LISTS = {
  campaigns: {
    rows: 'SELECT * FROM campaigns WHERE workspace_id = $1 ORDER BY created_at DESC, campaign_id DESC OFFSET $2 LIMIT $3',
    total: 'SELECT campaigns_count AS total FROM workspaces WHERE workspace_id = $1',
    values: (user, _id, offset, size) => [user, offset, size],
  },
  rows: {
    rows: `SELECT lead_index, email, data FROM dataset_rows
      WHERE workspace_id = $1 AND dataset_id = $2 AND lead_index >= $3 AND lead_index < $4 ORDER BY lead_index`,
    total: 'SELECT row_count AS total FROM datasets WHERE workspace_id = $1 AND dataset_id = $2',
    values: byRange,
  },
  leads: {
    rows: `SELECT l.*, r.data FROM campaign_leads l JOIN dataset_rows r USING (dataset_id, lead_index)
      WHERE l.workspace_id = $1 AND l.campaign_id = $2 AND l.lead_index >= $3 AND l.lead_index < $4 ORDER BY l.lead_index`,
    total: 'SELECT total_leads AS total FROM campaigns WHERE workspace_id = $1 AND campaign_id = $2',
    values: byRange,
  },
} satisfies Record<string, List>

export type ListName = keyof typeof LISTS
