import type { Metadata } from 'next'
import { ProfileForm } from '#components/messages/profile-form'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { ReadSenderProfile } from '#lib/contracts/messages/sender-profiles'
import { requireUser } from '#lib/http/session'
import { getSenderProfile } from '#lib/services/messages/sender-profiles'
import { orNotFound, parseParams } from '../../../page-input.ts'
import { updateProfile } from '../actions.ts'

export const metadata: Metadata = { title: 'Sender profile' }

export default async function SenderProfilePage({ params }: PageProps<'/sender-profiles/[id]'>) {
  const user = await requireUser()
  const { id } = parseParams(ReadSenderProfile.params, await params)
  const profile = ReadSenderProfile.response.parse(await orNotFound(getSenderProfile(user.workspace_id, id)))
  return (
    <>
      <PageHeader
        above={<Breadcrumbs items={[{ href: '/sender-profiles', label: 'Sender profiles' }]} />}
        title={profile.profile_name}
      />
      <PageBody>
        <ProfileForm profile={profile} save={updateProfile.bind(null, id)} />
      </PageBody>
    </>
  )
}
