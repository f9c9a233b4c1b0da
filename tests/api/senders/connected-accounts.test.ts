import { expect, onTestFinished, test, vi } from 'vitest'
import {
  CreateAuthLink,
  DisconnectAccount,
  ListConnectedAccounts,
  ReadConnectedAccount,
  ReconnectAccount,
  UpdateConnectedAccount,
} from '#lib/contracts/senders/connected-accounts'
import { db, pool } from '#lib/db/client'
import { issueLink, readOpenLink } from '#lib/services/senders/accounts/account-links'
import { loseAccount } from '#lib/services/senders/accounts/account-loss'
import { socialProvider } from '#lib/services/senders/social-provider'
import { regainAccount } from '#lib/services/social/account-return'
import { afterSignIn, connectAccount } from '#lib/services/social/connections'
import { call } from '#tests/support/call'
import { anAccount, anEnrolledLead, aUser } from '#tests/support/scenes/factories'

process.env.SANDBOX_SMTP_PORT = '1'
const MINUTE = 60_000
const NOBODY = '01900000-0000-7000-8000-000000000000'

/** Signs somebody in at the sandbox network, as its page does. */
async function aSandboxAccount(owner: { workspace_id: string; user_id: string }, network = 'linkedin') {
  const provider_account_id = `sandbox-account-${crypto.randomUUID()}`
  const fields = { network, name: 'Ada Lovelace', handle: 'ada', kind: 'premium', created_at: new Date() }
  await db.sandboxAccount.create({
    data: { provider_account_id, workspace_id: owner.workspace_id, ...fields },
  })
  return provider_account_id
}

const linkOf = (owner: { workspace_id: string; user_id: string }, now = new Date()) =>
  issueLink(
    { workspace_id: owner.workspace_id, network: 'linkedin', return_path: '/accounts', account_id: null },
    now,
  )

test('the link leads to the sandbox sign-in with a state of ours, and its ticket leads back to this site alone', async () => {
  const owner = await aUser()
  const { body } = await call(CreateAuthLink, {
    as: owner,
    body: { provider: 'telegram', return_path: '/campaigns?x=1' },
  })
  const url = new URL(body.url)
  expect([url.pathname, url.searchParams.get('network')]).toEqual(['/sandbox-network/sign-in', 'telegram'])
  const state = url.searchParams.get('state') ?? ''
  expect(await readOpenLink(state, new Date())).toMatchObject({
    workspace_id: owner.workspace_id,
    network: 'telegram',
  })
  expect(await readOpenLink(state, new Date(Date.now() + 15 * MINUTE))).toBeNull()
  const back = new URL(url.searchParams.get('back') ?? '')
  expect(back.pathname).toBe('/connected-accounts/callback')
  expect(afterSignIn(back.searchParams)).toEqual({
    path: '/campaigns?x=1&connected=1',
    workspace_id: owner.workspace_id,
  })
  // The state that the browser holds connects nothing.
  const provider_account_id = await aSandboxAccount(owner, 'telegram')
  const ticket = back.searchParams.get('ticket') ?? ''
  expect(
    await connectAccount(socialProvider(), { provider_account_id, state: ticket }, new Date()),
  ).toBeNull()
})

test.each([
  '//evil.example',
  'https://evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/a/../..//evil.example',
  '/%2e%2e//evil.example',
  'accounts',
  '',
])('%j is no path to come back to', async (return_path) => {
  const { status } = await call(CreateAuthLink, {
    as: await aUser(),
    body: { provider: 'linkedin', return_path },
  })
  expect(status).toBe(422)
})

test('a state connects one account once, for its owner, and only while it lasts', async () => {
  const [owner, stranger] = [await aUser(), await aUser()]
  const driver = socialProvider()
  const { state } = linkOf(owner)
  const provider_account_id = await aSandboxAccount(owner)
  const account = await connectAccount(driver, { provider_account_id, state }, new Date())
  expect(account).toMatchObject({ workspace_id: owner.workspace_id, is_default: true, kind: 'premium' })
  // Providers report a sign-in twice.
  const again = await connectAccount(driver, { provider_account_id, state }, new Date())
  expect(again?.account_id).toBe(account?.account_id)
  const second = { provider_account_id: await aSandboxAccount(owner), state }
  expect(await connectAccount(driver, second, new Date())).toBeNull()
  // Naming an account does not take it over.
  const theirs = { provider_account_id, state: linkOf(stranger).state }
  expect(await connectAccount(driver, theirs, new Date())).toBeNull()
  const late = linkOf(owner, new Date(Date.now() - 31 * MINUTE))
  expect(await connectAccount(driver, { ...second, state: late.state }, new Date())).toBeNull()
  expect(await connectAccount(driver, { ...second, state: `${state}x` }, new Date())).toBeNull()
  expect(await db.connectedAccount.count({ where: { workspace_id: owner.workspace_id } })).toBe(1)
  expect(await db.connectedAccount.count({ where: { workspace_id: stranger.workspace_id } })).toBe(0)
})

test('an account is listed with every cap of its kind, what was used and when it resets', async () => {
  // The date in Auckland must not change during the test.
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const owner = await aUser({ timezone: 'Pacific/Auckland' })
  const { account_id } = await anAccount(owner, { kind: 'premium' })
  const { body } = await call(ListConnectedAccounts, { as: owner })
  expect(body.total).toBe(1)
  const { limits } = (await call(ReadConnectedAccount, { as: owner, params: { account_id } })).body
  expect(limits.timezone).toBe('Pacific/Auckland')
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Auckland' }).format(new Date())
  const days = [0, 6].map((back) => new Date(new Date(today).getTime() - back * 86_400_000))
  await db.senderDay.createMany({
    data: days.map((local_date) => ({
      sender_id: account_id,
      local_date,
      action_type: 'connection_request',
      used: 70,
    })),
  })
  const read = (await call(ReadConnectedAccount, { as: owner, params: { account_id } })).body
  const invitations = read.limits.caps.find(({ action_type }) => action_type === 'connection_request')
  expect(invitations).toEqual({
    action_type: 'connection_request',
    day: 80,
    week: 200,
    used_today: 70,
    used_this_week: 140,
    left_today: 10,
    is_default: true,
  })
  expect(read.limits.note_characters).toBe(300)
})

test('its owner changes caps one by one, and gives them back', async () => {
  const owner = await aUser()
  const [first, second] = [await anAccount(owner, { is_default: true }), await anAccount(owner)]
  const change = (body: unknown) =>
    call(UpdateConnectedAccount, { as: owner, params: { account_id: second.account_id }, body })
  const capOf = ({ body }: Awaited<ReturnType<typeof change>>, type: string) =>
    body.limits.caps.find(({ action_type }) => action_type === type)
  const changed = await change({
    limits: { message: { day: 5 }, inmail: { day: null } },
    ramp_up: { start: 3, increase_per_day: 2 },
    is_default: true,
    name: 'Mine',
  })
  expect(changed.body).toMatchObject({ name: 'Mine', is_default: true, limits: { today: 3 } })
  expect(capOf(changed, 'message')).toMatchObject({ day: 5, week: null, left_today: 3, is_default: false })
  expect(capOf(changed, 'inmail')).toMatchObject({ day: null, is_default: false })
  const other = await call(ReadConnectedAccount, { as: owner, params: { account_id: first.account_id } })
  expect(other.body.is_default).toBe(false)
  const back = await change({ limits: { message: null }, ramp_up: null })
  expect(capOf(back, 'message')).toMatchObject({ day: 100, left_today: 100, is_default: true })
  expect(capOf(back, 'inmail')).toMatchObject({ day: null, left_today: null })
  expect((await change({ limits: { dance: { day: 1 } } })).status).toBe(422)
})

test('a lost account pauses the campaigns that need it, and they go on once it is back', async () => {
  const owner = await aUser()
  const account = await anAccount(owner)
  await anAccount(owner)
  const { campaign_id, campaign_lead_id } = await anEnrolledLead(owner)
  const mailOnly = await anEnrolledLead(owner)
  await db.campaign.update({
    where: { campaign_id },
    data: {
      steps_config: [{ step: 1, channel: 'social', action_type: 'connection_request', delay_days: 0 }],
    },
  })
  await db.campaignLead.update({
    where: { campaign_lead_id },
    data: { connected_account_id: account.account_id },
  })
  const stateOf = async (id: string) =>
    db.campaign.findUniqueOrThrow({
      where: { campaign_id: id },
      select: { status: true, paused_reason: true },
    })
  await loseAccount(pool(), account.account_id, 'The password changed.', new Date())
  await loseAccount(pool(), account.account_id, 'The password changed.', new Date())
  expect(await stateOf(campaign_id)).toEqual({ status: 'paused', paused_reason: 'sender_disconnected' })
  expect(await stateOf(mailOnly.campaign_id)).toMatchObject({ status: 'active' })
  const { body } = await call(ReadConnectedAccount, {
    as: owner,
    params: { account_id: account.account_id },
  })
  expect(body).toMatchObject({ status: 'disconnected', status_reason: 'The password changed.' })
  await regainAccount(pool(), account.account_id, new Date())
  expect(await stateOf(campaign_id)).toEqual({ status: 'active', paused_reason: null })
  const kinds = await db.campaignEvent.findMany({ where: { campaign_id }, orderBy: { at: 'asc' } })
  expect(kinds.map(({ kind }) => kind).filter((kind) => ['paused', 'resumed'].includes(kind))).toEqual([
    'paused',
    'resumed',
  ])
})

test('an account in use stays; one that is not goes, and its provider forgets it', async () => {
  const owner = await aUser()
  const account = await anAccount(owner)
  const { account_id } = account
  const { campaign_lead_id } = await anEnrolledLead(owner)
  const lead = { where: { campaign_lead_id } }
  await db.campaignLead.update({ ...lead, data: { connected_account_id: account_id } })
  const refused = await call(DisconnectAccount, { as: owner, params: { account_id } })
  expect([refused.status, refused.error.detail]).toEqual([409, 'account_in_use'])
  await db.campaignLead.update({ ...lead, data: { connected_account_id: null } })
  // A failed campaign keeps its account and may be launched again, for which it needs the account.
  const { campaign_id } = await db.campaignLead.findUniqueOrThrow(lead)
  const naming = (status: 'failed' | 'completed') =>
    db.campaign.update({ where: { campaign_id }, data: { status, connected_account_id: account_id } })
  await naming('failed')
  const held = await call(DisconnectAccount, { as: owner, params: { account_id } })
  expect([held.status, held.error.detail]).toEqual([409, 'account_in_use'])
  await naming('completed')
  expect((await call(DisconnectAccount, { as: owner, params: { account_id } })).status).toBe(204)
  const { provider_account_id } = account
  const forgotten = await db.sandboxAccount.findUniqueOrThrow({ where: { provider_account_id } })
  expect(forgotten.status).toBe('disconnected')
})

test('a link to connect again names the account, and is only for one’s own', async () => {
  const owner = await aUser()
  const account = await anAccount(owner)
  const { account_id } = account
  const { body } = await call(ReconnectAccount, { as: owner, params: { account_id }, body: {} })
  expect(new URL(body.url).searchParams.get('account')).toBe(account.provider_account_id)
  const foreign = await call(ReconnectAccount, { as: owner, params: { account_id: NOBODY }, body: {} })
  expect(foreign.status).toBe(404)
})
