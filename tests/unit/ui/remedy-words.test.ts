import { expect, test } from 'vitest'
import { remedyLabel } from '#components/leads/remedy-words'

const ID = '0198c0de-0000-7000-8000-000000000001'
const CAMPAIGN = `/campaigns/${ID}`

test.each([
  ['no_sender', null, '/mailboxes', true, 'Connect a mailbox'],
  ['mailbox_untested', null, `/mailboxes/${ID}`, true, 'Test the mailbox'],
  ['merge_value_missing', 2, `${CAMPAIGN}/sequence`, true, 'Edit step 2'],
  ['unsubscribe_footer', 1, `${CAMPAIGN}/sequence`, false, 'See step 1'],
  ['unsubscribe_footer', null, `${CAMPAIGN}/sequence`, false, 'See sequence'],
  ['window_too_small', null, `${CAMPAIGN}/schedule`, true, 'Edit schedule'],
  ['bcc_copies', null, `${CAMPAIGN}/settings`, false, 'See settings'],
  ['rows_suppressed', null, `/datasets/${ID}`, true, 'See leads'],
  ['rows_risky_address', null, `/datasets/${ID}/verification`, true, 'See addresses'],
  ['senders', null, '/mailboxes', false, 'See mailboxes'],
  ['from_not_aligned', null, `/domains/${ID}`, true, 'See domain'],
  ['people_in_other_campaign', null, '/settings/contact-policy', true, 'See contact policy'],
  ['of a release to come', null, '/somewhere/else', true, 'See details'],
] as const)('the link of %s (step %s) to %s says where it leads', (code, step, fix, isFault, words) => {
  expect(remedyLabel({ code, step }, fix, isFault)).toBe(words)
})
