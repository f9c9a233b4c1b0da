import { type Mutant, one, told } from '#tests/simulation/mutant'

const HOLDS = 'tests/jobs/inbox/absence-holds'
const BRANCHES = 'tests/jobs/inbox/intent-rules'
const RULES = 'tests/unit/inbox/intent/intent-rules'
const LATER = 'tests/jobs/inbox/later-replies'

/** The rules for people who are away, each broken on purpose. */
export const ABSENCE_MUTANTS: Mutant[] = [
  one(
    'nobody asks who is away',
    'lib/services/sending/waiting-leads.ts',
    'away.until AS away_until',
    'NULL::timestamptz AS away_until',
  ),
  one(
    'who is away is back a day early',
    'lib/domain/sending/take-turn.ts',
    'const away = state.away?.get(lead) ?? at',
    'const away = (state.away?.get(lead) ?? at) - 86_400_000',
  ),
  one(
    'a lead that was put off is due at once again',
    'lib/services/leads/state/put-off.ts',
    "next_action_at: 'p.until',",
    "next_action_at: 'l.next_action_at',",
  ),
  one(
    'only leads that have begun are put off',
    'lib/domain/leads/lead-moves.ts',
    'put_off: { from: WAITING,',
    "put_off: { from: ['active'],",
  ),
  told(
    HOLDS,
    'a forecast asks whoever is away',
    'lib/services/forecast/input.ts',
    'awayLeads(reader, campaign.campaign_id, startsAt),',
    'awayLeads(reader, campaign.campaign_id, new Date(8.64e15)),',
  ),
  told(
    HOLDS,
    'a later notice moves no day',
    'lib/services/leads/absences.ts',
    'await movePutOffs(client, people)',
    'await movePutOffs(client, people.slice(people.length))',
  ),
  told(
    HOLDS,
    'until the last day is until its morning',
    'lib/domain/calendar/working-days.ts',
    'let day = parseDay(date) + 1',
    'let day = parseDay(date)',
  ),
  told(
    HOLDS,
    'a receipt holds its person',
    'lib/domain/inbox/absence/absence.ts',
    'if (!words && (!day',
    'if (!words && !plain && (!day',
  ),
  told(
    LATER,
    'who asks to be written to later is held where the workspace would rather end them',
    'lib/domain/inbox/intent/intent-rules.ts',
    "if (does !== 'hold') return END",
    "if (does !== 'hold' && !read.until) return END",
  ),
  told(
    LATER,
    'a later that was corrected goes on holding',
    'lib/services/inbox/intent/corrections.ts',
    'if (lead.is_held && !isHeld) await endHeld',
    'if (lead.is_held && !isHeld && !lead.email) await endHeld',
  ),
  told(
    LATER,
    'a later is written to the day before',
    'lib/services/inbox/intent/holds.ts',
    "lastDayAway({ day: until, says: 'back' })",
    "lastDayAway({ day: lastDayAway({ day: until, says: 'back' }), says: 'back' })",
  ),
  told(
    RULES,
    'a rule loosens a wish to hear no more',
    'lib/domain/inbox/intent/intent-rules.ts',
    'if (!read || !isRuled(read.intent)) return END',
    'if (!read) return END',
  ),
  told(
    BRANCHES,
    'a reply read before the branch keeps its campaign from writing',
    'lib/services/leads/enrolment-rule.ts',
    'b.asked_at >= ',
    'b.asked_at > ',
  ),
  told(
    BRANCHES,
    'a correction to a wish to hear no more suppresses nobody',
    'lib/services/inbox/intent/corrections.ts',
    "if (intent === 'stop') await onStop",
    "if (intent === 'bounce') await onStop",
  ),
]
