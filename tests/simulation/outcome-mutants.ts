import { type Mutant, one, social, told } from '#tests/simulation/mutant'

const MOVES = 'lib/domain/leads/lead-moves.ts'
const RECORD = 'lib/services/sending/record.ts'
const OUTCOME = 'lib/domain/sending/outcome.ts'
const CLAIM = 'lib/services/sending/claim.ts'

/** What happens to a lead after its step was offered, and after a reply. */
export const OUTCOME_MUTANTS: Mutant[] = [
  one(
    'a retry is a new message',
    CLAIM,
    'retries.get(action.lead.campaign_lead_id)',
    'new Map<string, never>().get(action.lead.campaign_lead_id)',
  ),
  one(
    'unknown is tried again',
    OUTCOME,
    "return { ...base, action: 'uncertain', ...goOn(offered), reason: result.response }",
    'return again(now + NEVER_LEFT_MS)',
  ),
  one(
    'unknown does not count as sent',
    OUTCOME,
    "return { ...base, action: 'uncertain',",
    "return { ...base, give_back: true, action: 'uncertain',",
  ),
  told(
    'tests/jobs/sending/dispatch.test',
    'refused for now is tried without end',
    OUTCOME,
    'if (offered.attempts < MAX_ATTEMPTS)',
    'if (offered.attempts < 5_000)',
  ),
  one(
    'the first follow-up ignores its delay',
    OUTCOME,
    'offered.performed_at, following.delay_days)',
    'offered.performed_at, 0)',
  ),
  one(
    'a lease is not waited for',
    'lib/services/sending/leases.ts',
    "WHERE status = 'sending' AND lease_until < $1",
    "WHERE status = 'sending' AND lease_until > $1",
  ),
  one(
    'a worker that slept offers what it had claimed',
    'lib/services/sending/run.ts',
    '() => hold.stands(now)',
    '() => true',
  ),
  one(
    'leases that ran out stand again once they are renewed',
    'lib/services/sending/leases.ts',
    'claimed > lapsedAt && ',
    '',
  ),
  social(
    'a worker that slept does on a network what it had claimed',
    'lib/services/sending/social/offer-social.ts',
    "  if (!mayLeave()) return { outcome: 'never_left', response: TOO_LATE }\n",
    '',
  ),
  told(
    'tests/jobs/sending/slept-worker',
    'a mail that waited for a connection leaves however long that took',
    'lib/providers/mail/smtp.ts',
    'if (!mayLeave()) return',
    'if (!mayLeave) return',
  ),
  one(
    'what did not leave is not given back',
    'lib/services/sending/give-back.ts',
    'if (unused.length === 0) return',
    'if (unused.length >= 0) return',
  ),
  told(
    'tests/jobs/sending/dispatch-edges',
    'a bounce is listed only afterwards',
    RECORD,
    '.filter(({ means }) => means.suppress)',
    '.filter(({ means }) => means.suppress && means.give_back)',
  ),
  one(
    'a reply ends nobody who waits',
    MOVES,
    "answer: {\n    from: [...MAY_GO_ON, 'completed'],",
    "answer: {\n    from: ['completed', 'stopped'],",
  ),
  told(
    'tests/jobs/inbox/replied-elsewhere',
    'a claim does not ask who replied in another campaign',
    'lib/services/sending/waiting-leads.ts',
    "replied.email = l.email AND replied.status = 'replied'",
    "replied.email = l.email AND replied.status = 'replied' AND false",
  ),
  told(
    'tests/jobs/inbox/replied-elsewhere',
    'a reply ends those who wait in other campaigns only when they are claimed',
    'lib/services/inbox/effects.ts',
    'await endElsewhere(client, answered, now)',
    'await endElsewhere(client, answered.slice(answered.length), now)',
  ),
  {
    name: 'a reply ends nobody in another campaign',
    patches: [
      {
        file: 'lib/services/sending/waiting-leads.ts',
        find: "replied.email = l.email AND replied.status = 'replied'",
        replace: "replied.email = l.email AND replied.status = 'replied' AND false",
      },
      {
        file: 'lib/services/inbox/effects.ts',
        find: 'await endElsewhere(client, answered, now)',
        replace: 'await endElsewhere(client, answered.slice(answered.length), now)',
      },
    ],
  },
  told(
    'tests/api/leads/lead-stops',
    'a reply to a stopped lead is not kept',
    MOVES,
    "answer: {\n    from: [...MAY_GO_ON, 'completed'],",
    'answer: {\n    from: NOT_OVER,',
  ),
  told(
    'tests/api/leads/failed-leads',
    'a reply to a lead whose step failed is not kept',
    MOVES,
    "answer: {\n    from: [...MAY_GO_ON, 'completed'],",
    "answer: {\n    from: [...NOT_OVER, 'stopped'],",
  ),
  told(
    'tests/api/leads/failed-leads',
    'what a server accepted and sent back is tried again',
    'lib/domain/leads/failed-lead.ts',
    "if (last?.status !== 'failed') return 'handed_over'",
    "if (last === null) return 'handed_over'",
  ),
  one(
    'a stopped lead goes on where it stood, whatever was sent since',
    'lib/domain/leads/stopped-lead.ts',
    "if (step === null || step.status === 'retry')",
    "if (step === null || step.status !== 'sending')",
  ),
  told(
    'tests/jobs/sending/dispatch.test',
    'a lease that nears its end is not renewed',
    'lib/services/sending/leases.ts',
    'const RENEW_BELOW_MS = 20_000',
    'const RENEW_BELOW_MS = 0',
  ),
  told(
    'tests/jobs/campaigns/live-edits',
    'an edited delay is not applied',
    'lib/services/changes/waiting-leads.ts',
    'if (editsNextStep(before, after, reachedStep))',
    'if (reachedStep > 99)',
  ),
  told(
    'tests/jobs/campaigns/held-edits',
    'leads that are held pass an edit by',
    'lib/services/changes/waiting-leads.ts',
    '  await releaseLeads(toStatements(tx), campaign.campaign_id, now, null)\n',
    '',
  ),
  told(
    'tests/jobs/campaigns/held-edits',
    'an undo brings leads back whose rows are gone',
    'lib/services/leads/state/edits.ts',
    'AND EXISTS (SELECT 1 FROM dataset_rows r WHERE',
    'AND EXISTS (SELECT 1 FROM dataset_rows r WHERE true OR',
  ),
]
