import { EditPerson } from '#components/leads/people/edit-person'
import type { FormAction } from '#components/ui/controls/action-form'
import { Link } from '#components/ui/controls/link'
import { Panel } from '#components/ui/layout/panel'
import type { OnePerson } from '#lib/contracts/leads/people'
import { addressOfProfile } from '#lib/domain/social/profile-address'

const FACTS = [
  ['email', 'Address'],
  ['profile', 'Profile'],
  ['title', 'Title'],
  ['company', 'Company'],
  ['country', 'Country'],
  ['phone', 'Phone'],
] as const

/** The profile's URL rather than its normalized key. */
const shownProfile = (profile: string | null) => profile && (addressOfProfile(profile) ?? profile)

/** What is known about a person. */
export function PersonFacts({ person, edit }: { person: OnePerson; edit: FormAction }) {
  const facts = FACTS.flatMap(([key, label]) => {
    const value = key === 'profile' ? shownProfile(person.profile) : person[key]
    return value ? [{ key, label, value }] : []
  })
  return (
    <Panel title="Details" action={<EditPerson person={person} edit={edit} />}>
      <dl className="grid gap-1.5 text-sm">
        {facts.map(({ key, label, value }) => (
          <div key={key} className="flex justify-between gap-3">
            <dt className="text-muted">{label}</dt>
            <dd className="min-w-0 text-right wrap-anywhere">
              {key === 'company' && person.company_id ? (
                <Link
                  className="rounded-xs text-accent-text underline"
                  href={`/companies/${person.company_id}`}
                >
                  {value}
                </Link>
              ) : (
                value
              )}
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-sm text-muted">Taken from the newest list until somebody edits them.</p>
    </Panel>
  )
}
