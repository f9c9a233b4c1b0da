import type { Metadata } from 'next'
import { OrganizationFacts, OrganizationOutage } from '#components/senders/connect/organization-facts'
import { OrganizationStatus } from '#components/senders/connect/organization-list'
import { OrganizationMailboxes } from '#components/senders/connect/organization-mailboxes'
import { ORGANIZATION_LABELS } from '#components/senders/connect/organization-setup'
import { ActionButton } from '#components/ui/controls/action-button'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { MAX_ORGANIZATION_ROWS, ReadMailOrganization } from '#lib/contracts/senders/mail-organizations'
import { requireUser } from '#lib/http/session'
import { getOrganization } from '#lib/services/senders/grants/organizations/organizations'
import { orNotFound, parseParams } from '../../../../page-input.ts'
import { connectMailboxes, deleteOrganization, updateOrganization } from '../actions.ts'

export const metadata: Metadata = { title: 'Organization' }

const inMailboxes = (count: number) => (count === 1 ? '1 mailbox' : `${count} mailboxes`)

export default async function OrganizationPage({
  params,
}: PageProps<'/mailboxes/organizations/[organization_id]'>) {
  const user = await requireUser(ReadMailOrganization)
  const { organization_id } = parseParams(ReadMailOrganization.params, await params)
  const organization = await orNotFound(getOrganization(user.workspace_id, organization_id))
  const { vendor, name, mailboxes, failing_cause } = organization
  const now = new Date().toISOString()
  return (
    <>
      <PageHeader
        above={
          <Breadcrumbs
            items={[
              { href: '/mailboxes', label: 'Mailboxes' },
              { href: '/mailboxes/organizations', label: 'Organizations' },
            ]}
          />
        }
        title={name}
        status={<OrganizationStatus failing_cause={failing_cause} />}
        description={`${ORGANIZATION_LABELS[vendor]} · ${inMailboxes(mailboxes)} connected`}
        actions={
          <ActionButton
            act={deleteOrganization.bind(null, organization_id)}
            confirm={{
              title: `Remove ${name}?`,
              description: 'Its key is deleted. Remove the mailboxes connected through it first.',
              label: 'Remove',
              danger: true,
            }}
          >
            Remove
          </ActionButton>
        }
      />
      <PageBody>
        <OrganizationOutage organization={organization} now={now} />
        <OrganizationMailboxes
          most={MAX_ORGANIZATION_ROWS}
          connect={connectMailboxes.bind(null, organization_id)}
        />
        <OrganizationFacts
          organization={organization}
          save={updateOrganization.bind(null, vendor, organization_id)}
        />
      </PageBody>
    </>
  )
}
