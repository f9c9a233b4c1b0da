import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageHeader } from '#components/ui/layout/page-header'
import type { OnePerson } from '#lib/contracts/leads/people'
import { personAddress, personName } from '#lib/domain/leads/person-name'

/** The person's name and job. */
export function PersonHeader({ person }: { person: OnePerson }) {
  const { title, company } = person
  return (
    <PageHeader
      above={<Breadcrumbs items={[{ href: '/people', label: 'People' }]} />}
      title={personName(person)}
      description={[title, company].filter(Boolean).join(' · ') || personAddress(person)}
    />
  )
}
