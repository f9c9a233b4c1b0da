import { afterAll, beforeEach, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { sweepSocialAccounts } from '#lib/services/inbox/social-events'
import { socialProvider } from '#lib/services/senders/social-provider'
import { dispatchDue } from '#lib/services/sending/run'
import { disconnectAccount } from '#lib/services/social/connected-accounts'
import { createAuthLink, reconnectAccount } from '#lib/services/social/connections'
import { sendSocialMessage } from '#lib/services/social/messages'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { aUser } from '#tests/support/scenes/factories'
import { MONDAY, minutes } from '#tests/support/scenes/launched'
import { INVITE, launchedSocial, MESSAGE, profile, VISIT } from '#tests/support/scenes/launched-social'
import { unipileServer } from '#tests/support/servers/unipile-server'
import { POST } from '../../../app/api/social/unipile/route.ts'

const SECRET = 'wes_the secret of an endpoint'
const network = await unipileServer('second key', SECRET)
Object.assign(process.env, {
  UNIPILE_V2_API_KEY: 'second key',
  UNIPILE_V2_WEBHOOK_SECRET: SECRET,
  UNIPILE_V2_URL: network.url,
})
afterAll(() => network.close())

// Sweeps and dispatch cover every account and campaign: those of other tests are removed.
beforeEach(async () => {
  await db.campaign.deleteMany()
  await db.connectedAccount.deleteMany()
})

const statusOf = async (request: Request) => (await POST(request)).status
const ASKED = { provider: 'linkedin' as const, return_path: '/accounts' }
const lastState = () => String(network.links.at(-1)?.state)

/** Somebody signs in at the hosted page of the link. */
async function signsIn(workspaceId: string, id: string) {
  await createAuthLink(workspaceId, ASKED, new Date())
  network.accounts.set(id, { id, provider: 'linkedin', name: 'Ada', status: 'running' })
  expect(await statusOf(network.tell(id, 'account.add', { state: lastState() }))).toBe(200)
  return db.connectedAccount.findFirstOrThrow({ where: { provider_account_id: id } })
}

test('an account of the second version lives as any other: sign-in, message, answer, loss, return, end', async () => {
  expect(socialProvider().name).toBe('unipile')
  const owner = await aUser()
  const { account_id, workspace_id } = await signsIn(owner.workspace_id, 'acc_life')
  expect(workspace_id).toBe(owner.workspace_id)

  const hello = { account_id, text: 'Hello', identifier: 'https://www.linkedin.com/in/grace' }
  const stranger = await sendSocialMessage(owner, hello, new Date())
  expect(stranger).toMatchObject({ success: false, error: expect.stringMatching(/^422/) })
  network.connects('ACo-grace')
  const sent = await sendSocialMessage(owner, hello, new Date())
  expect(sent).toMatchObject({ success: true, data: { chat_id: '2-ACo-grace' } })

  // The event does not name the person, but the chat is known. The sweep finds the same message and stores it once.
  const answer = network.says('ACo-grace', 'Hi!')
  expect(await statusOf(network.tell('acc_life', 'message.new', answer))).toBe(200)
  await sweepSocialAccounts(() => new Date(Date.now() + 3_600_000))
  const kept = await db.inboxMessage.findMany({
    where: { connected_account_id: account_id },
    orderBy: { at: 'asc' },
  })
  expect(kept.map(({ text, delivery_status }) => [text, delivery_status])).toEqual([
    ['Hello', 'failed'],
    ['Hello', 'sent'],
    ['Hi!', null],
  ])

  const account = network.accounts.get('acc_life')
  if (account) account.status = 'disconnected'
  expect(await statusOf(network.tell('acc_life', 'account.status.disconnected', {}))).toBe(200)
  const now = async () => db.connectedAccount.findUniqueOrThrow({ where: { account_id } })
  expect(await now()).toMatchObject({ status: 'disconnected', status_reason: 'disconnected' })
  await reconnectAccount(owner.workspace_id, account_id, '/accounts', new Date())
  expect(network.links.at(-1)).toMatchObject({ account_id: 'acc_life' })
  if (account) account.status = 'running'
  expect(await statusOf(network.tell('acc_life', 'account.reconnect', { state: lastState() }))).toBe(200)
  expect(await now()).toMatchObject({ status: 'connected', provider_account_id: 'acc_life' })

  await disconnectAccount(owner.workspace_id, account_id)
  expect(network.accounts.has('acc_life')).toBe(false)
  expect(await db.connectedAccount.count({ where: { account_id } })).toBe(0)
})

test('a campaign acts through it: visited, invited, accepted, written to, and over with the answer', async () => {
  network.accounts.set('acc_acts', { id: 'acc_acts', provider: 'linkedin', name: 'Ada', status: 'running' })
  const steps_config = [
    VISIT,
    { ...INVITE, delay_days: 1 },
    { ...MESSAGE, delay_days: 1, condition: 'connected' },
    { ...VISIT, delay_days: 1 },
  ]
  const account = { driver: 'unipile', provider_account_id: 'acc_acts' }
  const { campaign_id } = await launchedSocial({ steps_config }, [profile('hedy')], account)
  const dayLater = (days: number) => minutes(days * 1_441)
  const dispatch = (at: Date) =>
    dispatchDue({ mail: memoryMail().provider, social: socialProvider, clock: () => at })
  await dispatch(MONDAY)
  await dispatch(dayLater(1))
  expect([...network.invitations.values()]).toMatchObject([{ user: { id: 'ACo-hedy' } }])

  network.connects('ACo-hedy')
  const relation = { object: 'UserRelation', user: { id: 'ACo-hedy' } }
  expect(await statusOf(network.tell('acc_acts', 'relation.new', relation))).toBe(200)
  await dispatch(dayLater(2))
  expect(network.said.filter(({ chat_id }) => chat_id === '2-ACo-hedy')).toMatchObject([
    { is_sender: true, text: 'A word, hedy.' },
  ])

  const answer = network.says('ACo-hedy', 'Gladly.')
  expect(await statusOf(network.tell('acc_acts', 'message.new', answer))).toBe(200)
  await dispatch(dayLater(3))
  const ledger = await db.action.findMany({ where: { campaign_id }, orderBy: { step: 'asc' } })
  expect(ledger.map(({ action_type, status }) => [action_type, status])).toEqual([
    ['visit_profile', 'sent'],
    ['connection_request', 'sent'],
    ['message', 'sent'],
  ])
  expect(await db.campaignLead.findFirstOrThrow({ where: { campaign_id } })).toMatchObject({
    status: 'replied',
  })
})

test('what a browser has seen connects nothing: only a signed report does, and only for its owner', async () => {
  const [owner, other] = [await aUser(), await aUser()]
  await createAuthLink(owner.workspace_id, ASKED, new Date())
  const state = lastState()
  network.accounts.set('acc_theirs', {
    id: 'acc_theirs',
    provider: 'linkedin',
    name: 'Ada',
    status: 'running',
  })
  const forged = (body: object, headers: Record<string, string> = {}) =>
    new Request('http://opener.test/api/social/unipile', {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
  const event = { account_id: 'acc_theirs', type: 'account.add', payload: { state } }
  for (const request of [
    forged(event),
    forged(event, { 'unipile-auth': SECRET }),
    forged({ status: 'CREATION_SUCCESS', account_id: 'acc_theirs', name: state }),
    network.tell('acc_theirs', 'account.add', { state }, 'another secret'),
  ])
    expect(await statusOf(request)).toBe(401)
  expect(await db.connectedAccount.count()).toBe(0)

  const mine = await signsIn(other.workspace_id, 'acc_theirs')
  expect(mine.workspace_id).toBe(other.workspace_id)
  // A caller's own state, reported for somebody else's account, does not take that account over.
  expect(await statusOf(network.tell('acc_theirs', 'account.add', { state }))).toBe(200)
  expect(await db.connectedAccount.findMany()).toMatchObject([{ workspace_id: other.workspace_id }])
})

test('a report larger than any is not read to its end, whatever length it names', async () => {
  let sent = 0
  const endless = new ReadableStream({
    pull(controller) {
      sent += 65_536
      controller.enqueue(new Uint8Array(65_536))
    },
  })
  const init = { method: 'POST', body: endless, duplex: 'half' }
  expect(await statusOf(new Request('http://opener.test/api/social/unipile', init))).toBe(413)
  expect(sent).toBeLessThan(4 * 1_048_576)
})

test('an account of the first version is taken over when its owner signs in again', async () => {
  const owner = await aUser()
  const before = await db.connectedAccount.create({
    data: {
      workspace_id: owner.workspace_id,
      provider: 'linkedin',
      driver: 'unipile',
      provider_account_id: 'h_EKCy2lRLef5NzHp0iw4A',
      name: 'Ada',
      status: 'disconnected',
    },
  })
  await reconnectAccount(owner.workspace_id, before.account_id, '/accounts', new Date())
  network.accounts.set('acc_new', { id: 'acc_new', provider: 'linkedin', name: 'Ada', status: 'running' })
  expect(await statusOf(network.tell('acc_new', 'account.add', { state: lastState() }))).toBe(200)
  expect(await db.connectedAccount.findMany()).toMatchObject([
    { account_id: before.account_id, provider_account_id: 'acc_new', status: 'connected' },
  ])
})
