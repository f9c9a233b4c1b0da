import type { ReactNode } from 'react'
import { ActionButton } from '#components/ui/controls/action-button'
import { Link } from '#components/ui/controls/link'
import { Callout } from '#components/ui/feedback/callout'
import type { Act } from '#components/ui/use-action'
import type { TimelineEvent } from '#lib/contracts/leads/lead-timelines'
import { lacksFields } from '#lib/domain/messages/missing-fields'
import { reasonWords } from './lead-words.tsx'

const RECOVERED = new Set(['sent', 'taken_back', 'tried_again'])

type Words = { title: string; fix: ReactNode }
type Props = { events: TimelineEvent[]; campaignId: string; retry: Act }

/** A failed action was never sent; a message that bounced later was sent, and stays so. */
const neverLeft = ({ kind, detail }: TimelineEvent) => kind === 'failed' && 'action_id' in detail

/** What went wrong with a lead and what can be done about it; renders nothing if all went well. */
export function LeadProblem({ events, campaignId, retry }: Props) {
  const past = events.filter(({ kind }) => kind !== 'planned')
  const problem = past.findLast(({ kind }) => kind in PROBLEMS)
  const words = problem && PROBLEMS[problem.kind]?.(problem.reason ?? '', campaignId)
  const mayRetry = problem !== undefined && neverLeft(problem)
  // A refusal followed by a send, or a stop that was undone, is no current problem.
  if (!words || past.slice(past.indexOf(problem) + 1).some(({ kind }) => RECOVERED.has(kind))) return null
  return (
    <Callout
      tone={problem.kind === 'failed' || problem.kind === 'bounced' ? 'danger' : 'warning'}
      title={words.title}
      action={
        mayRetry && (
          <ActionButton size="sm" act={retry}>
            Try again
          </ActionButton>
        )
      }
    >
      {problem.reason && problem.kind !== 'stopped' && (
        <p className="wrap-anywhere">{reasonWords(problem)}</p>
      )}
      <p className="mt-1">
        {problem.kind === 'failed' && !mayRetry
          ? 'Nothing more is sent to this lead. Its message was accepted and then returned, so it is not sent again.'
          : words.fix}
      </p>
    </Callout>
  )
}

const suppressions = <Link href="/suppressions">your suppressions</Link>

const PROBLEMS: Record<string, (reason: string, campaignId: string) => Words> = {
  bounced: () => ({
    title: 'The email bounced',
    fix: (
      <>
        The address is suppressed now, so no campaign writes to it again. If you have a corrected address,
        import the person again. If their server made a mistake, remove the address from {suppressions}.
      </>
    ),
  }),
  failed: (reason, campaignId) => ({
    title: 'A step could not be performed',
    fix: lacksFields(reason) ? (
      'Nothing more is sent to this lead for now. Fill in the cell in its dataset, then try again. Other leads continue.'
    ) : (
      <>
        Nothing more is sent to this lead for now. Check the step in the{' '}
        <Link href={`/campaigns/${campaignId}/sequence`}>sequence</Link> and its sender in{' '}
        <Link href="/mailboxes">mailboxes</Link>, then try again. Other leads continue.
      </>
    ),
  }),
  uncertain: (_, campaignId) => ({
    title: 'Unclear whether it was sent',
    fix: (
      <>
        It is never sent again automatically. Resolve it under{' '}
        <Link href={`/campaigns/${campaignId}/uncertain`}>Uncertain</Link>.
      </>
    ),
  }),
  retry: () => ({
    title: 'Refused for now',
    fix: 'It is retried automatically at the next action. There is nothing to do.',
  }),
  held: (_, campaignId) => ({
    title: 'Held back',
    fix: (
      <>
        It is sent once the held text is approved: see{' '}
        <Link href={`/campaigns/${campaignId}`}>the campaign’s overview</Link>.
      </>
    ),
  }),
  unsubscribed: () => ({
    title: 'Asked not to be contacted',
    fix: <>Nothing to fix: the request is kept in {suppressions}.</>,
  }),
  stopped: (reason) => ({
    title: reason === 'written_by_hand' ? 'A message was sent manually' : 'Stopped manually',
    fix: 'It gets nothing more from this campaign. You can undo this in the list of leads.',
  }),
  skipped: (reason) => ({
    title: 'Skipped',
    fix: reason.startsWith('suppressed') ? (
      <>The address or its domain is in {suppressions}.</>
    ) : (
      'Its condition was not met, or its row is missing data that the step needs.'
    ),
  }),
}
