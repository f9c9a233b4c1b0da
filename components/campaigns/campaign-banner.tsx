import { LinkButton } from '#components/ui/controls/link-button'
import { Callout } from '#components/ui/feedback/callout'
import type { Campaign } from '#lib/contracts/campaigns/campaigns'
import type { Explanation } from '#lib/contracts/campaigns/explanations'

type Fix = { title: string; text: string; href: (campaign_id: string) => string; label: string }

/** What the product paused by itself, and the page on which it is looked into; a pause of the owner's own needs none. */
const FIXES: Record<string, Fix> = {
  personalization_review_pending: {
    title: 'Waiting for a review of the personalised texts',
    text: 'Approve them, then resume.',
    href: () => '/personalize',
    label: 'Review the texts',
  },
  bounce_rate: {
    title: 'Paused automatically: too many addresses bounced',
    text: 'More bounces would harm the reputation of the domain. Look at which did before you resume.',
    href: (id) => `/campaigns/${id}/leads?status=bounced`,
    label: 'See the bounced leads',
  },
  complaint_rate: {
    title: 'Paused automatically: too many people complained',
    text: 'Look at what was sent to whom before you resume.',
    href: (id) => `/campaigns/${id}/results`,
    label: 'See the results',
  },
  sender_disconnected: {
    title: 'Paused automatically: no connected sender is left',
    text: 'Connect one again and test it, then resume.',
    href: () => '/mailboxes',
    label: 'See the mailboxes',
  },
  restored: {
    title: 'Paused when the instance was restored',
    text: 'What left after the backup is not known here; a resume may send it again.',
    href: (id) => `/campaigns/${id}/leads`,
    label: 'See the leads',
  },
}

/** What only a hand can mend of a campaign that runs, and where. */
function mendOf(why: Explanation): { title: string; href: string; label: string } | null {
  if (why.code === 'texts_held')
    return { title: 'Leads wait for their texts', href: '/personalize', label: 'Review the texts' }
  if (why.code !== 'sender_failing') return null
  const isAccount = why.params.channel === 'social'
  return {
    title: 'A sender cannot send',
    href: `/${isAccount ? 'accounts' : 'mailboxes'}/${why.params.sender_id}`,
    label: isAccount ? 'See the account' : 'Fix the connection',
  }
}

type Props = { campaign: Campaign; why?: Explanation | undefined }

/** Why the campaign stands still, with the page that mends it; nothing where all is well. */
export function CampaignBanner({ campaign, why }: Props) {
  const { campaign_id, status, launch_error, paused_reason } = campaign
  if (launch_error && (status === 'failed' || status === 'draft'))
    return (
      <Callout
        tone="danger"
        title={status === 'failed' ? 'The launch failed' : 'The launch was called off'}
        action={
          <LinkButton size="sm" href={`/campaigns/${campaign_id}/review`}>
            Review it again
          </LinkButton>
        }
      >
        {launch_error}
      </Callout>
    )
  const mend = why && mendOf(why)
  if (why && mend)
    return (
      <Callout
        tone="danger"
        title={mend.title}
        action={
          <LinkButton size="sm" href={mend.href}>
            {mend.label}
          </LinkButton>
        }
      >
        {why.message}
        {why.params.error && <span className="block wrap-anywhere text-muted">{why.params.error}</span>}
      </Callout>
    )
  const fix = status === 'paused' ? FIXES[paused_reason ?? ''] : undefined
  if (!fix) return null
  return (
    <Callout
      tone="warning"
      title={fix.title}
      action={
        <LinkButton size="sm" href={fix.href(campaign_id)}>
          {fix.label}
        </LinkButton>
      }
    >
      {fix.text}
    </Callout>
  )
}
