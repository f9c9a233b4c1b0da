import { z } from 'zod'
import { EditedCampaign } from '#lib/contracts/campaigns/campaigns'
import { CampaignChange, EditPreview } from '#lib/contracts/campaigns/edit-preview'
import { contract } from '#lib/contracts/contract'
import { dateTime, dryRun, id, listEnvelope, paging, pathId } from '#lib/contracts/fields'

export const CampaignEdit = z
  .object({
    edit_id: id(),
    at: dateTime(),
    changes: z.array(CampaignChange).describe('As they were when the edit was made.'),
    undone_at: dateTime().nullable(),
    may_undo: z.boolean(),
    why_not: z.string().nullable().describe('Why it cannot be undone.'),
  })
  .meta({ id: 'CampaignEdit' })
export type CampaignEdit = z.output<typeof CampaignEdit>

const params = z.object({ campaign_id: pathId() })
const common = { tag: 'Campaigns', errors: 'flat', status: 200 } as const
const query = z.object({ dry_run: dryRun() })

export const ListCampaignEdits = contract({
  id: 'listCampaignEdits',
  method: 'GET',
  path: '/campaigns/{campaign_id}/edits',
  ...common,
  summary: 'List the edits of a launched campaign',
  description: 'Newest first: what each changed, and whether it can still be undone.',
  params,
  query: z.object(paging),
  response: listEnvelope(CampaignEdit),
  scope: 'read',
  refusals: [404],
})

export const UndoCampaignEdit = contract({
  id: 'undoCampaignEdit',
  method: 'POST',
  path: '/campaigns/{campaign_id}/edits/{edit_id}/undo',
  ...common,
  summary: 'Undo an edit of a launched campaign',
  description:
    'Puts back what the edit replaced, and the leads that it moved where nothing has moved them since. 409 `edit_sent` once anything was sent by it, `edit_overtaken` where a later edit changed the same again, `edit_undone` the second time, and `campaign_not_editable` while the campaign runs (words of templates can be taken back while it does). The undo is an edit of its own.',
  params: z.object({ campaign_id: pathId(), edit_id: pathId() }),
  query,
  response: EditedCampaign,
  dry_run: EditPreview,
  scope: 'send',
  refusals: [404, 409],
})

export const AdoptTemplates = contract({
  id: 'adoptTemplates',
  method: 'POST',
  path: '/campaigns/{campaign_id}/adopt-templates',
  ...common,
  summary: 'Take over the present texts of templates',
  description:
    'A launched campaign keeps the texts it was launched with, whatever becomes of its templates. This takes over what they say now, for whatever is still to be sent; a running campaign need not be paused for it. Without `template_ids`: of all its templates that were changed since. 409 `launch_blocked` where a text could not be sent, `campaign_not_editable` for a campaign that was not launched or is over.',
  params,
  query,
  body: z.object({ template_ids: z.array(id()).min(1).max(520).nullish() }).default({}),
  response: EditPreview.extend({
    edit_id: id().nullable().describe('Null: every text was the present one already.'),
  }),
  dry_run: EditPreview,
  scope: 'send',
  refusals: [404, 409],
})
