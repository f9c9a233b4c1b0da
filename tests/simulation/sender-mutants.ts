import { type Mutant, one, told } from '#tests/simulation/mutant'

const MAILBOXES = 'lib/services/senders/mailbox-rows.ts'
const WRITE = 'lib/services/sending/write.ts'
const RECORD = 'lib/services/sending/record.ts'
const OUTCOME = 'lib/domain/sending/outcome.ts'
const SENDERS = 'lib/domain/sending/sender-limits.ts'
const CLAIM = 'lib/services/sending/claim.ts'
const FAILING = 'lib/services/senders/sender-failures.ts'

/** What mailboxes and accounts may send, and what happens to them when they cannot. */
export const SENDER_MUTANTS: Mutant[] = [
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
  one(
    'a slot is not counted for its mailbox',
    WRITE,
    'DO UPDATE SET used = d.used + excluded.used',
    'DO UPDATE SET used = d.used',
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
  told(
    'tests/api/senders/connected-accounts',
    'an account is forgotten while campaigns send from it',
    'lib/services/social/connected-accounts.ts',
    "throw new AppError('account_in_use', {",
    "new AppError('account_in_use', {",
  ),
  told(
    'tests/api/leads/lead-stops',
    'a lead that comes back waits for a mailbox that is no more',
    'lib/services/leads/state/gone-senders.ts',
    "const mailbox = { mailbox_id: 'NULL',",
    "const mailbox = { mailbox_id: 'l.mailbox_id',",
  ),
  one(
    'a lead at Google goes to whichever mailbox has the most room',
    'lib/domain/sending/sender-choice.ts',
    'const fits = isMatch(provider_matching, meter.sender_id, lead)',
    'const fits = state.provider_matching === null && isMatch(null, meter.sender_id, lead)',
  ),
]
