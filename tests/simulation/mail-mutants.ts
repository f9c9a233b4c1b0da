import { granted, type Mutant, one, told } from '#tests/simulation/mutant'

const MAIL_API = 'tests/jobs/senders/mail-api'
const TOKENS = 'lib/services/senders/grants/access-token.ts'
const OUTCOMES = 'tests/unit/senders/mail-api-outcomes'

/** What sends a mail twice where a token expires, or where a provider answers late or wrongly. */
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
  one(
    'what somebody writes to a lead in another program ends nobody',
    'lib/services/inbox/sent/handle-sent.ts',
    'await onWritten(client, lead, written, now)',
    'if (lead.step > 99) await onWritten(client, lead, written, now)',
  ),
  told(
    'tests/jobs/inbox/inbound-together',
    'mails about the same person are taken in as if each were alone',
    'lib/services/inbox/arriving/waves.ts',
    'free.set(one, place + 1)',
    'free.set(one, place)',
  ),
  told(
    'tests/jobs/inbox/inbound-together',
    'a mail that cannot be taken in keeps those that are read with it',
    'lib/services/inbox/mailboxes/store-arrivals.ts',
    '      () => false,',
    '      (error) => Promise.reject(error),',
  ),
  told(
    'tests/jobs/inbox/written-elsewhere',
    'a mail of our own that is in Sent is taken for one by hand',
    'lib/services/inbox/sent/pick-sent.ts',
    'picked.push(!isOurs && (',
    'picked.push((isOurs || true) && (',
  ),
  told(
    'tests/unit/inbox/addressed',
    'a conversation that is forwarded to a colleague is taken for an answer',
    'lib/domain/inbox/written/addressed.ts',
    'if (in_thread) return recipients.includes(email)',
    'if (in_thread) return recipients.length > 0 || recipients.includes(email)',
  ),
  told(
    'tests/jobs/senders/aliases',
    'mail leaves under an address that is not the mailbox’s own',
    'lib/services/senders/mailbox-connection.ts',
    'if (!isOwnAddress(mailbox, message.from.address)) return',
    "if (message.from.address === '') return",
  ),
  told(
    'tests/jobs/sending/mail-threads',
    'a mail names the messages of a network as if they were mails',
    'lib/services/sending/mail-threads.ts',
    "AND step < $3 AND channel = 'email'",
    'AND step < $3',
  ),
  told(
    'tests/jobs/sending/mail-threads',
    'a follow-up names a Message-ID that its provider replaced',
    'lib/services/sending/mail-threads.ts',
    'coalesce(server_message_id, message_id)',
    'message_id',
  ),
  told(
    'tests/jobs/social/written-in-chat',
    'what somebody writes in a chat ends nobody',
    'lib/services/social/written-in-chat.ts',
    'const begun = new Set(rows',
    'const begun = new Set(rows.slice(rows.length)',
  ),
  told(
    'tests/jobs/social/written-in-chat',
    'the note of an invitation is taken for what somebody wrote',
    'lib/services/social/written-in-chat.ts',
    'return rows.length > 0',
    'return rows.length > 1',
  ),
  told(
    'tests/jobs/sending/kept-sender',
    'a thread goes on under another address than it began with',
    'lib/services/sending/compose.ts',
    'return isItsOwn && thread?.mailbox ?',
    'return !isItsOwn && thread?.mailbox ?',
  ),
  told(
    'tests/jobs/senders/aliases',
    'an address that is taken away is told to nobody',
    'lib/services/senders/grants/aliases.ts',
    'if (!row?.send_as || listAddresses(row)',
    'if (!row?.send_as || row.send_as || listAddresses(row)',
  ),
  told(
    'tests/unit/messages/own-addresses',
    'an answer leaves from another address than the lead had written to',
    'lib/domain/messages/own-addresses.ts',
    'const named = [...written_to,',
    'const named = [...written_to.slice(1),',
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
    '{ ...mail, draft }',
    '{ ...mail, draft: draft && null }',
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
    'mail.retry_after_ms ?? (isUsedUp(mail, fault) ? limitWaitMs(response) : null)',
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
