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
    'Adds rows to the dataset of the campaign, and to the campaign itself if it was launched, at most 1,000 in one request. The rules are those of the launch: rows that are suppressed, replied before, or cannot be reached by any step are skipped and not added to the dataset. A lead of the campaign gets nothing twice: `skip` leaves it as it is, `update` changes its cells. A row that the dataset has and the campaign does not is added to the campaign. The first step is due after its delay, counted from now. A draining campaign is active again, and a completed one goes on; a paused one takes leads and sends when it is resumed. Other campaigns over the same dataset do not take the rows; a member adds none where somebody else’s campaign has it (403 `role_insufficient`). 409 `invalid_state` while the campaign is launching, `dataset_busy` while a session works on its dataset.',
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
