import type { Metadata } from 'next'
import { ProfileForm } from '#components/messages/profiles/profile-form'
import { ProfileSenders } from '#components/messages/profiles/profile-senders'
import { ProfileUse } from '#components/messages/profiles/profile-use'
import { Badge } from '#components/ui/feedback/badge'
import { StatusPill } from '#components/ui/feedback/status-pill'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Panel } from '#components/ui/layout/panel'
import { ReadSenderProfileUse, type SenderProfileUse } from '#lib/contracts/messages/profile-use'
import { ReadSenderProfile, UpdateSenderProfile } from '#lib/contracts/messages/sender-profiles'
import { requireUser } from '#lib/http/session'
import { profileUse } from '#lib/services/messages/profile-use'
import { getSenderProfile } from '#lib/services/messages/sender-profiles'
import { getMailbox } from '#lib/services/senders/mailboxes'
import { orNotFound, parseParams } from '../../../page-input.ts'
import { ViewOnly } from '../../view-only.tsx'
import { updateProfile } from '../actions.ts'

export const metadata: Metadata = { title: 'Sender profile' }

export default async function SenderProfilePage({ params }: PageProps<'/sender-profiles/[id]'>) {
  const { workspace_id } = await requireUser()
  const { id } = parseParams(ReadSenderProfile.params, await params)
  const now = new Date()
  const profile = ReadSenderProfile.response.parse(await orNotFound(getSenderProfile(workspace_id, id)))
  const use = ReadSenderProfileUse.response.parse(await orNotFound(profileUse(workspace_id, id, now)))
  return (
    <>
      <PageHeader
        above={<Breadcrumbs items={[{ href: '/sender-profiles', label: 'Sender profiles' }]} />}
        title={profile.profile_name}
        status={
          <>
            {profile.is_default && <Badge tone="accent">Default</Badge>}
            <State use={use} />
          </>
        }
        description={profile.description}
      />
      <PageBody>
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,1fr)_26rem]">
          <ProfileUse use={use} now={now.toISOString()} />
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4 max-xl:order-first">
            <Panel title="Details">
              <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
                <ViewOnly changes={UpdateSenderProfile} work={{ name: 'sender_profile_id', id }}>
                  <ProfileForm profile={profile} save={updateProfile.bind(null, id)} />
                </ViewOnly>
              </div>
            </Panel>
            <ProfileSenders senders={await withLimits(workspace_id, use.senders, now)} />
          </div>
        </div>
      </PageBody>
    </>
  )
}

function State({ use: { campaigns, runs } }: { use: SenderProfileUse }) {
  if (campaigns.some(({ status }) => status === 'active' || status === 'draining'))
    return <StatusPill tone="accent" mark="pulse" label="In use" />
  if (campaigns.length + runs > 0) return <StatusPill tone="neutral" mark="half" label="Not sending" />
  return <StatusPill tone="neutral" mark="hollow" label="Not used" />
}

/** A mailbox has one daily limit; an account has one per kind of action, shown on its own page. */
const withLimits = (workspaceId: string, senders: SenderProfileUse['senders'], now: Date) =>
  Promise.all(
    senders.map(async (sender) => ({
      ...sender,
      limit: sender.kind === 'mailbox' ? (await getMailbox(workspaceId, sender.sender_id, now)).limits : null,
    })),
  )
