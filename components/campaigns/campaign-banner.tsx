import { LinkButton } from '#components/ui/controls/link-button'
import { Callout } from '#components/ui/feedback/callout'
import type { Campaign } from '#lib/contracts/campaigns/campaign'
import type { Explanation } from '#lib/contracts/campaigns/explanations'
import { PAUSES, type PauseReason } from '#lib/domain/campaigns/pause-reasons'

/** The page that helps with an automatic pause; a pause by the owner needs none. */
const FIXES: Record<PauseReason, { href: (campaign_id: string) => string; label: string } | null> = {
  user: null,
  personalization_review_pending: { href: () => '/personalize', label: 'Review the texts' },
  bounce_rate: { href: (id) => `/campaigns/${id}/leads?status=bounced`, label: 'See the bounced leads' },
  complaint_rate: { href: (id) => `/campaigns/${id}/results`, label: 'See the results' },
  sender_disconnected: { href: () => '/mailboxes', label: 'See the mailboxes' },
  restored: { href: (id) => `/campaigns/${id}/leads`, label: 'See the leads' },
}

/** A problem of a running campaign that needs a person, and where to fix it. */
function findRemedy(why: Explanation): { title: string; href: string; label: string } | null {
  if (why.code === 'texts_held')
    return { title: 'Leads are waiting for texts or files', href: '/personalize', label: 'Review the texts' }
  if (why.code !== 'sender_failing') return null
  const isAccount = why.params.channel === 'social'
  return {
    title: 'A sender cannot send',
    href: `/${isAccount ? 'accounts' : 'mailboxes'}/${why.params.sender_id}`,
    label: isAccount ? 'See the account' : 'Fix the connection',
  }
}

type Props = { campaign: Campaign; why?: Explanation | undefined }

/** Why the campaign is stopped, with a link to the fix; renders nothing if all is well. */
export function CampaignBanner({ campaign, why }: Props) {
  const { campaign_id, status, launch_error, paused_reason } = campaign
  if (launch_error && (status === 'failed' || status === 'draft'))
    return (
      <Callout
        tone="danger"
        title={status === 'failed' ? 'The launch failed' : 'The launch was cancelled'}
        action={
          <LinkButton size="sm" href={`/campaigns/${campaign_id}/review`}>
            Review it again
          </LinkButton>
        }
      >
        {launch_error}
      </Callout>
    )
  const remedy = why && findRemedy(why)
  if (why && remedy)
    return (
      <Callout
        tone="danger"
        title={remedy.title}
        action={
          <LinkButton size="sm" href={remedy.href}>
            {remedy.label}
          </LinkButton>
        }
      >
        {why.message}
        {why.params.error && <span className="block wrap-anywhere text-muted">{why.params.error}</span>}
      </Callout>
    )
  const fix = status === 'paused' && paused_reason ? FIXES[paused_reason] : null
  if (!fix || !paused_reason) return null
  const { cause, advice } = PAUSES[paused_reason]
  return (
    <Callout
      tone="warning"
      title={`Paused automatically: ${cause}`}
      action={
        <LinkButton size="sm" href={fix.href(campaign_id)}>
          {fix.label}
        </LinkButton>
      }
    >
      {advice}
    </Callout>
  )
}
