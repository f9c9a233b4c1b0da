import { type Mutant, one, told } from '#tests/simulation/mutant'

const HOLDS = 'tests/jobs/sending/contact-policy'
const TURNS = 'tests/jobs/sending/company-turns'
const SERVICE = 'lib/services/sending/contact-holds.ts'
const COLLEAGUES = 'tests/jobs/sending/colleague-replies'
const LEFT = 'tests/jobs/leads/departures-remembered'
const WALKED = 'lib/domain/forecast/shared-people.ts'

/** The rules for what all campaigns together may do to a person, each broken on purpose. */
export const CONTACT_POLICY_MUTANTS: Mutant[] = [
  one(
    'nobody asks what other campaigns do',
    SERVICE,
    'if (!hasContactRules(rules)) return null',
    'if (campaign) return null',
  ),
  one(
    'whoever began is through',
    'lib/domain/sending/contact-hold.ts',
    'elsewhere.filter((one) => one.is_under_way) : []',
    'elsewhere.filter((one) => !one.is_under_way) : []',
  ),
  one(
    'nobody rests',
    'lib/domain/sending/contact-hold.ts',
    'last_action_at + rest_days * DAY_MS + 1',
    'last_action_at + 0 * DAY_MS + 1',
  ),
  one('a company has room for one more', SERVICE, 'crowd.people.size < max', 'crowd.people.size <= max'),
  told(
    HOLDS,
    'a company that is just full is taken to have room',
    SERVICE,
    'l.most > $4::int - $5::int',
    'l.most > $4::int',
  ),
  one(
    'only leads that were never asked are',
    SERVICE,
    'person_id !== null && !has_begun &&',
    'person_id !== null && is_new && !has_begun &&',
  ),
  told(
    HOLDS,
    'two workers look at a person at once',
    SERVICE,
    'await lockForContact(client, rules, firsts)',
    'await lockForContact(client, rules, [])',
  ),
  told(
    HOLDS,
    'a reason to write all the same is none',
    SERVICE,
    'if (campaign.contact_policy_override !== null) return null',
    "if (campaign.contact_policy_override === '') return null",
  ),
  told(
    LEFT,
    'who has left is remembered of nobody',
    'lib/services/leads/state/departures.ts',
    'await remember(client, departed, now)',
    'await remember(client, [], now)',
  ),
  told(
    LEFT,
    'a claim asks nobody who has left',
    'lib/services/sending/claim.ts',
    'contact_policy_override === null && lead.has_left',
    "contact_policy_override === '' && lead.has_left",
  ),
  told(
    LEFT,
    'a forecast has people who have left',
    'lib/services/forecast/input.ts',
    'pending.filter((lead) => !left.has(lead))',
    'pending.filter((lead) => left.size > 0 || lead < 0)',
  ),
  told(
    LEFT,
    'a launch has people who have left',
    'lib/services/leads/rows/whole-dataset.ts',
    "leadIndexes.length === 0 ? '' : isAmong(leadIndexes)",
    "leadIndexes.length === 0 ? '' : isAmong([])",
  ),
  told(
    HOLDS,
    'a forecast knows no other campaign',
    'lib/services/forecast/beside.ts',
    'beside && (await runInSlices(forecastBeside(input, beside, MOST_TURNS)))',
    'beside && (await runInSlices(forecast(input)))',
  ),
  told(
    HOLDS,
    'an end wakes nobody',
    'lib/services/sending/contact-wakes.ts',
    'await wakePutOff(client, woken)',
    'await wakePutOff(client, [])',
  ),
  told(
    TURNS,
    'a forecast gives room away before its instant has passed',
    WALKED,
    'if (stirred_at >= before) return false',
    'if (stirred_at > before) return false',
  ),
  one(
    'in a forecast an end wakes nobody',
    'lib/domain/forecast/shared-people.ts',
    'wakePerson(person, at)\n',
    'wakePerson(-1, at)\n',
  ),
  one(
    'a forecast does not see what others send from its senders',
    'lib/domain/sending/sender-choice.ts',
    'if (state.meters[index]?.uses !== state.seen[index]) refreshReady',
    'if (state.meters[index]?.uses === -1) refreshReady',
  ),
  one(
    'nobody waits after a colleague’s reply',
    'lib/services/sending/claim.ts',
    'if (campaign.colleague_reply_days === 0) return new Map()',
    'if (campaign.colleague_reply_days >= 0) return new Map()',
  ),
  told(
    'tests/unit/sending/contact-hold',
    'a colleague’s reply is over a day early',
    'lib/domain/sending/contact-hold.ts',
    'const until = replied_at + days * DAY_MS',
    'const until = replied_at + (days - 1) * DAY_MS',
  ),
  told(
    COLLEAGUES,
    'a reply is forgotten by its company',
    'lib/services/leads/colleagues.ts',
    'SET replied_at = r.at, replied_person_id',
    'SET replied_at = c.replied_at, replied_person_id',
  ),
  told(
    COLLEAGUES,
    'a forecast knows no reply of a colleague',
    'lib/services/forecast/input.ts',
    'after_colleague: afterColleague,',
    'after_colleague: new Map(),',
  ),
  told(
    COLLEAGUES,
    'a forecast before the launch knows none',
    'lib/services/forecast/before-launch.ts',
    '...(after_colleague && { after_colleague }),',
    '',
  ),
  told(
    COLLEAGUES,
    'a claim overtakes a reply of a colleague',
    'lib/services/inbox/handle-mail.ts',
    '...others, ...colleagues])]',
    '...others])]',
  ),
  one(
    'of two campaigns in one instant a forecast has the other first',
    'lib/domain/forecast/forecast.ts',
    'a.input.campaign.campaign_id < b.input.campaign.campaign_id',
    'a.input.campaign.campaign_id > b.input.campaign.campaign_id',
  ),
  one(
    'whoever waited a week begins without their turn',
    'lib/services/sending/claim.ts',
    'return askForLostWakes(client, campaign, waiting, now)',
    'return waiting.length < 0 && askForLostWakes(client, campaign, waiting, now)',
  ),
  one(
    'the forecast of the only campaign knows no colleagues',
    'lib/services/forecast/near.ts',
    'if (!launched && rules.company_max_active === null) return null',
    'if (!launched) return null',
  ),
  told(
    TURNS,
    'whoever asks in the instant of a colleague’s end is not told of it',
    SERVICE,
    'if (crowd.is_over_for_some) soon.add',
    'if (crowd.people.size < 0) soon.add',
  ),
  told(
    TURNS,
    'in a forecast whoever asks in the instant of a colleague’s end waits for another',
    WALKED,
    "if (held?.code === 'company_busy') stir(",
    "if (held?.code === 'person_busy') stir(",
  ),
  told(
    TURNS,
    'an end wakes colleagues for whom there is no room',
    'lib/services/sending/contact-wakes.ts',
    'count(*) FILTER (WHERE NOT c.is_asleep)',
    'count(*) FILTER (WHERE false)',
  ),
  told(
    'tests/jobs/sending/held-elsewhere',
    'who is through elsewhere rests from nothing where all are read at once',
    'lib/services/forecast/begun-elsewhere.ts',
    'OR l.last_event_at >= $4',
    "OR l.status = 'pending'",
  ),
]
