import { type Mutant, one, told } from '#tests/simulation/mutant'

/** Leads that keep their own clocks. */
export const CLOCK_MUTANTS: Mutant[] = [
  one(
    'who keeps a clock of their own is written to in the hours of the campaign',
    'lib/domain/sending/clock-groups.ts',
    'compileSchedule({ ...rules, timezone, open_from: null, open_until: null })',
    'compileSchedule({ ...rules, open_from: null, open_until: null })',
  ),
  told(
    'tests/jobs/sending/lead-clocks',
    'new leads of clocks by which they are not due yet stand in front of the others',
    'lib/services/sending/waiting-leads.ts',
    "first: 'q.timezone <> ALL ($8::text[]),'",
    "first: 'cardinality($8::text[]) < 0,'",
  ),
  told(
    'tests/jobs/sending/lead-clocks',
    'a delay counts days of the campaign’s clock once its step is recorded',
    'lib/services/sending/record.ts',
    'const timezone = action.timezone ?? campaign.timezone',
    'const timezone = campaign.timezone',
  ),
  told(
    'tests/jobs/sending/lead-clocks',
    'what did not leave by the clock of a lead is given back to the campaign’s windows',
    'lib/services/sending/give-back.ts',
    'windowAt(countingSchedule(campaign)',
    "windowAt(countingSchedule({ ...campaign, schedule_timezone: 'campaign' })",
  ),
  told(
    'tests/jobs/leads/lead-clock-edits',
    'who moves keeps the clock of their launch',
    'lib/services/leads/rows/readdress.ts',
    'for (const campaign of keeping) await readClocks(client, campaign, leadIndexes)',
    'for (const campaign of keeping) await readClocks(client, campaign, [])',
  ),
  told(
    'tests/jobs/leads/lead-clock-edits',
    'where a session finds somebody is, their leads do not follow',
    'lib/services/enrichment/round.ts',
    'await followClocks(client, keeping, moved, now)',
    'await followClocks(client, keeping, [], now)',
  ),
  told(
    'tests/jobs/campaigns/live-edits',
    'an edit of hours leaves what was counted by the old ones',
    'lib/services/changes/update.ts',
    'if (!countsAlike(before, after)) await recountDays(toStatements(tx), before, after, now)',
    '',
  ),
  told(
    'tests/jobs/campaigns/live-edits',
    'an edit of hours gives back the places of what came back',
    'lib/services/campaigns/days/counted-days.ts',
    'if (rest > 0 && span && span.opens_at >= since)',
    'if (rest > 99 && span && span.opens_at >= since)',
  ),
  told(
    'tests/jobs/campaigns/zone-change',
    'a workspace that moves leaves what its senders did on the old dates',
    'lib/services/workspaces/account.ts',
    'await redateSenders(toStatements(tx), change, now)',
    '',
  ),
  told(
    'tests/jobs/launch/enrolment',
    'a launch does not hold its campaign',
    'lib/services/launch/enrolment.ts',
    "'SELECT 1 FROM campaigns WHERE campaign_id = $1 FOR KEY SHARE'",
    "'SELECT 1 FROM campaigns WHERE campaign_id = $1'",
  ),
  told(
    'tests/jobs/inbox/answers-by-hand',
    'an answer from the inbox leaves its lead under way',
    'lib/services/inbox/reply.ts',
    'await onWrittenInInbox(toStatements(tx), thread, written, now)',
    '',
  ),
]
