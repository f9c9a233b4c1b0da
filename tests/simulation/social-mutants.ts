import { type Mutant, social, told } from '#tests/simulation/mutant'

const LOAD = 'lib/services/sending/load.ts'
const SENDERS = 'lib/domain/sending/sender-limits.ts'
const ACCOUNTS = 'lib/services/senders/accounts/account-rows.ts'

/** Steps on a social network. */
export const SOCIAL_MUTANTS: Mutant[] = [
  social('an account that was signed out acts', ACCOUNTS, "AND a.status <> 'disconnected'", ''),
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
    'lib/domain/sending/take-turn.ts',
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
    'tests/jobs/sending/dispatch-social',
    'who lacks an address is known in mixed campaigns only',
    LOAD,
    'out_of_reach: outOfReach([...leads.followUps, ...leads.newLeads]),',
    'out_of_reach: { email: new Set(), social: new Set() },',
  ),
]
