import { Contact } from 'lucide-react'
import type { Metadata } from 'next'
import { ProfileTable } from '#components/messages/profiles/profile-table'
import { ChangingLink } from '#components/ui/controls/changing-link'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Panel } from '#components/ui/layout/panel'
import { ListSenderProfiles } from '#lib/contracts/messages/sender-profiles'
import { requireUser } from '#lib/http/session'
import { listSenderProfiles } from '#lib/services/messages/sender-profiles'
import { parseQuery } from '../../page-input.ts'
import { SampleButton } from '../samples/sample-button.tsx'
import { findOthersWork } from '../section-lock.tsx'
import { deleteProfile } from './actions.ts'

export const metadata: Metadata = { title: 'Sender profiles' }

export default async function SenderProfilesPage({ searchParams }: PageProps<'/sender-profiles'>) {
  const user = await requireUser()
  const query = parseQuery(ListSenderProfiles.query, await searchParams)
  const { sender_profiles, ...list } = ListSenderProfiles.response.parse(
    await listSenderProfiles(user.workspace_id, query),
  )
  const others = await findOthersWork(
    user,
    'sender_profile_id',
    sender_profiles.flatMap(({ id }) => id ?? []),
  )
  const create = (
    <ChangingLink variant="primary" href="/sender-profiles/new">
      New profile
    </ChangingLink>
  )
  return (
    <>
      <PageHeader
        title="Sender profiles"
        description="Who a message is from: name, title, company and any other field your texts use."
        actions={list.total > 0 && create}
      />
      <PageBody>
        {list.total === 0 ? (
          <Panel>
            <EmptyState
              icon={<Contact />}
              title="No sender profile yet"
              description="Templates use its fields, such as {{ sender.name }}, so one text works for several senders."
              action={
                <>
                  {create}
                  <SampleButton kind="sender_profile" />
                </>
              }
            />
          </Panel>
        ) : (
          <ProfileTable
            profiles={sender_profiles}
            {...list}
            query={query}
            remove={deleteProfile}
            others={others}
          />
        )}
      </PageBody>
    </>
  )
}
