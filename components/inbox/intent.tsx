import { ActionButton } from '#components/ui/controls/action-button'
import { Badge } from '#components/ui/feedback/badge'
import { Tooltip } from '#components/ui/overlays/tooltip'
import type { Act } from '#components/ui/use-action'
import type { InboxThread } from '#lib/contracts/inbox/inbox'
import { INTENT_LOOKS } from './looks.tsx'

const SOURCES = {
  rules: 'Detected from the words of the reply',
  model: 'Detected by the language model, from these words of the reply',
  person: 'Set by a person',
} as const

const BY = { rules: 'Detected by rules', model: 'Detected by AI', person: 'Set by a person' } as const

/** Whether the message kind already says the same as the intent. */
const isSaid = ({ intent, last_kind }: InboxThread) =>
  (intent === 'absence' && last_kind === 'automatic_reply') ||
  (intent === 'stop' && last_kind === 'unsubscribe')

/** For a list row, which is a link: the quoted words are in a tooltip and in the accessible text. */
export function IntentBadge({ thread }: { thread: InboxThread }) {
  const { intent, intent_evidence } = thread
  if (!intent || isSaid(thread)) return null
  const { tone, label } = INTENT_LOOKS[intent]
  return (
    <span title={intent_evidence ?? undefined}>
      <Badge tone={tone}>{label}</Badge>
      {intent_evidence && <span className="sr-only">: “{intent_evidence}”</span>}
    </span>
  )
}

/**
 * The detected intent, the words that show it, and the person they refer to. Referred people are never
 * contacted automatically.
 */
export function IntentNote({ thread, addReferral }: { thread: InboxThread; addReferral: Act | null }) {
  const { intent, intent_by, intent_evidence, intent_until, referral_name, referral_email } = thread
  if (!intent) return null
  const { tone, label } = INTENT_LOOKS[intent]
  const referral = [referral_name, referral_email].filter(Boolean).join(', ')
  return (
    <section aria-label="Intent" className="grid gap-1.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <Badge tone={tone}>{label}</Badge>
        {intent_until && <p>From {intent_until} on</p>}
        {intent_evidence && <p className="min-w-0 wrap-anywhere text-muted">“{intent_evidence}”</p>}
        {intent_by && (
          <span className="ml-auto text-xs text-muted">
            <Tooltip text={`${SOURCES[intent_by]}. Press 1 to 9 to correct it.`}>{BY[intent_by]}</Tooltip>
          </span>
        )}
      </div>
      {referral && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <p className="wrap-anywhere">Refers to {referral}</p>
          {addReferral && (
            <ActionButton size="sm" act={addReferral}>
              Add as a lead
            </ActionButton>
          )}
        </div>
      )}
    </section>
  )
}
