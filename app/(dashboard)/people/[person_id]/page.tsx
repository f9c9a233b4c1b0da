import type { Metadata } from 'next'
import { permanentRedirect } from 'next/navigation'
import { z } from 'zod'
import { AbsenceNote } from '#components/inbox/absence-note'
import { PersonCampaigns } from '#components/leads/people/person-campaigns'
import { PersonConsents } from '#components/leads/people/person-consents'
import { PersonFacts } from '#components/leads/people/person-facts'
import { PersonHeader } from '#components/leads/people/person-header'
import { PersonTags } from '#components/leads/people/person-tags'
import { PersonTimeline } from '#components/leads/people/person-timeline'
import { SamePerson } from '#components/leads/people/same-person'
import { Callout } from '#components/ui/feedback/callout'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { PageBody } from '#components/ui/layout/page-header'
import { Panel } from '#components/ui/layout/panel'
import { optionalText } from '#lib/contracts/fields'
import { PersonHold } from '#lib/contracts/leads/lead-holds'
import { ListPeople, type OnePerson, ReadPerson } from '#lib/contracts/leads/people'
import { requireUser } from '#lib/http/session'
import { findHold } from '#lib/services/leads/holds'
import { listPeople } from '#lib/services/leads/people/list'
import { readPerson } from '#lib/services/leads/people/person'
import { findPersonSuppression } from '#lib/services/leads/suppression-reach'
import { workspaceTimezone } from '#lib/services/workspaces/users'
import { orNotFound, parseParams, parseQuery } from '../../../page-input.ts'
import { addTag, editPerson, keepTags, mergePerson, splitPerson } from '../actions.ts'

export const metadata: Metadata = { title: 'Person' }

const Searched = z.object({ other: optionalText(320) })
const MOST_CANDIDATES = 6

export default async function PersonPage({ params, searchParams }: PageProps<'/people/[person_id]'>) {
  const { workspace_id } = await requireUser(ReadPerson)
  const { person_id } = parseParams(ReadPerson.params, await params)
  const { other } = parseQuery(Searched, await searchParams)
  const person = ReadPerson.response.parse(await orNotFound(readPerson(workspace_id, person_id)))
  // A merged person is shown at the URL of the surviving one.
  if (person.person_id !== person_id) permanentRedirect(`/people/${person.person_id}`)
  const [zone, candidates] = await Promise.all([
    workspaceTimezone(workspace_id),
    other ? findCandidates(workspace_id, person_id, other) : person.alike,
  ])
  const { version, tags } = person
  return (
    <>
      <PersonHeader person={person} />
      <PageBody>
        <Reached workspace_id={workspace_id} person={person} zone={zone} />
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <Panel title="Timeline" flush>
            {person.touches.length > 0 ? (
              <PersonTimeline touches={person.touches} zone={zone} />
            ) : (
              <EmptyState title="Nothing sent to them yet" />
            )}
          </Panel>
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
            <PersonFacts person={person} edit={editPerson.bind(null, person_id)} />
            <PersonTags
              tags={tags}
              keep={keepTags.bind(null, person_id, version)}
              add={addTag.bind(null, person_id, version, tags)}
            />
            <PersonCampaigns leads={person.leads} />
            {person.consents.length > 0 && <PersonConsents consents={person.consents} zone={zone} />}
            <SamePerson
              person={person}
              other={other}
              candidates={candidates}
              merge={mergePerson.bind(null, person_id)}
              split={splitPerson.bind(null, person_id)}
            />
          </div>
        </div>
      </PageBody>
    </>
  )
}

async function findCandidates(workspaceId: string, personId: string, search: string) {
  const query = ListPeople.query.parse({ search, page_size: MOST_CANDIDATES })
  const { items } = ListPeople.response.parse(await listPeople(workspaceId, query, new Date()))
  return items.filter(({ person_id }) => person_id !== personId)
}

type ReachedProps = { workspace_id: string; person: OnePerson; zone: string }

/** What prevents campaigns from contacting the person: a hold or a suppression. */
async function Reached({ workspace_id, person, zone }: ReachedProps) {
  const { email } = person
  const [hold, suppression] = await Promise.all([
    email && findHold(workspace_id, email, new Date()),
    findPersonSuppression(workspace_id, person),
  ])
  return (
    <>
      {hold && <AbsenceNote absence={PersonHold.parse(hold)} zone={zone} release={null} addDeputy={null} />}
      {suppression && (
        <Callout tone="warning">No campaign contacts them: {suppression.value} is suppressed.</Callout>
      )}
    </>
  )
}
