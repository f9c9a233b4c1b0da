import type { Metadata } from 'next'
import { ProfileForm } from '#components/messages/profiles/profile-form'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { UpdateSenderProfile } from '#lib/contracts/messages/sender-profiles'
import { requireUser } from '#lib/http/session'
import { ViewOnly } from '../../view-only.tsx'
import { createProfile } from '../actions.ts'

export const metadata: Metadata = { title: 'New sender profile' }

export default async function NewSenderProfilePage() {
  await requireUser()
  return (
    <>
      <PageHeader
        above={<Breadcrumbs items={[{ href: '/sender-profiles', label: 'Sender profiles' }]} />}
        title="New sender profile"
      />
      <PageBody>
        <ViewOnly changes={UpdateSenderProfile}>
          <ProfileForm profile={null} save={createProfile} />
        </ViewOnly>
      </PageBody>
    </>
  )
}
