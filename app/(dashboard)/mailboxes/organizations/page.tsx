import type { Metadata } from 'next'
import { OrganizationList } from '#components/senders/connect/organization-list'
import { OrganizationSetup, OrganizationTiles } from '#components/senders/connect/organization-setup'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { ReadMailOrganizations } from '#lib/contracts/senders/mail-organizations'
import { requireUser } from '#lib/http/session'
import { listOrganizations } from '#lib/services/senders/grants/organizations/organizations'
import { connectOrganization } from './actions.ts'

export const metadata: Metadata = { title: 'Organizations' }

export default async function OrganizationsPage({ searchParams }: PageProps<'/mailboxes/organizations'>) {
  const user = await requireUser(ReadMailOrganizations)
  const { items, vendors } = ReadMailOrganizations.response.parse(await listOrganizations(user.workspace_id))
  const asked = await searchParams
  const setup = vendors.find(({ vendor }) => vendor === asked.with) ?? null
  return (
    <>
      <PageHeader
        above={<Breadcrumbs items={[{ href: '/mailboxes', label: 'Mailboxes' }]} />}
        title="Organizations"
        description="Connect Google Workspace or Microsoft 365 mailboxes without a sign-in for each."
      />
      <PageBody>
        {items.length > 0 && <OrganizationList organizations={items} />}
        <OrganizationTiles vendors={vendors} chosen={setup?.vendor ?? null} />
        {setup && (
          <OrganizationSetup
            // An error of one provider must not be shown for the next one.
            key={setup.vendor}
            setup={setup}
            connect={connectOrganization.bind(null, setup.vendor)}
          />
        )}
      </PageBody>
    </>
  )
}
