import { columnLabel } from '#components/datasets/lead-fields'
import { cellKey, leadColumns } from '#components/leads/lead-columns'
import type { Campaign } from '#lib/contracts/campaigns/campaign'
import { columnChoice } from '../../../kept-columns.ts'

type Listed = { columns: { name: string; key: string }[] }

/** The chosen columns of the leads, and the row cells they show. */
export async function leadChoice({ campaign_id }: Campaign, { columns }: Listed) {
  const all = leadColumns(columns.map((column) => ({ key: column.key, label: columnLabel(column) })))
  const choice = await columnChoice({ table: 'leads', path: `/campaigns/${campaign_id}/leads`, all })
  return { choice, cells: choice.shown.flatMap((column) => cellKey(column) ?? []) }
}
