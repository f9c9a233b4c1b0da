import Link from 'next/link'
import { Panel } from '#components/ui/panel'
import type { InboxThreadDetail } from '#lib/contracts/inbox'

const FIELDS = { title: 'Title', company: 'Company', phone: 'Phone', website: 'Website', city: 'City' }

const nameOf = ({ counterpart_name, counterpart_address, lead }: InboxThreadDetail) =>
  counterpart_name ??
  ([lead?.data.first_name, lead?.data.last_name].filter(Boolean).join(' ') || counterpart_address)

/** Who it is, which step was answered, and what that stopped. */
export function Contact({ thread }: { thread: InboxThreadDetail }) {
  const { lead, campaign_id, campaign_lead_id, campaign_name, answers_step, steps_stopped } = thread
  return (
    <Panel title={nameOf(thread)}>
      <div className="grid gap-3 text-sm">
        <p className="wrap-anywhere">{thread.counterpart_address}</p>
        {lead && (
          <dl className="grid gap-1.5">
            {Object.entries(FIELDS).map(
              ([key, label]) =>
                lead.data[key] && (
                  <div key={key} className="flex justify-between gap-3">
                    <dt className="text-muted">{label}</dt>
                    <dd className="min-w-0 text-right wrap-anywhere">{String(lead.data[key])}</dd>
                  </div>
                ),
            )}
          </dl>
        )}
        {campaign_id && (
          <div className="grid gap-1 border-t border-border pt-3">
            <p>
              <Link className="text-accent-text underline" href={`/campaigns/${campaign_id}`}>
                {campaign_name}
              </Link>
            </p>
            {answers_step && <p>Answers step {answers_step}.</p>}
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
                  Every decision about this lead
                </Link>
              </p>
            )}
          </div>
        )}
      </div>
    </Panel>
  )
}
