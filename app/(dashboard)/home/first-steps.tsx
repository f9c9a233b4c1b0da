import { isClosed, SendNow } from '#components/campaigns/send-now'
import { startWords } from '#components/campaigns/start-words'
import type { FirstStep } from '#components/home/first-steps'
import { ActionButton } from '#components/ui/controls/action-button'
import { ChangingLink } from '#components/ui/controls/changing-link'
import { Link } from '#components/ui/controls/link'
import { LinkButton } from '#components/ui/controls/link-button'
import { type Lock, LockProvider } from '#components/ui/controls/lock'
import type { Explanation } from '#lib/contracts/campaigns/explanations'
import type { readHome } from '#lib/services/campaigns/home'
import { hasSandbox } from '#lib/services/senders/sandbox'
import { sendNowOnce } from '../campaigns/actions.ts'
import { connectSandboxMailbox } from '../mailboxes/actions.ts'
import { SampleButton } from '../samples/sample-button.tsx'

type Home = Awaited<ReturnType<typeof readHome>>

const importLeads = (steps: Home['first_steps']): FirstStep => ({
  title: 'Import leads',
  href: steps.has_leads ? '/datasets' : '/datasets/import',
  hint: steps.is_importing
    ? 'Reading the rows. This takes a few seconds.'
    : 'Any spreadsheet works, or start with 100 made-up people.',
  isDone: steps.has_leads,
  act: !steps.is_importing && (
    <>
      <ChangingLink variant="primary" href="/datasets/import">
        Import a spreadsheet
      </ChangingLink>
      <SampleButton kind="leads" />
    </>
  ),
})

const connectMailbox = (
  steps: Home['first_steps'],
  senderLock: Lock | null,
  isSandboxOnly: boolean,
): FirstStep => ({
  title: 'Connect a mailbox',
  href: steps.has_mailbox ? '/mailboxes' : '/mailboxes/new',
  hint: 'Campaigns send from it. With the sandbox mailbox, nothing leaves this machine.',
  isDone: steps.has_mailbox,
  doneHint: isSandboxOnly && (
    <>
      A sandbox mailbox. Its emails stay on this server.{' '}
      <Link href="/mailboxes/new" className="rounded-xs text-accent-text hover:underline">
        Connect your own
      </Link>
    </>
  ),
  act: (
    <LockProvider lock={senderLock}>
      {hasSandbox() && (
        <ActionButton variant="primary" act={connectSandboxMailbox}>
          Use the sandbox mailbox
        </ActionButton>
      )}
      <ChangingLink href="/mailboxes/new">Connect your own</ChangingLink>
    </LockProvider>
  ),
})

/**
 * The steps to a first campaign, each with its shortest way; `senderLock` is set for users who may not
 * connect mailboxes.
 */
export function listFirstSteps(
  steps: Home['first_steps'],
  draft: Home['draft'],
  senderLock: Lock | null,
  isSandboxOnly: boolean,
): FirstStep[] {
  const campaign = draft ? `/campaigns/${draft.campaign_id}` : '/campaigns'
  return [
    connectMailbox(steps, senderLock, isSandboxOnly),
    importLeads(steps),
    {
      title: 'Create a campaign',
      href: steps.has_campaign ? '/campaigns' : '/campaigns/new',
      hint: 'All you need is a name and a list.',
      isDone: steps.has_campaign,
      act: (
        <ChangingLink variant="primary" href="/campaigns/new">
          New campaign
        </ChangingLink>
      ),
    },
    {
      title: 'Write its steps',
      href: draft ? `${campaign}/sequence` : campaign,
      hint: 'See each text exactly as a lead will.',
      isDone: steps.has_sequence,
      act: (
        <LinkButton variant="primary" href={draft ? `${campaign}/sequence` : campaign}>
          Write the sequence
        </LinkButton>
      ),
    },
    {
      title: 'Review and launch',
      href: draft ? `${campaign}/review` : campaign,
      hint: 'You see what blocks the launch before anything is sent.',
      isDone: steps.has_launched,
      act: (
        <LinkButton variant="primary" href={draft ? `${campaign}/review` : campaign}>
          Review &amp; launch
        </LinkButton>
      ),
    },
  ]
}

/** The steps after a launch: the first send, a reply, and the user's answer. */
export function listNextSteps(
  next: NonNullable<Home['next_steps']>,
  now: number,
  why: Explanation | undefined,
): FirstStep[] {
  const { campaign, sandbox_message_id, thread_id } = next
  const { campaign_id, timezone, sent_count, next_slot_at } = campaign
  const hasReply = thread_id !== null
  const mail = sandbox_message_id ? `/sandbox/mail/${sandbox_message_id}` : '/sandbox/mail'
  const sent = hasSandbox() ? mail : `/campaigns/${campaign_id}/leads`
  const inbox = thread_id ? `/inbox/${thread_id}` : '/inbox'
  const isWaiting = sent_count === 0
  const seeSent: FirstStep = {
    title: 'See what was sent',
    href: isWaiting ? `/campaigns/${campaign_id}` : sent,
    hint: isWaiting ? firstMail(next_slot_at, now, timezone) : 'See it as the recipient does.',
    isDone: hasReply,
    act:
      isWaiting && isClosed(campaign, why) ? (
        <SendNow variant="primary" campaign={campaign} act={sendNowOnce.bind(null, campaign_id)} />
      ) : (
        <LinkButton variant="primary" href={isWaiting ? `/campaigns/${campaign_id}` : sent}>
          {isWaiting ? 'See the campaign' : hasSandbox() ? 'Open an email' : 'See the leads'}
        </LinkButton>
      ),
  }
  const answerAsLead: FirstStep = {
    title: 'Answer as a lead',
    href: mail,
    hint: 'Press “Reply” below the email. It arrives as if the recipient had written it.',
    isDone: hasReply,
    act: (
      <LinkButton variant="primary" href={mail}>
        Open an email
      </LinkButton>
    ),
  }
  const readIt: FirstStep = {
    title: 'Read it in your inbox, and reply',
    href: inbox,
    hint: hasReply ? 'The lead gets no more steps.' : 'A reply stops the lead’s remaining steps.',
    isDone: false,
    act: (
      <LinkButton variant="primary" href={inbox}>
        Open the reply
      </LinkButton>
    ),
  }
  return hasSandbox() ? [seeSent, answerAsLead, readIt] : [seeSent, readIt]
}

function firstMail(at: Date | null, now: number, zone: string): string {
  if (!at) return 'The leads are being enrolled.'
  const starts = startWords(at.toISOString(), now, zone)
  return starts ? `It starts ${starts}.` : 'The first email is going out now.'
}
