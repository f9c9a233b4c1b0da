import type { FirstStep } from '#components/home/first-steps'
import { ActionButton } from '#components/ui/controls/action-button'
import { ChangingLink } from '#components/ui/controls/changing-link'
import { LinkButton } from '#components/ui/controls/link-button'
import type { readHome } from '#lib/services/campaigns/home'
import { hasSandbox } from '#lib/services/senders/sandbox'
import { connectSandboxMailbox } from '../mailboxes/actions.ts'
import { SampleButton } from '../samples/sample-button.tsx'

type Home = Awaited<ReturnType<typeof readHome>>

/** The steps to a first campaign, each with the shortest way to do it. */
export function listFirstSteps(steps: Home['first_steps'], draft: Home['draft']): FirstStep[] {
  const campaign = draft ? `/campaigns/${draft.campaign_id}` : '/campaigns'
  return [
    {
      title: 'Connect a mailbox',
      hint: 'Campaigns send from it. With the sandbox mailbox nothing leaves this machine.',
      isDone: steps.has_mailbox,
      act: (
        <>
          {hasSandbox() && (
            <ActionButton variant="primary" act={connectSandboxMailbox}>
              Use the sandbox mailbox
            </ActionButton>
          )}
          <ChangingLink href="/mailboxes/new">Connect your own</ChangingLink>
        </>
      ),
    },
    {
      title: 'Import leads',
      hint: steps.is_importing
        ? 'The rows are being read. This takes some seconds.'
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
    },
    {
      title: 'Create a campaign',
      hint: 'A name and a list are enough to begin.',
      isDone: steps.has_campaign,
      act: (
        <ChangingLink variant="primary" href="/campaigns/new">
          New campaign
        </ChangingLink>
      ),
    },
    {
      title: 'Write its steps',
      hint: 'See each text as a real lead will read it.',
      isDone: steps.has_sequence,
      act: (
        <LinkButton variant="primary" href={draft ? `${campaign}/sequence` : campaign}>
          Write the sequence
        </LinkButton>
      ),
    },
    {
      title: 'Review and launch',
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
