import { type Mutant, one, told } from '#tests/simulation/mutant'

const MIGRATION = 'prisma/migrations/20261121000000_init/migration.sql'
const LOAD = 'lib/services/sending/load.ts'
const MAILBOXES = 'lib/services/senders/mailbox-rows.ts'
const STATE = 'lib/services/campaigns/state.ts'
const WRITE = 'lib/services/sending/write.ts'
const CLAIM = 'lib/services/sending/claim.ts'
const WAITING = 'lib/services/sending/waiting-leads.ts'

/** What a claim locks, reads and writes, and when it is made. */
export const CLAIM_MUTANTS: Mutant[] = [
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
    `.status IN ('active', 'draining') AND \${alias}.next_slot_at <= $1`,
    `.status IN ('active', 'draining', 'paused') AND coalesce(\${alias}.next_slot_at, $1) <= $1`,
  ),
  one(
    'a campaign of a workspace is claimed while another worker is at its first',
    LOAD,
    'AND (SELECT o.campaign_id = c.campaign_id FROM campaigns o',
    'AND (SELECT true FROM campaigns o',
  ),
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
    'the next slot is not moved',
    STATE,
    'UPDATE campaigns SET next_slot_at = $2,',
    'UPDATE campaigns SET next_slot_at = coalesce(next_slot_at, $2),',
  ),
  one(
    'a skipped step undoes the claim',
    WRITE,
    'planned_from: action.lead.next_step',
    'planned_from: action.step',
  ),
  one(
    'the campaign is not looked at when its next lead is due',
    STATE,
    'least(c.next_slot_at, m.at)',
    'greatest(c.next_slot_at, m.at)',
  ),
  told(
    'tests/jobs/sending/cost/claim-reads',
    'of a lane only those that are due are read',
    WAITING,
    'next_action_at > $7`, order',
    'next_action_at > $7 AND false`, order',
  ),
  told(
    'tests/jobs/sending/cost/claim-reads',
    'behind those of a lane that were read nobody is due',
    WAITING,
    'count >= caps.lane ? [key] : []',
    'count > caps.lane * 1_000 ? [key] : []',
  ),
  told(
    'tests/jobs/sending/cost/claim-reads',
    'who is due first of those who are not stands for those who are due and were not read',
    WAITING,
    'lead.due_at <= now || !full.has(toKey(lead))',
    'lead.due_at <= now || full.has(toKey(lead)) || !full.has(toKey(lead))',
  ),
  told(
    'tests/jobs/sending/cost/claim-reads',
    'a campaign with an interval never reads more, whoever is passed over',
    'lib/services/sending/run.ts',
    'wide = claim?.goes_on === true && claim.actions.length === 0',
    'wide = false',
  ),
]
