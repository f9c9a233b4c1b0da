import type { ReactNode } from 'react'
import { Link } from '#components/ui/controls/link'
import { Panel } from '#components/ui/layout/panel'
import type { InboxThreadDetail } from '#lib/contracts/inbox/inbox'

const FIELDS = { title: 'Title', company: 'Company', phone: 'Phone', website: 'Website', city: 'City' }

export const contactName = ({ counterpart_name, counterpart_address, lead }: InboxThreadDetail) =>
  counterpart_name ??
  ([lead?.data.first_name, lead?.data.last_name].filter(Boolean).join(' ') || counterpart_address)

const known = ({ lead }: InboxThreadDetail) =>
  Object.entries(FIELDS).flatMap(([key, label]) => {
    const value = lead?.data[key]
    return value ? [{ label, value: String(value) }] : []
  })

/** Beside the conversation: who the person is, which step they replied to, and what that stopped. */
export function Contact({ thread, children }: { thread: InboxThreadDetail; children?: ReactNode }) {
  const fields = known(thread)
  return (
    <Panel title={contactName(thread)}>
      <div className="grid gap-3 text-sm">
        <p className="wrap-anywhere">{thread.counterpart_address}</p>
        {fields.length > 0 && (
          <dl className="grid gap-1.5">
            {fields.map(({ label, value }) => (
              <div key={label} className="flex justify-between gap-3">
                <dt className="text-muted">{label}</dt>
                <dd className="min-w-0 text-right wrap-anywhere">{value}</dd>
              </div>
            ))}
          </dl>
        )}
        {thread.campaign_id && (
          <div className="grid gap-1 border-t border-border pt-3">
            <OfCampaign thread={thread} decisions="Full history of this lead" hasOwner />
          </div>
        )}
        {children && <div className="border-t border-border pt-3">{children}</div>}
      </div>
    </Panel>
  )
}

type LineProps = {
  thread: InboxThreadDetail
  /** Link that opens earlier contacts over the conversation; null if there are none. */
  historyHref: string | null
}

/** A short version, shown above the conversation. */
export function ContactLine({ thread, historyHref }: LineProps) {
  const name = contactName(thread)
  const rest = [
    ...(name === thread.counterpart_address ? [] : [thread.counterpart_address]),
    ...known(thread).map(({ value }) => value),
  ]
  return (
    <section aria-label="Contact" className="grid gap-1 2xl:hidden">
      <p className="wrap-anywhere text-muted">
        <span className="font-medium text-text">{name}</span>
        {rest.map((value) => ` · ${value}`)}
      </p>
      {thread.campaign_id && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <OfCampaign thread={thread} decisions="Decisions" />
          {historyHref && (
            <Link className="text-accent-text underline" href={historyHref} scroll={false} prefetch={false}>
              History
            </Link>
          )}
        </div>
      )}
    </section>
  )
}

type OfCampaignProps = { thread: InboxThreadDetail; decisions: string; hasOwner?: boolean }

function OfCampaign({ thread, decisions, hasOwner = false }: OfCampaignProps) {
  const { campaign_id, campaign_lead_id, campaign_name, owner_name, answers_step, steps_stopped } = thread
  return (
    <>
      <p>
        <Link className="text-accent-text underline" href={`/campaigns/${campaign_id}`}>
          {campaign_name}
        </Link>
        {hasOwner && owner_name && <span className="text-muted"> · Owner: {owner_name}</span>}
      </p>
      {answers_step && <p>Reply to step {answers_step}.</p>}
      {steps_stopped.length > 0 && (
        <p>
          Stopped {steps_stopped.length === 1 ? 'step' : 'steps'} {steps_stopped.join(', ')}.
        </p>
      )}
      {campaign_lead_id && (
        <p>
          <Link
            className="text-accent-text underline"
            href={`/campaigns/${campaign_id}/leads?lead=${campaign_lead_id}`}
          >
            {decisions}
          </Link>
        </p>
      )}
    </>
  )
}
