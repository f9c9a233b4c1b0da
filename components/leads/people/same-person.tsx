import { ActionButton } from '#components/ui/controls/action-button'
import type { FormResult } from '#components/ui/controls/action-form'
import { SearchInput } from '#components/ui/controls/search-input'
import { Panel } from '#components/ui/layout/panel'
import type { OnePerson, Person } from '#lib/contracts/leads/people'
import { personAddress, personName } from '#lib/domain/leads/person-name'

type Props = {
  person: OnePerson
  /** The search text and the people it found; without a search, the people who may be the same. */
  other: string | undefined
  candidates: Person[]
  merge: (from: string) => Promise<FormResult>
  split: (part: string) => Promise<FormResult>
}

/** People merged into this one, and candidates for merging. */
export function SamePerson({ person, other, candidates, merge, split }: Props) {
  const merged = person.identities
    .filter(({ person_id }) => person_id !== person.person_id)
    .map(({ telephone, ...part }) => ({ ...part, phone: telephone }))
  return (
    <Panel
      title="Same person"
      description="Merge addresses, profiles or phone numbers that belong to one person."
    >
      <div className="grid gap-3 text-sm">
        {merged.map((part) => (
          <Line key={part.person_id} said={personAddress(part)}>
            <ActionButton
              size="sm"
              aria-label={`Split ${personAddress(part)}`}
              act={split.bind(null, part.person_id)}
              confirm={{
                title: `Split ${personAddress(part)}?`,
                description: 'They become a separate person again, with their own leads.',
                label: 'Split',
              }}
            >
              Split
            </ActionButton>
          </Line>
        ))}
        <SearchInput
          path={`/people/${person.person_id}`}
          query={{ other }}
          name="other"
          label="Find the other person"
        />
        {!other && candidates.length > 0 && <p className="text-muted">May be the same person:</p>}
        {other && candidates.length === 0 && <p className="text-muted">Nobody else matches.</p>}
        {candidates.map((candidate) => (
          <Line
            key={candidate.person_id}
            said={`${personName(candidate)}${candidate.email ? `, ${candidate.email}` : ''}`}
          >
            <ActionButton
              size="sm"
              aria-label={`Merge ${personAddress(candidate)}`}
              act={merge.bind(null, candidate.person_id)}
              confirm={{
                title: `Merge ${personName(candidate)} into ${personName(person)}?`,
                description:
                  'Their leads, messages and replies move to this person. Messages that were sent do not change. Split undoes this.',
                label: 'Merge',
              }}
            >
              Merge
            </ActionButton>
          </Line>
        ))}
      </div>
    </Panel>
  )
}

const Line = ({ said, children }: { said: string; children: React.ReactNode }) => (
  <div className="flex items-center justify-between gap-3">
    <span className="min-w-0 wrap-anywhere">{said}</span>
    {children}
  </div>
)
