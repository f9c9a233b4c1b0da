import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { editedVersion, id, pathId, version } from '#lib/contracts/fields'
import { inWorkspace } from '#lib/contracts/workspaces/workspaces'

/** The most campaigns shared with one client. */
export const MAX_GIVEN = 1_000

const ClientCampaigns = z
  .object({
    user_id: id(),
    campaign_ids: z.array(id()).describe('Every campaign the client can see.'),
    version: version().describe('The member’s version. It increases with edits of role and campaigns.'),
  })
  .meta({ id: 'ClientCampaigns' })

const common = {
  tag: 'Workspaces',
  errors: 'flat',
  path: '/workspaces/{workspace_id}/members/{user_id}/campaigns',
  params: inWorkspace.extend({ user_id: pathId() }),
  response: ClientCampaigns,
  status: 200,
} as const

export const ReadClientCampaigns = contract({
  ...common,
  id: 'readClientCampaigns',
  method: 'GET',
  summary: 'List the campaigns of a client',
  description: 'Empty for other roles, who see all campaigns in the workspace.',
  scope: 'read',
  role: 'admin',
  refusals: [404],
})

export const SetClientCampaigns = contract({
  ...common,
  id: 'setClientCampaigns',
  method: 'PUT',
  summary: 'Choose the campaigns of a client',
  description:
    'Replaces the list; takes effect with the client’s next request. 404 `campaign_not_found` if one of them is not in the workspace, 409 `not_a_client` for a member with another role.',
  body: z.object({ campaign_ids: z.array(id()).max(MAX_GIVEN), version: editedVersion() }),
  scope: 'admin',
  refusals: [404, 409],
})
