import { type Mutant, one, told } from '#tests/simulation/mutant'

const HOLDS = 'tests/jobs/sending/contact-policy'
const SERVICE = 'lib/services/sending/contact-holds.ts'

/** Rules of what all campaigns together may do to a person, broken on purpose. */
export const CONTACT_POLICY_MUTANTS: Mutant[] = [
  one(
    'nobody asks what other campaigns do',
    SERVICE,
    'if (!rules || !hasContactRules(rules)) return null',
    'if (rules) return null',
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
  one(
    'a company has room for one more',
    SERVICE,
    'busy.size >= max ? holdOfCompany(at)',
    'busy.size > max ? holdOfCompany(at)',
  ),
  one(
    'only leads that were never asked are',
    SERVICE,
    "WHERE l.status = 'pending' OR NOT ",
    "WHERE l.status = 'pending' OR false AND NOT ",
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
    HOLDS,
    'a forecast knows no other campaign',
    'lib/services/forecast/beside.ts',
    "if (beside !== 'too_many') return forecastBeside(input, beside)",
    "if (beside !== 'too_many') return forecast(input)",
  ),
  told(
    HOLDS,
    'an end wakes nobody',
    'lib/services/sending/contact-wakes.ts',
    'await wakePutOff(client, woken)',
    'await wakePutOff(client, [])',
  ),
  one(
    'in a forecast an end wakes nobody',
    'lib/domain/forecast/shared-people.ts',
    'wakePerson(person, at)\n',
    'wakePerson(-1, at)\n',
  ),
  one(
    'a forecast does not see what others send from its senders',
    'lib/domain/sending/dispatch-state.ts',
    'if (state.meters[index]?.uses !== state.seen[index]) refreshReady',
    'if (state.meters[index]?.uses === -1) refreshReady',
  ),
  one(
    'of two campaigns in one instant a forecast has the other first',
    'lib/domain/forecast/forecast.ts',
    'a.input.campaign.campaign_id < b.input.campaign.campaign_id',
    'a.input.campaign.campaign_id > b.input.campaign.campaign_id',
  ),
]
