import { granted, type Mutant, told } from '#tests/simulation/mutant'

const MAIL_API = 'tests/jobs/senders/mail-api'
const TOKENS = 'lib/services/senders/grants/access-token.ts'
const OUTCOMES = 'tests/unit/senders/mail-api-outcomes'

/** What makes a mail leave twice where a token runs out, or a provider answers late or wrongly. */
export const MAIL_MUTANTS: Mutant[] = [
  told(
    MAIL_API,
    'a message in doubt is offered again with a new token',
    'lib/services/senders/mailbox-connection.ts',
    "outcome.outcome === 'never_left' && outcome.reason === 'auth'",
    "outcome.outcome !== 'accepted'",
  ),
  told(
    MAIL_API,
    'a token that runs out in mid-send begins the mail anew',
    'lib/services/senders/mailbox-connection.ts',
    'const { draft = null } = outcome',
    'const draft = null',
  ),
  told(
    MAIL_API,
    'nobody looks into Sent before a mail is uncertain',
    'lib/services/sending/run.ts',
    "sent.outcome === 'unknown' ? await find",
    "sent.outcome === 'accepted' ? await find",
  ),
  told(
    MAIL_API,
    'a provider that asks for time is tried after a minute',
    'lib/domain/sending/sender-failures.ts',
    'Math.min(fault.retry_after_ms ?? 0, DAY_MS)',
    '0',
  ),
  told(
    OUTCOMES,
    'a mail that was throttled and left all the same is tried again',
    'lib/providers/mail-api/gmail/send.ts',
    "if (outcome.outcome !== 'refused_for_now' || isDone(dropped)) return outcome",
    'if (dropped) return outcome',
  ),
  told(
    OUTCOMES,
    'a server that is not well is believed that it did nothing',
    'lib/providers/mail-api/outcome.ts',
    "if (offered && reason === 'lost')",
    "if (offered && reason === 'blocked')",
  ),
  granted(
    'whatever was not accepted is offered again with a new token',
    'lib/services/senders/mailbox-connection.ts',
    '!isRefusedSignIn(outcome)) return outcome',
    "outcome.outcome === 'accepted') return { ...outcome, cause: undefined }",
  ),
  granted(
    'a draft that waits for a new token is left, and another one made',
    'lib/services/senders/mailbox-connection.ts',
    '{ ...message, draft }',
    '{ ...message, draft: draft && null }',
  ),
  granted(
    'a token that its server refused is offered again',
    TOKENS,
    'access_token === null || access_token === refused',
    'access_token === null',
  ),
  granted(
    'how long a provider asks to be left alone is forgotten',
    'lib/services/senders/sent/mail-outcome.ts',
    'mail.retry_after_ms ?? null',
    'null',
  ),
  {
    name: 'a sign-in that is over stops its mailbox, and nobody says so',
    granted: true,
    patches: [
      { file: TOKENS, find: 'if (ended && !token.ok) await', replace: 'if (ended && token.ok) await' },
      { file: TOKENS, find: 'if (known && !known.ok && !rows', replace: 'if (known?.ok && !rows' },
      {
        file: 'lib/services/senders/mailbox-connection.ts',
        find: "  reason: 'auth',\n  error: said,\n  cause,\n",
        replace: "  reason: 'busy',\n  error: said,\n",
      },
    ],
  },
]
