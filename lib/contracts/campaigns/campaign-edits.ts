import { z } from 'zod'
import { EditedCampaign } from '#lib/contracts/campaigns/campaign'
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
  description: 'Newest first, with what each edit changed and whether it can still be undone.',
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
    'Restores what the edit replaced and moves affected leads back, unless they have moved on since. 409 `edit_sent` if something was sent because of it, `edit_overtaken` if a later edit changed the same again, `edit_undone` the second time, and `campaign_not_editable` while the campaign runs (template texts can be undone while it runs). The undo is recorded as a new edit.',
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
  summary: 'Update a campaign to its templates’ current texts',
  description:
    'A launched campaign keeps the texts it was launched with. This replaces them with the current texts of its templates, for everything that is still to be sent; you do not have to pause the campaign. Without `template_ids`: all its templates that changed since. 409 `launch_blocked` if a text cannot be sent, `campaign_not_editable` if the campaign was not launched or has ended.',
  params,
  query,
  body: z.object({ template_ids: z.array(id()).min(1).max(520).nullish() }).default({}),
  response: EditPreview.extend({
    edit_id: id().nullable().describe('Null if every text was already current.'),
  }),
  dry_run: EditPreview,
  scope: 'send',
  refusals: [404, 409],
})
