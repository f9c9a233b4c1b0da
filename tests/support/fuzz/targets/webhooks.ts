import { createHmac } from 'node:crypto'
import { BillingTrouble } from '#lib/providers/billing/port'
import { createStripe } from '#lib/providers/billing/stripe'
import { createUnipile } from '#lib/providers/social/unipile/driver'
import {
  headerText,
  joined,
  promise,
  promiseCleanPrototypes,
  promiseStorable,
  type Target,
  textsOf,
  unlessRefused,
} from '#tests/support/fuzz/target'
import { hostileWords } from '#tests/support/fuzz/targets/json-words'

const NOW = new Date('2026-03-02T10:00:00Z')
const SECRET = 'whsec_secret'
const SECONDS = Math.floor(NOW.getTime() / 1_000)
const stripe = createStripe({ secretKey: 'sk_test_x', webhookSecret: SECRET })
const unipile = createUnipile({
  classic: {
    dsn: 'a.test',
    api_key: 'x',
    webhook_secret: SECRET,
    is_link_state: (state) => state === 'signed',
  },
  current: { api_key: 'x', webhook_secret: SECRET },
  clock: () => NOW,
})

const hex = (secret: string, body: string) =>
  createHmac('sha256', secret).update(`${SECONDS}.${body}`).digest('hex')
const EVENTS = [
  {
    type: 'customer.subscription.updated',
    data: { object: { customer: 'cus_1' } },
    object: 'event',
    id: 'evt_1',
  },
  {
    type: 'message.new',
    account_id: 'acc_1',
    payload: {
      message: {
        id: 'm',
        chat_id: 'c',
        text: 'Hi',
        timestamp: '2026-03-02T10:00:00Z',
        is_sender: false,
        sender_id: 'p',
      },
      is_group: false,
    },
  },
  { type: 'account.add', account_id: 'acc_1', payload: { state: 's' } },
  { type: 'relation.new', account_id: 'acc_1', payload: { user: { id: 'p' } } },
  { AccountStatus: { account_id: 'a', message: 'CREDENTIALS' } },
  { status: 'CREATION_SUCCESS', account_id: 'a', name: 'signed' },
  { event: 'new_relation', account_id: 'a', user_provider_id: 'p' },
  {
    event: 'message_received',
    account_id: 'a',
    chat_id: 'c',
    message_id: 'm',
    message: 'Hi',
    timestamp: '2026-03-02T10:00:00Z',
    sender: { attendee_provider_id: 'p', attendee_name: 'P' },
    is_sender: 0,
  },
]

/** A body with a valid signature is an event or is ignored; any other body is refused, whatever it contains. */
export const webhooks: Target = {
  name: 'webhooks',
  max: 16 * 1024,
  seeds: () =>
    EVENTS.flatMap((event) => [
      joined(JSON.stringify(event), ''),
      joined(JSON.stringify(event), `t=${SECONDS},v1=${'0'.repeat(64)},v0=${'0'.repeat(64)}`),
    ]),
  words: [
    ...hostileWords,
    't=',
    'v0=',
    'v1=',
    `${SECONDS}`,
    'customer.subscription.',
    '"type":',
    '"data":',
    '"object":',
    '"customer":',
    '"account_id":"',
    '"payload":',
    '"message":',
    '"timestamp":',
    '"attendees":[',
    '"is_group":',
    '"sender":',
    'account.status.',
    'message.new',
    'new_relation',
  ],
  async run(input) {
    const [body = '', given = ''] = textsOf(input, 2)
    const forged = headerText(given)
    const read = await unlessRefused(() => stripe.customerOfEvent(body, forged, NOW), BillingTrouble)
    promise(read === null, 'no event without its signature')
    promise(
      unipile
        .events(new Headers({ 'unipile-signature': forged }), body)
        ?.every(({ kind }) => kind === 'account_connected') !== false,
      'only a state that we signed needs no other signature',
    )
    await unlessRefused(
      () => stripe.customerOfEvent(body, `t=${SECONDS},v1=${hex(SECRET, body)}`, NOW),
      BillingTrouble,
    )
    const events = unipile.events(
      new Headers({ 'unipile-signature': `t=${SECONDS},v0=${hex(SECRET, body)}` }),
      body,
    )
    promiseStorable(events)
    for (const event of events ?? [])
      if (event.kind === 'message')
        promise(!Number.isNaN(event.message.at.getTime()), 'a message has its time')
    promiseCleanPrototypes()
  },
}
