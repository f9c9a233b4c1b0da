import { ABSENCE_MUTANTS } from '#tests/simulation/absence-mutants'
import { CLOCK_MUTANTS } from '#tests/simulation/clock-mutants'
import { CONTACT_POLICY_MUTANTS } from '#tests/simulation/contact-policy-mutants'
import { MAIL_MUTANTS } from '#tests/simulation/mail-mutants'
import { type Mutant, one, social, told } from '#tests/simulation/mutant'
import { ROW_MUTANTS } from '#tests/simulation/row-mutants'
import { WORKSPACE_MUTANTS } from '#tests/simulation/workspace-mutants'

const MIGRATION = 'prisma/migrations/20261121000000_init/migration.sql'
const LOAD = 'lib/services/sending/load.ts'
const MAILBOXES = 'lib/services/senders/mailbox-rows.ts'
const STATE = 'lib/services/campaigns/state.ts'
const MOVES = 'lib/domain/leads/lead-moves.ts'
const WRITE = 'lib/services/sending/write.ts'
const RECORD = 'lib/services/sending/record.ts'
const OUTCOME = 'lib/domain/sending/outcome.ts'
const PACING = 'lib/domain/sending/pacing.ts'
const SENDERS = 'lib/domain/sending/sender-limits.ts'
const CLAIM = 'lib/services/sending/claim.ts'
const FAILING = 'lib/services/senders/sender-failures.ts'
const ACCOUNTS = 'lib/services/senders/accounts/account-rows.ts'

export const MUTANTS: Mutant[] = [
  one(
    'no unique key on (lead, step)',
    MIGRATION,
    'CREATE UNIQUE INDEX "actions_campaign_lead_id_step_key"',
    'CREATE INDEX "actions_campaign_lead_id_step_key"',
  ),
  one(
    'no trigger counts changed leads',
    MIGRATION,
    'CREATE TRIGGER count_changed_leads AFTER UPDATE ON "campaign_leads"\n  REFERENCING NEW TABLE AS new_rows OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_changed_leads();',
    '',
  ),
  one(
    'no trigger counts changed actions',
    MIGRATION,
    'CREATE TRIGGER count_changed_actions AFTER UPDATE ON "actions"\n  REFERENCING NEW TABLE AS new_rows OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_changed_actions();',
    '',
  ),
  one(
    'a claim without the lock of its campaign',
    LOAD,
    'LIMIT 1 FOR NO KEY UPDATE OF c SKIP LOCKED',
    'LIMIT 1',
  ),
  one(
    'a claim without the lock of its mailboxes',
    MAILBOXES,
    ' FOR NO KEY UPDATE OF m`, [campaign.workspace_id',
    '`, [campaign.workspace_id',
  ),
  one(
    'a paused campaign is claimed',
    LOAD,
    `WHERE c.status IN ('active', 'draining') AND c.next_slot_at <= $1`,
    `WHERE c.status IN ('active', 'draining', 'paused') AND coalesce(c.next_slot_at, $1) <= $1`,
  ),
  one(
    'a sender that cannot send is tried by each of its leads',
    SENDERS,
    'sender.failing?.next_try_at ?? Number.NEGATIVE_INFINITY',
    'Number.NEGATIVE_INFINITY',
  ),
  one(
    'a sender that may work again is tried with all it has',
    FAILING,
    'retry_ms: retryAfter(sender.failing.tries + 1)',
    'retry_ms: null',
  ),
  one(
    'each campaign tries a sender that cannot send for itself',
    CLAIM,
    'await noteTries(client, senders,',
    'if (senders.length > 99) await noteTries(client, senders,',
  ),
  one(
    'the tries of a sender that cannot send never come later',
    'lib/domain/sending/sender-failures.ts',
    'MINUTE_MS * 2 ** Math.max(0, Math.min(tries, 10) - 1)',
    'MINUTE_MS * 1 ** tries',
  ),
  one(
    'what the provider says of a sender is forgotten',
    RECORD,
    "'worker' in authority ? await noteSenders(client, written, now) : []",
    "'worker' in authority ? await noteSenders(client, [], now) : []",
  ),
  told(
    'tests/jobs/sending/sender-failures',
    'what is the sender’s costs the lead its place',
    OUTCOME,
    '{ ...again(offered.performed_at), is_no_try: true }',
    'again(now + NEVER_LEFT_MS)',
  ),
  social('an account that was signed out acts', ACCOUNTS, "AND a.status <> 'disconnected'", ''),
  one(
    'the list of suppressed addresses is not read',
    CLAIM,
    'waiting.filter((lead) => lead.suppressed || named.has(lead.campaign_lead_id))',
    'waiting.filter(() => false)',
  ),
  one(
    'a follow-up leaves though nobody read what came in',
    CLAIM,
    'const unread = fresh ? unreadMailboxes(composed, mailboxes, now) : []',
    'const unread = fresh && composed.length > 9999 ? unreadMailboxes(composed, mailboxes, now) : []',
  ),
  told(
    'tests/unit/sending/fresh-read',
    'a mailbox that takes a lead over is not read for it',
    'lib/services/sending/fresh-read.ts',
    "(lead.thread_message_id ? sender_id : '')",
    "''",
  ),
  one(
    'what was read an hour ago is fresh',
    'lib/domain/inbox/poll-cadence.ts',
    'FRESH_MS = 5 * MINUTE_MS',
    'FRESH_MS = 60 * MINUTE_MS',
  ),
  told(
    'tests/unit/sending/wake',
    'a bell that is lost is waited for',
    'lib/domain/sending/wake.ts',
    'armed_for >= now - LOST_MS',
    'armed_for > 0',
  ),
  told(
    'tests/jobs/instance/bells',
    'the sweep believes that bells are on their way',
    'lib/services/instance/sweep.ts',
    '{ anew: true }',
    '{ anew: false }',
  ),
  one(
    'a retry is a new message',
    CLAIM,
    'retries.get(action.lead.campaign_lead_id)',
    'new Map<string, never>().get(action.lead.campaign_lead_id)',
  ),
  one(
    'the next slot is not moved',
    STATE,
    'UPDATE campaigns SET next_slot_at = $2,',
    'UPDATE campaigns SET next_slot_at = coalesce(next_slot_at, $2),',
  ),
  one(
    'a slot is not counted for its mailbox',
    WRITE,
    'DO UPDATE SET used = d.used + excluded.used',
    'DO UPDATE SET used = d.used',
  ),
  one(
    'a skipped step undoes the claim',
    WRITE,
    'planned_from: action.lead.next_step',
    'planned_from: action.step',
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
    'days are 24 hours long',
    'lib/domain/calendar/zoned-time.ts',
    "return days === 0 ? at : toInstant(zone, toLocal(zone, at) + days * DAY_MS, 'first')",
    'return at + days * DAY_MS + 0 * zone.segments.length',
  ),
  one(
    'zones keep the offset of their winter',
    'lib/domain/calendar/zoned-time.ts',
    'offset: zoned.offsetNanoseconds / 1_000_000,',
    "offset: Temporal.Instant.from('2024-01-01T00:00Z').toZonedDateTimeISO(timezone).offsetNanoseconds / 1_000_000,",
  ),
  one(
    'every day is a send day',
    'lib/domain/calendar/schedule.ts',
    'return (schedule.on[toWeekday(day)] ?? false) &&',
    'return schedule.on[toWeekday(day)] !== undefined &&',
  ),
  one(
    'the daily limit is one too many',
    PACING,
    'pace.day_count >= pace.daily_limit',
    'pace.day_count > pace.daily_limit',
  ),
  one(
    'the jitter may shorten the interval',
    PACING,
    'return last_at + interval_ms + Math.floor(interval_ms * JITTER * fraction)',
    'return last_at + interval_ms - Math.floor(interval_ms * JITTER * fraction)',
  ),
  one(
    'the limit of a mailbox is ignored',
    SENDERS,
    'return Math.min(ceiling, ramp.start',
    'return Math.max(ceiling, ramp.start',
  ),
  one(
    'a mailbox that is held by its health goes by the calendar',
    MAILBOXES,
    'rampOfMailbox(row, ramps.get(row.mailbox_id), campaign.owner_timezone)',
    'rampOfMailbox(row, undefined, campaign.owner_timezone)',
  ),
  one(
    'what health allows is not kept',
    CLAIM,
    'await keepRampDays(client, campaign, mailboxes, now)',
    'await keepRampDays(client, campaign, [], now)',
  ),
  told(
    'tests/unit/sending/ramp-health',
    'a ramp that was held catches up afterwards',
    'lib/domain/sending/ramp-health.ts',
    'Math.min(today - 1, Math.max(previous.day, previous.rises_after))',
    'Math.min(today - 1, previous.day - 3)',
  ),
  one(
    'the interval of a mailbox is ignored',
    SENDERS,
    'Math.max(after, meter.last_at + meter.interval_ms, meter.not_before)',
    'Math.max(after, meter.last_at, meter.not_before)',
  ),
  one(
    'a lease is not waited for',
    'lib/services/sending/leases.ts',
    "WHERE status = 'sending' AND lease_until < $1",
    "WHERE status = 'sending' AND lease_until > $1",
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
    'the campaign is not looked at when its next lead is due',
    STATE,
    'least(c.next_slot_at, m.at)',
    'greatest(c.next_slot_at, m.at)',
  ),
  one(
    'a reply ends nobody who waits',
    MOVES,
    "answer: {\n    from: [...NOT_OVER, 'stopped'],",
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
    "answer: {\n    from: [...NOT_OVER, 'stopped'],",
    'answer: {\n    from: NOT_OVER,',
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
    'tests/api/senders/connected-accounts',
    'an account is forgotten while campaigns send from it',
    'lib/services/social/connected-accounts.ts',
    "throw new AppError('account_in_use', {",
    "new AppError('account_in_use', {",
  ),
  told(
    'tests/jobs/campaigns/live-edits',
    'an edited delay is not applied',
    'lib/services/changes/waiting-leads.ts',
    'if (reachedStep > 0 && next !==',
    'if (reachedStep > 99 && next !==',
  ),
  social(
    'the weekly cap of an account is ignored',
    SENDERS,
    'Math.min(total, daily, weekly)',
    'Math.min(total, daily, weekly + NO_CAP)',
  ),
  told(
    'tests/jobs/social/social-edges',
    'an account is claimed without its lock',
    ACCOUNTS,
    ' FOR NO KEY UPDATE OF a`, toParameters',
    '`, toParameters',
  ),
  social(
    'an account that was asked to rest goes on',
    ACCOUNTS,
    'not_before: row.rest_until?.getTime() ?? null',
    'not_before: null',
  ),
  social(
    'who is connected is not asked before the offer',
    'lib/domain/campaigns/social-step.ts',
    "condition === 'connected' && !isConnected",
    "condition === 'connected' && !isConnected && relation === ''",
  ),
  told(
    'tests/jobs/social/social-edges',
    'mails for connections go to people whom nobody asked about',
    'lib/domain/sending/dispatch-turns.ts',
    'connected: facts.connected ?? false',
    'connected: facts.connected ?? true',
  ),
  told(
    'tests/jobs/social/social-edges',
    'an answer in a chat ends nobody',
    'lib/services/inbox/social-messages.ts',
    "if (message.direction === 'in') {",
    "if (message.direction === 'in' && message.text === '') {",
  ),
  told(
    'tests/api/leads/lead-stops',
    'a lead that comes back waits for a mailbox that is no more',
    'lib/services/leads/sender-release.ts',
    'AND mailbox_id IS NOT NULL',
    'AND mailbox_id IS NULL',
  ),
  told(
    'tests/jobs/sending/dispatch-social',
    'who lacks an address is known in mixed campaigns only',
    LOAD,
    'out_of_reach: outOfReach([...leads.followUps, ...leads.newLeads]),',
    'out_of_reach: { email: new Set(), social: new Set() },',
  ),
  one(
    'a lead at Google goes to whichever mailbox has the most room',
    'lib/domain/sending/dispatch-turns.ts',
    'const fits = isMatch(provider_matching, meter.sender_id, lead)',
    'const fits = state.provider_matching === null && isMatch(null, meter.sender_id, lead)',
  ),
  ...CLOCK_MUTANTS,
  ...ROW_MUTANTS,
  ...MAIL_MUTANTS,
  ...WORKSPACE_MUTANTS,
  ...ABSENCE_MUTANTS,
  ...CONTACT_POLICY_MUTANTS,
]
