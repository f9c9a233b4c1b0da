import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { env } from '#lib/env'
import { createPushCheck } from '#lib/providers/mail-api/gmail/push'
import { takeGooglePush, takeGraphNotices } from '#lib/services/inbox/mailboxes/pushed'
import { takeTokens } from '#lib/services/instance/rate-limits'
import { graphSecret } from '#lib/services/senders/grants/watches'
import { minutes } from '#tests/support/scenes/launched'
import { anIssuer } from '#tests/support/servers/issuer'
import { begunOverApi, closeMailApis } from '#tests/support/servers/mail-api-mailbox'
import { POST as google } from '../../../app/api/mail/google/route.ts'
import { POST as microsoft } from '../../../app/api/mail/microsoft/route.ts'

Object.assign(env(), { APP_URL: 'https://opener.test', MAIL_MICROSOFT_PUSH: true })

const closers: (() => unknown)[] = []
afterEach(closeMailApis)
afterAll(() => Promise.all(closers.map((close) => close())))

async function told(vendor: 'google' | 'microsoft') {
  const made = await begunOverApi(vendor, { isTold: true }, 1)
  await made.poll(minutes(10))
  const { mailbox_id } = made
  const quiet = () => db.mailbox.update({ where: { mailbox_id }, data: { inbox_due_at: null } })
  await quiet()
  const watch = await db.mailboxWatch.findUniqueOrThrow({ where: { mailbox_id } })
  const isDue = async () => (await made.row()).inbox_due_at !== null
  return { ...made, watch, isDue, quiet }
}

const ACCOUNT = 'push@project.iam.gserviceaccount.com'
const AUDIENCE = 'https://opener.test/api/mail/google'
const GOOD = { aud: AUDIENCE, email: ACCOUNT, email_verified: true }
const pushed = (emailAddress: string) =>
  JSON.stringify({
    message: { data: Buffer.from(JSON.stringify({ emailAddress, historyId: 7 })).toString('base64') },
    subscription: 'projects/p/subscriptions/s',
  })

async function signer() {
  const issuer = await anIssuer()
  closers.push(issuer.close)
  const check = createPushCheck({
    audience: AUDIENCE,
    account: ACCOUNT,
    outbound: { policy: { allow_private_hosts: true } },
    issuers: [issuer.url],
    keys_url: `${issuer.url}/keys`,
  })
  const take = async (token: string, body: string) =>
    takeGooglePush(token && `Bearer ${token}`, body, new Date(), check)
  return { issuer, take }
}

describe('what Google tells', () => {
  test('has the mailbox read at once, whatever the case of its address', async () => {
    const { mailbox, isDue } = await told('google')
    const { issuer, take } = await signer()
    expect(await take(await issuer.sign(GOOD), pushed(mailbox.address.toUpperCase()))).toBe(true)
    expect(await isDue()).toBe(true)
  })

  test('is not believed without Google’s token for this address and that account', async () => {
    const { mailbox, isDue } = await told('google')
    const [{ issuer, take }, stranger] = await Promise.all([signer(), anIssuer()])
    closers.push(stranger.close)
    const past = Math.floor(Date.now() / 1_000) - 600
    const body = pushed(mailbox.address)
    const good = await issuer.sign(GOOD)
    const [head = '', claims = ''] = good.split('.')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    const forged = {
      'no token': '',
      'another audience': await issuer.sign({ ...GOOD, aud: 'https://other.test/api/mail/google' }),
      'another account': await issuer.sign({ ...GOOD, email: 'x@project.iam.gserviceaccount.com' }),
      'an account that is not confirmed': await issuer.sign({ ...GOOD, email_verified: false }),
      'an old one': await issuer.sign({ ...GOOD, iat: past - 10, exp: past }),
      'of another issuer': await stranger.sign(GOOD),
      'signed by another': await stranger.sign({ ...GOOD, iss: issuer.url }),
      'signed by nobody': `${none}.${claims}.`,
      'cut off': `${head}.${claims}.AAAA`,
      'too long': `${good}${'A'.repeat(5_000)}`,
    }
    for (const [name, token] of Object.entries(forged))
      expect([name, await take(token, body)]).toEqual([name, false])
    expect(await isDue()).toBe(false)
  })

  test('says nothing of mailboxes that nobody here has, and of other forms', async () => {
    const { isDue, mailbox } = await told('google')
    const { issuer, take } = await signer()
    const token = await issuer.sign(GOOD)
    const data = (text: string) => JSON.stringify({ message: { data: Buffer.from(text).toString('base64') } })
    for (const body of [
      pushed('x@other.test'),
      '',
      '{',
      '{"message":{"data":"?"}}',
      data('{'),
      data('{}'),
      data('7'),
    ])
      expect(await take(token, body)).toBe(true)
    expect(await isDue()).toBe(false)
    expect(mailbox.address).not.toBe('x@other.test')
  })

  test('its door: 401 where nothing is set up, 413 for a large body', async () => {
    const knock = (body: string) => google(new Request(AUDIENCE, { method: 'POST', body }))
    expect((await knock(pushed('a@b.test'))).status).toBe(401)
    expect((await knock('x'.repeat(70_000))).status).toBe(413)
  })
})

describe('what Graph tells', () => {
  const notice = (of: object) => JSON.stringify({ value: [of] })

  test('has the mailbox read at once, by the secret of its subscription alone', async () => {
    const { mailbox_id, watch, isDue, server } = await told('microsoft')
    const subscriptionId = watch.subscription_id ?? ''
    const clientState = graphSecret(mailbox_id)
    if ('subscriptions' in server)
      expect(server.subscriptions.get(subscriptionId)).toMatchObject({ clientState })
    const forged = [
      notice({ subscriptionId, clientState: `${clientState}A` }),
      notice({ subscriptionId, clientState: graphSecret(crypto.randomUUID()) }),
      notice({ subscriptionId, clientState: mailbox_id }),
      notice({ subscriptionId }),
      notice({ subscriptionId: 'sub-other', clientState }),
      notice({ subscriptionId, clientState: { $ne: '' } }),
      '{"value": {}}',
      '[',
      '',
    ]
    for (const body of forged) await takeGraphNotices(body, new Date())
    expect(await isDue()).toBe(false)
    await takeGraphNotices(notice({ subscriptionId, clientState }), new Date())
    expect(await isDue()).toBe(true)
  })

  test.each([
    ['missed', ['POST']],
    ['reauthorizationRequired', ['POST', 'PATCH']],
    ['subscriptionRemoved', ['POST', 'POST']],
  ])('%s: the reading that follows makes it good', async (lifecycleEvent, expected) => {
    const { mailbox_id, watch, isDue, poll, server } = await told('microsoft')
    const one = { subscriptionId: watch.subscription_id, clientState: graphSecret(mailbox_id) }
    const value = [one, { ...one, lifecycleEvent }, one]
    await takeGraphNotices(JSON.stringify({ value }), minutes(20))
    expect(await isDue()).toBe(true)
    await poll(minutes(21))
    const asked = server.asked.filter(({ path }) => path.startsWith('/v1.0/subscriptions'))
    expect(asked.map(({ method }) => method)).toEqual(expected)
  })

  test('a flood has it read so often in a minute and no more', async () => {
    const { mailbox_id, mailbox, watch, isDue } = await told('microsoft')
    const now = new Date()
    const [own, shared] = [`push:${mailbox_id}`, `push:${mailbox.workspace_id}`]
    for (let i = 0; i < 31; i++)
      await takeTokens({ bucket: own, per_minute: 30 }, { bucket: shared, per_minute: 600 }, now)
    await takeGraphNotices(
      notice({ subscriptionId: watch.subscription_id, clientState: graphSecret(mailbox_id) }),
      now,
    )
    expect(await isDue()).toBe(false)
  })

  test('its door repeats the question as plain text, and answers 202 to whatever it is told', async () => {
    const at = 'https://opener.test/api/mail/microsoft'
    const knock = (query: string, body = '') =>
      microsoft(new Request(`${at}${query}`, { method: 'POST', body }))
    const question = 'Validation: <script>alert(1)</script> + ü'
    const answer = await knock(`?validationToken=${encodeURIComponent(question)}`)
    expect([answer.status, await answer.text()]).toEqual([200, question])
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await knock(`?validationToken=${'a'.repeat(2_049)}`)).status).toBe(400)
    expect((await knock('', notice({ subscriptionId: 'x', clientState: 'y' }))).status).toBe(202)
    expect((await knock('', 'x'.repeat(300_000))).status).toBe(413)
    Object.assign(env(), { MAIL_MICROSOFT_PUSH: false })
    expect((await knock('?validationToken=a')).status).toBe(404)
    Object.assign(env(), { MAIL_MICROSOFT_PUSH: true })
  })
})

test('secrets differ by mailbox, and fit into what Graph takes', () => {
  const [a, b] = [graphSecret(crypto.randomUUID()), graphSecret(crypto.randomUUID())]
  expect(a).not.toBe(b)
  expect(a.length).toBeLessThanOrEqual(128)
})
