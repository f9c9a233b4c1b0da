import { Link } from '#components/ui/controls/link'
import { StatusPill } from '#components/ui/feedback/status-pill'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import type { MailOrganization } from '#lib/contracts/senders/mail-organizations'
import { ORGANIZATION_LABELS } from './organization-setup.tsx'

export function OrganizationStatus({ failing_cause }: Pick<MailOrganization, 'failing_cause'>) {
  return failing_cause ? (
    <StatusPill tone="danger" mark="cross" label="Refused" />
  ) : (
    <StatusPill tone="success" mark="check" label="Connected" />
  )
}

/** Connected organizations, with the number of their mailboxes here. */
export function OrganizationList({ organizations }: { organizations: MailOrganization[] }) {
  return (
    <Panel flush title="Organizations" className="max-w-4xl">
      <Table caption="Connected organizations">
        <thead>
          <tr>
            <Th>Name</Th>
            <Th>At</Th>
            <Th>Status</Th>
            <Th numeric>Mailboxes</Th>
          </tr>
        </thead>
        <tbody>
          {organizations.map((organization) => (
            <Tr key={organization.organization_id}>
              <Td lead className="wrap-anywhere">
                <Link
                  className="hover:underline"
                  data-row-link
                  href={`/mailboxes/organizations/${organization.organization_id}`}
                >
                  {organization.name}
                </Link>
              </Td>
              <Td label="At">{ORGANIZATION_LABELS[organization.vendor]}</Td>
              <Td label="Status">
                <OrganizationStatus failing_cause={organization.failing_cause} />
              </Td>
              <Td label="Mailboxes" numeric>
                {organization.mailboxes}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  )
}
