import { Pool } from 'pg'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import { unseal } from '#lib/db/seal'
import { env } from '#lib/env'
import { createImapProvider } from '#lib/providers/inbox/imap'
import { pollInboxes } from '#lib/services/inbox/mailboxes/poll'
import { accessToken } from '#lib/services/senders/grants/access-token'
import { authorizeMailbox, completeMailboxOAuth } from '#lib/services/senders/grants/connect'
import { prepareRevocation } from '#lib/services/senders/grants/revoke'
import { createOpener, sendFrom } from '#lib/services/senders/mailbox-connection'
import { deleteMailbox, updateMailbox } from '#lib/services/senders/mailboxes'
import { aMailbox, aUser } from '#tests/support/scenes/factories'
import { MONDAY, minutes } from '#tests/support/scenes/launched'
import { aProvider, aSink, message } from '#tests/support/scenes/smtp'
import { createImapServer } from '#tests/support/servers/imap'
import { aGrant, anOAuthServer, connectedByOAuth } from '#tests/support/servers/oauth'

const closers: (() => Promise<unknown>)[] = []
afterAll(() => Promise.all(closers.map((close) => close())))
afterEach(() => db.mailbox.deleteMany())

async function server(...options: Parameters<typeof anOAuthServer>) {
  const made = await anOAuthServer(...options)
  closers.push(made.close)
  return made
}
const grantOf = async (mailbox_id: string) => {
  const { refresh_token, ...grant } = await db.mailboxGrant.findUniqueOrThrow({ where: { mailbox_id } })
  return { ...grant, refresh_token: refresh_token ?? '' }
}
const mailboxOf = (mailbox_id: string) => db.mailbox.findUniqueOrThrow({ where: { mailbox_id } })
const LATER = minutes(100_000)

describe('connecting', () => {
  test.each(['google', 'microsoft'] as const)(
    '%s: a mailbox with its servers, its tokens sealed',
    async (vendor) => {
      const owner = await aUser()
      const at = await server({ vendor })
      const mailbox = await connectedByOAuth(owner, at, new Date())
      expect(mailbox).toMatchObject({ address: 'ana@company.test', name: 'Ana Silva', status: 'connected' })
      expect(mailbox.oauth).toMatchObject({ vendor, ended_cause: null })
      expect(mailbox.smtp).toMatchObject({ ...at.oauth.servers?.smtp, username: 'ana@company.test' })
      const { access_token, refresh_token } = await grantOf(mailbox.mailbox_id)
      expect(at.live.refresh).toContain(unseal(refresh_token, mailbox.mailbox_id))
      expect(at.live.access).toContain(unseal(access_token ?? '', mailbox.mailbox_id))
      expect(() => unseal(refresh_token, crypto.randomUUID())).toThrow()
      for (const secret of [...at.live.access, ...at.live.refresh])
        expect(JSON.stringify(mailbox)).not.toContain(secret)
    },
  )

  test('a state is good once, for its session, for ten minutes', async () => {
    const owner = await aUser()
    const at = await server()
    const begin = (session_id: string) =>
      authorizeMailbox({ ...owner, session_id }, { vendor: 'google' }, MONDAY, at.vendors)
    const complete = (session_id: string, url: string, now = MONDAY) =>
      completeMailboxOAuth(
        { ...owner, session_id },
        { vendor: 'google', query: at.allow(url) },
        now,
        at.vendors,
      )
    const { url } = await begin('one')
    await expect(complete('another', url)).rejects.toMatchObject({ code: 'grant_invalid' })
    await expect(complete('one', url, minutes(10))).rejects.toMatchObject({ code: 'grant_invalid' })
    await complete('one', url)
    await expect(complete('one', url)).rejects.toMatchObject({ code: 'grant_invalid' })
    expect(at.calls.code).toBe(1)
  })

  test('what was not allowed, not ticked or not said of that mailbox connects nothing', async () => {
    const owner = await aUser()
    const session = { ...owner, session_id: 'one' }
    const asked = async (at: Awaited<ReturnType<typeof anOAuthServer>>, query?: string) => {
      const { url } = await authorizeMailbox(session, { vendor: 'google' }, MONDAY, at.vendors)
      const state = new URL(url).searchParams.get('state') ?? ''
      return completeMailboxOAuth(
        session,
        { vendor: 'google', query: query ? `${query}&state=${state}` : at.allow(url) },
        MONDAY,
        at.vendors,
      )
    }
    await expect(asked(await server(), 'error=access_denied')).rejects.toMatchObject({
      code: 'mailbox_not_allowed',
    })
    await expect(asked(await server({ scope: 'openid email' }))).rejects.toMatchObject({
      code: 'mailbox_scope_missing',
    })
    const refusing = await server({ play: () => ({ status: 401, body: { error: 'invalid_client' } }) })
    await expect(asked(refusing)).rejects.toMatchObject({ code: 'provider_rejected' })
    const other = await aMailbox(owner)
    await expect(connectedByOAuth(owner, await server(), MONDAY, other.mailbox_id)).rejects.toMatchObject({
      code: 'mailbox_of_another',
    })
    expect(await db.mailboxGrant.count({ where: { workspace_id: owner.workspace_id } })).toBe(0)
  })

  test('servers given by hand end the grant, so that no other host is told its token', async () => {
    const owner = await aUser()
    const { mailbox_id } = await connectedByOAuth(owner, await server(), MONDAY)
    const imap = { host: 'imap.elsewhere.test', port: 993, security: 'tls' as const }
    const changed = await updateMailbox(owner.workspace_id, mailbox_id, { imap }, MONDAY)
    expect(changed.oauth).toBeNull()
    expect(await db.mailboxGrant.count({ where: { mailbox_id } })).toBe(0)
  })

  test('a removed mailbox is revoked at Google', async () => {
    const owner = await aUser()
    const at = await server()
    const { mailbox_id } = await connectedByOAuth(owner, at, new Date())
    const token = unseal((await grantOf(mailbox_id)).refresh_token, mailbox_id)
    const revoke = await prepareRevocation(owner.workspace_id, mailbox_id, at.vendors)
    await deleteMailbox(owner.workspace_id, mailbox_id)
    await revoke()
    expect(at.calls.revoked).toEqual([token])
  })
})

describe('tokens', () => {
  test('several workers that find one run out renew it once, and keep the one that took its place', async () => {
    const mailbox = await aMailbox(await aUser())
    const at = await server({ vendor: 'microsoft' })
    const { refresh_token } = await aGrant(mailbox, at)
    const pools = [pool(), new Pool({ connectionString: env().DATABASE_URL })]
    closers.push(() => (pools[1] as Pool).end())
    const asked = [...pools, ...pools, ...pools].map((each) =>
      accessToken(mailbox.mailbox_id, { pool: each, now: MONDAY, vendors: at.vendors }),
    )
    const tokens = await Promise.all(asked)
    expect(at.calls.refresh).toBe(1)
    expect(new Set(tokens.map((token) => token.ok && token.access_token)).size).toBe(1)
    const kept = unseal((await grantOf(mailbox.mailbox_id)).refresh_token, mailbox.mailbox_id)
    expect(kept).not.toBe(refresh_token)
    expect(at.live.refresh).toContain(kept)
  })

  test('one is renewed five minutes before it runs out, and a vendor that gives no new refresh token keeps the old', async () => {
    const mailbox = await aMailbox(await aUser())
    const at = await server()
    const { refresh_token } = await aGrant(mailbox, at, {
      access_token: 'first',
      access_expires_at: minutes(60),
    })
    const ask = (now: Date) => accessToken(mailbox.mailbox_id, { pool: pool(), now, vendors: at.vendors })
    expect(await ask(minutes(54))).toMatchObject({ access_token: 'first' })
    expect(await ask(minutes(55))).toMatchObject({ ok: true })
    expect(at.calls.refresh).toBe(1)
    expect(unseal((await grantOf(mailbox.mailbox_id)).refresh_token, mailbox.mailbox_id)).toBe(refresh_token)
  })

  test('a revoked one signs the mailbox out, is told of once, and reconnecting clears it', async () => {
    const owner = await aUser()
    const at = await server()
    const { mailbox_id } = await connectedByOAuth(owner, at, MONDAY)
    at.live.refresh.clear()
    const twoHoursOn = new Date(Date.now() + 7_200_000)
    const ask = () => accessToken(mailbox_id, { pool: pool(), now: twoHoursOn, vendors: at.vendors })
    expect(await ask()).toMatchObject({ ok: false, cause: 'signed_out', said: 'Token has been revoked.' })
    expect(await ask()).toMatchObject({ ok: false, cause: 'signed_out' })
    expect(at.calls.refresh).toBe(1)
    expect(await mailboxOf(mailbox_id)).toMatchObject({ status: 'failing', failing_cause: 'signed_out' })
    expect(await db.notification.count({ where: { mailbox_id } })).toBe(1)
    const again = await connectedByOAuth(owner, at, twoHoursOn, mailbox_id)
    expect(again).toMatchObject({ status: 'connected', failing_cause: null, oauth: { ended_cause: null } })
  })

  test.each([
    ['out of reach', { drop: true }, 'unreachable'],
    ['refusing our client', { status: 401, body: { error: 'invalid_client' } }, 'misconfigured'],
  ])('a vendor %s signs nobody out', async (_, play, cause) => {
    const mailbox = await aMailbox(await aUser())
    const at = await server({ play: () => play })
    await aGrant(mailbox, at)
    const asked = { pool: pool(), now: MONDAY, vendors: at.vendors }
    expect(await accessToken(mailbox.mailbox_id, asked)).toMatchObject({ ok: false, cause })
    expect(await grantOf(mailbox.mailbox_id)).toMatchObject({ ended_cause: null })
  })
})

describe('sending and reading by XOAUTH2', () => {
  async function aScene(options: Parameters<typeof anOAuthServer>[0] = {}) {
    const owner = await aUser()
    const at = await server(options)
    const mailbox = await aMailbox(owner)
    await aGrant(mailbox, at, { access_token: 'known-1', access_expires_at: LATER })
    const takesToken = (token: string) => at.live.access.has(token)
    return { at, mailbox, takesToken }
  }
  const openableAt = (mailbox_id: string, port: number) => ({
    mailbox_id,
    address: message().from.address,
    smtp: { host: '127.0.0.1', port, security: 'none' as const, username: 'ana@company.test' },
    smtp_password: null,
    by_oauth: true,
  })

  test('a message leaves with the token that is known', async () => {
    const { at, mailbox, takesToken } = await aScene()
    const sink = await aSink({ takesToken })
    const opener = createOpener(pool(), () => MONDAY, at.vendors)
    const sent = await sendFrom(aProvider(), opener, openableAt(mailbox.mailbox_id, sink.port), message())
    expect(sent).toMatchObject({ outcome: 'accepted' })
    expect(at.calls.refresh).toBe(0)
  })

  test('one that was taken back is renewed before anything is offered, and the message leaves once', async () => {
    const { at, mailbox, takesToken } = await aScene()
    at.live.access.clear()
    const sink = await aSink({ takesToken })
    const opener = createOpener(pool(), () => MONDAY, at.vendors)
    const sent = await sendFrom(aProvider(), opener, openableAt(mailbox.mailbox_id, sink.port), message())
    expect(sent).toMatchObject({ outcome: 'accepted' })
    expect([at.calls.refresh, sink.messages.length]).toEqual([1, 1])
  })

  test.each([
    ['cuts the line', { drop: true }, 'unknown'],
    ['says that the token ran out', { reply: '535 5.7.8 Token expired' }, 'refused_for_good'],
    ['wants a sign-in', { reply: '530 5.7.0 Authentication required' }, 'refused_for_good'],
  ])('a server that %s once it has the message is not offered it again', async (_, play, outcome) => {
    const { at, mailbox, takesToken } = await aScene()
    const sink = await aSink({ takesToken, play: (stage) => (stage === 'body' ? play : undefined) })
    const opener = createOpener(pool(), () => MONDAY, at.vendors)
    const sent = await sendFrom(aProvider(), opener, openableAt(mailbox.mailbox_id, sink.port), message())
    expect(sent.outcome).toBe(outcome)
    expect(at.calls.refresh).toBe(0)
    expect(sink.commands.filter((line) => line === 'DATA')).toHaveLength(1)
  })

  test('one whose grant has ended offers nothing, and says who has to act', async () => {
    const { at, mailbox, takesToken } = await aScene()
    at.live.access.clear()
    at.live.refresh.clear()
    const sink = await aSink({ takesToken })
    const opener = createOpener(pool(), () => MONDAY, at.vendors)
    const sent = await sendFrom(aProvider(), opener, openableAt(mailbox.mailbox_id, sink.port), message())
    expect(sent).toMatchObject({ outcome: 'never_left', cause: 'signed_out' })
    expect(sink.messages).toEqual([])
  })

  test('one that ended while its finder died is told of by whoever asks next, and once', async () => {
    const { at, mailbox } = await aScene()
    const { mailbox_id } = mailbox
    const ended = { ended_cause: 'signed_out', ended_said: 'invalid_grant', ended_at: MONDAY }
    await db.mailboxGrant.update({ where: { mailbox_id }, data: ended })
    const ask = () => accessToken(mailbox_id, { pool: pool(), now: MONDAY, vendors: at.vendors })
    expect(await ask()).toMatchObject({ ok: false, cause: 'signed_out' })
    expect(await mailboxOf(mailbox_id)).toMatchObject({ status: 'failing', failing_cause: 'signed_out' })
    await ask()
    expect(await mailboxOf(mailbox_id)).toMatchObject({ failing_tries: 1 })
    expect(await db.notification.count({ where: { mailbox_id, kind: 'mailbox_failing' } })).toBe(1)
  })

  test('mail is read with a token, which is renewed where the server refuses it', async () => {
    const { at, mailbox, takesToken } = await aScene()
    at.live.access.clear()
    const inbox = { uid_validity: 7, mails: [] }
    const imapServer = await createImapServer({ INBOX: inbox }, { takesToken })
    closers.push(imapServer.close)
    const imap = { host: '127.0.0.1', port: imapServer.port, security: 'none', username: 'ana@company.test' }
    await db.mailbox.update({ where: { mailbox_id: mailbox.mailbox_id }, data: { imap } })
    const polled = await pollInboxes({
      pool: pool(),
      imap: createImapProvider({ policy: { allow_private_hosts: true } }),
      clock: () => MONDAY,
      until: LATER,
      mailbox_ids: [mailbox.mailbox_id],
      vendors: at.vendors,
    })
    expect(polled).toMatchObject({ mailboxes: 1, failed: 0 })
    expect(at.calls.refresh).toBe(1)
    expect(imapServer.commands.filter((command) => command === 'AUTHENTICATE …')).toHaveLength(2)
  })
})
