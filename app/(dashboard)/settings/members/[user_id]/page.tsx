import type { Metadata } from 'next'
import { ActionForm } from '#components/ui/controls/action-form'
import { LinkButton } from '#components/ui/controls/link-button'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Panel } from '#components/ui/layout/panel'
import { CampaignChoice } from '#components/workspaces/members/campaign-choice'
import { ReadClientCampaigns } from '#lib/contracts/workspaces/client-campaigns'
import { isClient } from '#lib/contracts/workspaces/roles'
import { requireUser } from '#lib/http/session'
import { campaignChoice, readClient } from '#lib/services/workspaces/joining/client-campaigns'
import { orNotFound, parseParams } from '../../../../page-input.ts'
import { chooseCampaigns } from '../actions.ts'

export const metadata: Metadata = { title: 'Campaigns of a client' }

const PathParams = ReadClientCampaigns.params.pick({ user_id: true })

export default async function ClientPage({ params }: PageProps<'/settings/members/[user_id]'>) {
  const user = await requireUser(ReadClientCampaigns)
  const { workspace_id } = user
  const { user_id } = parseParams(PathParams, await params)
  const { name, role, campaign_ids, version } = await orNotFound(readClient(user, { workspace_id, user_id }))
  const campaigns = await campaignChoice(workspace_id, campaign_ids)
  return (
    <Panel
      title={`Campaigns of ${name}`}
      description={
        isClient(role)
          ? 'They see the results and inbox of these campaigns and nothing else.'
          : 'They are not a client, so they see every campaign in the workspace.'
      }
    >
      {isClient(role) ? (
        <ActionForm action={chooseCampaigns.bind(null, user_id, version)} className="grid max-w-xl gap-4">
          <CampaignChoice campaigns={campaigns} given={campaign_ids} />
          <div className="flex gap-2">
            <SubmitButton>Save</SubmitButton>
            <LinkButton href="/settings/members">Back to members</LinkButton>
          </div>
        </ActionForm>
      ) : (
        <LinkButton href="/settings/members">Back to members</LinkButton>
      )}
    </Panel>
  )
}
