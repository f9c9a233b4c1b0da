import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { addedRows, givenRows, MAX_ROWS_BYTES, onConflict } from '#lib/contracts/datasets/dataset-rows'
import { pathId } from '#lib/contracts/fields'
import { ADDED_LEAD_CODES } from '#lib/domain/leads/added-leads'

export const AddCampaignLeads = contract({
  id: 'addCampaignLeads',
  method: 'POST',
  path: '/campaigns/{campaign_id}/leads',
  tag: 'Campaigns',
  summary: 'Add leads to a campaign',
  description:
    'Adds up to 1,000 rows per request to the campaign’s dataset, and to the campaign itself if it was launched. Launch rules apply: rows that are suppressed, replied before, or cannot be reached by any step are skipped and not added to the dataset. A lead never gets anything twice: `skip` leaves it unchanged, `update` changes its cells. A row already in the dataset but not in the campaign is added to the campaign. The first step is due after its delay, counted from now. A draining campaign becomes active again and a completed one continues; a paused one accepts leads and sends when resumed. Other campaigns on the same dataset do not pick up the rows. Members cannot add rows to a dataset that somebody else’s campaign uses (403 `role_insufficient`). 409 `invalid_state` while the campaign is launching, `dataset_busy` while a session is running on its dataset.',
  params: z.object({ campaign_id: pathId() }),
  body: z.object({ rows: givenRows(), on_conflict: onConflict() }),
  max_bytes: MAX_ROWS_BYTES,
  response: addedRows(ADDED_LEAD_CODES),
  status: 200,
  errors: 'flat',
  scope: 'send',
  refusals: [404, 409],
  previews: { explainCampaign: {}, forecastCampaign: { limit: 5 } },
  example: { body: { rows: [{ email: 'ada@example.com', first_name: 'Ada' }] } },
})
