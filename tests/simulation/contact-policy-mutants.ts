import { type Mutant, one, told } from '#tests/simulation/mutant'

const HOLDS = 'tests/jobs/sending/contact-policy'
const SERVICE = 'lib/services/sending/contact-holds.ts'

/** Rules of what all campaigns together may do to a person, broken on purpose. */
export const CONTACT_POLICY_MUTANTS: Mutant[] = [
  one(
    'nobody asks what other campaigns do',
    SERVICE,
    'if (!rules || !hasContactRules(rules)) return new Map()',
    'if (rules) return new Map()',
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
    'const rest = rules.rest_days * DAY_MS',
    'const rest = 0 * DAY_MS',
  ),
  one(
    'a company has room for one more',
    SERVICE,
    'people.has(person_id) || people.size < max',
    'people.has(person_id) || people.size <= max',
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
    'if (campaign.contact_policy_override !== null) return new Map()',
    "if (campaign.contact_policy_override === '') return new Map()",
  ),
  told(
    HOLDS,
    'a forecast knows no other campaign',
    'lib/services/forecast/input.ts',
    'away: latest(absent, elsewhere),',
    'away: absent,',
  ),
]
