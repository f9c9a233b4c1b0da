import { expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import type { SocialAction } from '#lib/providers/social/port'
import { createSandboxSocial } from '#lib/providers/social/sandbox'
import {
  answerInSandbox,
  backFromSandbox,
  decideInSandbox,
  readSandboxNetwork,
  readSandboxSignIn,
  signInToSandbox,
  signOutInSandbox,
} from '#lib/services/sandbox/network'
import { createAuthLink } from '#lib/services/social/connections'
import { sendSocialMessage } from '#lib/services/social/messages'
import { anAccount, aUser } from '#tests/support/scenes/factories'

process.env.SANDBOX_SMTP_PORT = '1'
const MINUTE = 60_000
const START = new Date('2026-11-21T09:00:00.000Z')

/** The network at a time that the test controls. */
async function aNetwork(kind = 'premium') {
  const account = await anAccount(await aUser(), { kind })
  let now = START
  const network = createSandboxSocial({ pool: pool(), clock: () => now, app_url: 'http://opener.test' })
  const ref = { provider_account_id: account.provider_account_id, network: 'linkedin' as const }
  const act = (action: SocialAction) => network.act(ref, action, crypto.randomUUID())
  const pass = (minutes: number) => {
    now = new Date(now.getTime() + minutes * MINUTE)
  }
  return { network, ref, act, pass }
}

test('people are the same whenever they are met, and some accept and answer while others never do', async () => {
  const { network, ref, act, pass } = await aNetwork()
  const met = await Promise.all(
    Array.from({ length: 40 }, (_, i) => network.person(ref, `ada-lovelace-${i}`)),
  )
  expect(await network.person(ref, 'https://www.linkedin.com/in/Ada-Lovelace-3/')).toEqual(met[3])
  expect(await network.person(ref, met[3]?.provider_id ?? '')).toEqual(met[3])
  for (const { provider_id } of met) {
    const invited = await act({ action_type: 'connection_request', provider_id, note: null })
    expect(invited.outcome).toBe('accepted')
  }
  const again = await act({
    action_type: 'connection_request',
    provider_id: met[0]?.provider_id ?? '',
    note: null,
  })
  expect(again).toMatchObject({ outcome: 'refused_for_good', blames: 'recipient' })
  expect((await network.connections(ref, null)).items).toEqual([])
  pass(60)
  const { items: friends } = await network.connections(ref, null)
  expect(friends.length).toBeGreaterThan(0)
  expect(friends.length).toBeLessThan(40)
  for (const { provider_id } of friends)
    expect(await act({ action_type: 'message', provider_id, text: 'Hello', chat_id: null })).toMatchObject({
      outcome: 'accepted',
    })
  const before = await network.messages(ref, START, null)
  expect(before.items.every(({ direction }) => direction === 'out')).toBe(true)
  pass(60)
  const after = await network.messages(ref, START, null)
  const answers = after.items.filter(({ direction }) => direction === 'in')
  expect(after.items.length).toBe(friends.length + answers.length)
  expect(answers.every(({ provider_id }) => friends.some((one) => one.provider_id === provider_id))).toBe(
    true,
  )
})

test('a note is as long as the account’s kind allows, and InMail takes a paid one', async () => {
  const { network, ref, act } = await aNetwork('free')
  const { provider_id } = await network.person(ref, 'grace-hopper')
  const long = await act({ action_type: 'connection_request', provider_id, note: 'x'.repeat(201) })
  expect(long).toMatchObject({ outcome: 'refused_for_good', blames: 'message' })
  const inmail = await act({ action_type: 'inmail', provider_id, text: 'Hello', subject: null })
  expect(inmail).toMatchObject({ outcome: 'refused_for_good', blames: 'sender' })
})

test('counts of a post only grow', async () => {
  const { network, ref, pass } = await aNetwork()
  const published = await network.publish(ref, { text: 'News', image: null }, 'ref')
  if (published.outcome !== 'accepted') throw new Error(published.response)
  const id = published.result.provider_post_id
  const counts: number[] = []
  for (let hour = 0; hour < 48; hour += 6) {
    counts.push((await network.postMetrics(ref, id)).impressions ?? -1)
    pass(360)
  }
  expect(counts).toEqual(counts.toSorted((a, b) => a - b))
  expect(counts[0]).toBe(0)
  expect(counts.at(-1)).toBeGreaterThan(0)
  expect(await network.deletePost(ref, id)).toMatchObject({ outcome: 'accepted' })
  expect(await network.recentPosts(ref)).toEqual([])
})

test('a sign-in connects an account once, and its page lets the network act', async () => {
  const owner = await aUser()
  const link = await createAuthLink(
    owner.workspace_id,
    { provider: 'linkedin', return_path: '/accounts' },
    new Date(),
  )
  const state = new URL(link.url).searchParams.get('state') ?? ''
  const form = { state, account: null, name: 'Ada Lovelace', kind: 'premium' }
  await signInToSandbox(form, new Date())
  const back = new URL(link.url).searchParams.get('back') ?? ''
  expect([backFromSandbox(back, false), backFromSandbox(back, true)]).toEqual([
    { path: '/accounts?connected=1', workspace_id: owner.workspace_id },
    { path: '/accounts?failed=1', workspace_id: owner.workspace_id },
  ])
  expect(await readSandboxSignIn(state, null, new Date())).toBeNull()
  await expect(signInToSandbox(form, new Date())).rejects.toMatchObject({ code: 'grant_invalid' })
  const account = await db.connectedAccount.findFirstOrThrow({ where: { workspace_id: owner.workspace_id } })
  expect(account).toMatchObject({ name: 'Ada Lovelace', kind: 'premium', status: 'connected' })

  const { account_id, provider_account_id } = account
  const body = { account_id, text: 'Hello', identifier: 'grace-hopper' }
  expect(await sendSocialMessage(owner, body, new Date())).toMatchObject({ success: false })
  const [person] = (await readSandboxNetwork(owner.workspace_id)).people
  const id = person?.provider_id ?? ''
  await expect(
    decideInSandbox(owner.workspace_id, provider_account_id, id, true, new Date()),
  ).rejects.toMatchObject({
    code: 'invalid_state',
  })
  await answerInSandbox(owner.workspace_id, provider_account_id, id, new Date())
  // A person who wrote first may be answered.
  expect(await sendSocialMessage(owner, body, new Date())).toMatchObject({ success: true })
  await signOutInSandbox(owner.workspace_id, provider_account_id)
  const lost = await db.connectedAccount.findUniqueOrThrow({ where: { account_id } })
  expect(lost.status).toBe('disconnected')
  const stranger = await aUser()
  await expect(signOutInSandbox(stranger.workspace_id, provider_account_id)).rejects.toMatchObject({
    code: 'account_not_found',
  })
})

test.each(['https://evil.example/x', 'javascript:alert(1)', '//evil.example', ''])(
  'a sign-in that came with %j goes back to our own accounts',
  (back) => {
    expect(backFromSandbox(back, true)).toEqual({ path: '/accounts?failed=1', workspace_id: null })
  },
)
