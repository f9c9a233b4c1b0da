import { Suspense } from 'react'
import { Contact, contactName } from '#components/inbox/contact/contact'
import { PersonHistory } from '#components/inbox/contact/person-history'
import { LeadPanel } from '#components/leads/lead-panel'
import { Skeleton } from '#components/ui/feedback/skeleton'
import { type Query, queryHref } from '#components/ui/query-href'
import type { InboxThreadDetail } from '#lib/contracts/inbox/inbox'
import { OnePerson, ReadPerson } from '#lib/contracts/leads/people'
import { roleRefusal } from '#lib/contracts/workspaces/roles'
import type { SignedIn } from '#lib/http/session'
import { findCampaignLead } from '#lib/services/leads/campaign-leads'
import { readPerson } from '#lib/services/leads/people/person'

type Props = { user: SignedIn; thread: InboxThreadDetail; zone: string }

/** History belongs to leads: other writers have none, and clients see nobody's. */
const hasHistory = ({ role }: SignedIn, { campaign_lead_id }: InboxThreadDetail) =>
  campaign_lead_id !== null && roleRefusal(role, ReadPerson) === null

/** Links that open and close the history over the conversation. */
export function personHrefs(user: SignedIn, thread: InboxThreadDetail, asked: Query) {
  const path = `/inbox/${thread.thread_id}`
  return {
    historyHref: hasHistory(user, thread) ? queryHref(path, asked, { panel: 'person' }) : null,
    closeHref: asked.panel === 'person' ? queryHref(path, asked, { panel: undefined }) : null,
  }
}

type PanesProps = Props & {
  /** Where closing leads, if the URL opens the history over the conversation. */
  closeHref: string | null
}

/** The person and earlier contacts: beside the conversation on wide screens, over it on request. */
export function PersonPanes({ closeHref, ...props }: PanesProps) {
  const { user, thread } = props
  const history = hasHistory(user, thread) && <PersonSide {...props} />
  return (
    <>
      <div className="max-2xl:hidden lg:max-h-full lg:overflow-y-auto">
        <Contact thread={thread}>{history}</Contact>
      </div>
      {closeHref && history && (
        <LeadPanel title={contactName(thread)} closeHref={closeHref}>
          {history}
        </LeadPanel>
      )}
    </>
  )
}

/** Streamed after the conversation, which does not wait for it. */
function PersonSide(props: Props) {
  return (
    <Suspense key={props.thread.thread_id} fallback={<HistorySkeleton />}>
      <LoadedSide {...props} />
    </Suspense>
  )
}

async function LoadedSide({ user: { workspace_id }, thread, zone }: Props) {
  const { thread_id, campaign_id, campaign_lead_id } = thread
  if (!campaign_id || !campaign_lead_id) return null
  const lead = await findCampaignLead(workspace_id, campaign_id, campaign_lead_id, new Date())
  if (!lead?.person_id) return <p className="text-sm text-muted">No other information about this person.</p>
  const person = OnePerson.parse(await readPerson(workspace_id, lead.person_id))
  return <PersonHistory person={person} thread_id={thread_id} zone={zone} />
}

const HistorySkeleton = () => (
  <div role="status" className="grid animate-[enter_1ms_200ms_backwards] gap-3">
    <span className="sr-only">Loading the history</span>
    {['a', 'b', 'c'].map((line) => (
      <div key={line} className="grid gap-1.5">
        <Skeleton className="h-4 w-32" />
        <Skeleton className="h-3 w-24" />
      </div>
    ))}
  </div>
)
