import { expect, test } from 'vitest'
import { ListWebhookDeliveries } from '#lib/contracts/telling/webhooks'
import { ListInvitations } from '#lib/contracts/workspaces/invitations'
import { ListPasskeys } from '#lib/contracts/workspaces/passkeys'
import { ListSessions } from '#lib/contracts/workspaces/sessions'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'

const NOW = Date.now()
const ago = (hours: number) => new Date(NOW - hours * 3_600_000)
const AGENTS = {
  chrome: 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36',
  firefox: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
  safari: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) Version/18.0 Safari/604.1',
}

test('sessions are sorted by browser, network, and when they began and were last seen; unknown networks last', async () => {
  const owner = await aUser()
  for (const [name, place, began, seen] of [
    ['safari', '203.0.113', 3, 1],
    ['chrome', null, 2, 2],
    ['firefox', '198.51.100', 1, 0],
  ] as const)
    await db.userSession.create({
      data: {
        user_id: owner.user_id,
        user_agent: AGENTS[name],
        place,
        created_at: ago(began),
        last_seen_at: ago(seen),
        expires_at: ago(-24),
      },
    })
  const by = async (query: Record<string, string>) => {
    const { status, body } = await call(ListSessions, { as: owner, query })
    expect(status).toBe(200)
    expect(body.total).toBe(3)
    return body.items.map(({ user_agent }) =>
      Object.entries(AGENTS)
        .find(([, agent]) => agent === user_agent)
        ?.at(0),
    )
  }
  expect(await by({})).toEqual(['firefox', 'chrome', 'safari'])
  expect(await by({ sort: 'browser' })).toEqual(['chrome', 'firefox', 'safari'])
  expect(await by({ sort: '-place' })).toEqual(['safari', 'firefox', 'chrome'])
  expect(await by({ sort: 'created_at' })).toEqual(['safari', 'chrome', 'firefox'])
  expect(await by({ sort: 'last_seen_at', page: '2', page_size: '2' })).toEqual(['firefox'])
  expect((await call(ListSessions, { as: owner, query: { sort: 'expires_at' } })).status).toBe(422)
})

test('passkeys are sorted by name in any case, and when they were added and last used; unused ones last', async () => {
  const owner = await aUser()
  for (const [name, added, used] of [
    ['phone', 3, null],
    ['Desk', 2, 1],
    ['tablet', 1, 2],
  ] as const)
    await db.passkey.create({
      data: {
        user_id: owner.user_id,
        name,
        credential_id: `${owner.user_id}-${name}`,
        public_key: new Uint8Array(),
        backup_eligible: false,
        backed_up: false,
        created_at: ago(added),
        last_used_at: used === null ? null : ago(used),
      },
    })
  const by = async (query: Record<string, string>) => {
    const { body } = await call(ListPasskeys, { as: owner, query })
    return body.items.map(({ name }) => name)
  }
  expect(await by({})).toEqual(['phone', 'Desk', 'tablet'])
  expect(await by({ sort: 'name' })).toEqual(['Desk', 'phone', 'tablet'])
  expect(await by({ sort: 'last_used_at' })).toEqual(['tablet', 'Desk', 'phone'])
  expect(await by({ sort: '-created_at', page: '1', page_size: '1' })).toEqual(['tablet'])
})

test('invitations are sorted by address in any case, role and when they expire', async () => {
  const owner = await aUser()
  const { workspace_id } = owner
  for (const [email, role, hours] of [
    ['zoe@example.com', 'viewer', -5],
    ['Ada@example.com', 'member', -9],
    ['bo@example.com', 'admin', 2],
  ] as const)
    await db.invitation.create({
      data: { workspace_id, email, role, digest: `${workspace_id}-${email}`, expires_at: ago(hours) },
    })
  const by = async (query: Record<string, string>) => {
    const { body } = await call(ListInvitations, { as: owner, params: { workspace_id }, query })
    return body.items.map(({ email }) => email.split('@')[0])
  }
  expect(await by({ sort: 'email' })).toEqual(['Ada', 'bo', 'zoe'])
  expect(await by({ sort: '-role' })).toEqual(['zoe', 'Ada', 'bo'])
  expect(await by({ sort: 'expires_at' })).toEqual(['bo', 'zoe', 'Ada'])
  expect(await by({ sort: 'email', page: '2', page_size: '2' })).toEqual(['zoe'])
})

test('deliveries are sorted by event, state, attempts, time and when they are tried next; those that are over last', async () => {
  const owner = await aUser()
  const { workspace_id } = owner
  const { webhook_id } = await db.webhook.create({
    data: { workspace_id, url: 'https://a.example/', secret: 's', secret_hint: 's' },
  })
  for (const [type, status, attempts, hours, next] of [
    ['lead.replied', 'delivered', 1, 3, null],
    ['lead.bounced', 'pending', 2, 2, -2],
    ['campaign.launched', 'pending', 0, 1, -1],
    ['lead.opened', 'failed', 9, 4, null],
  ] as const) {
    const { event_id } = await db.webhookEvent.create({
      data: { workspace_id, type, at: ago(hours), data: {} },
    })
    const tried = Array.from({ length: attempts }, () => ({
      at: ago(hours).toISOString(),
      status_code: 500,
      response: '',
      duration_ms: 1,
      error: null,
    }))
    await db.webhookDelivery.create({
      data: {
        webhook_id,
        workspace_id,
        event_id,
        status,
        attempts: tried,
        created_at: ago(hours),
        next_attempt_at: next === null ? null : ago(next),
      },
    })
  }
  const by = async (query: Record<string, string>) => {
    const { status, body } = await call(ListWebhookDeliveries, { as: owner, params: { webhook_id }, query })
    expect(status).toBe(200)
    return body.items.map(({ event_type }) => event_type.split('.')[1])
  }
  expect(await by({})).toEqual(['launched', 'bounced', 'replied', 'opened'])
  expect(await by({ sort: 'event_type' })).toEqual(['launched', 'bounced', 'opened', 'replied'])
  expect(await by({ sort: '-attempt_count' })).toEqual(['opened', 'bounced', 'replied', 'launched'])
  expect(await by({ sort: 'next_attempt_at' })).toEqual(['launched', 'bounced', 'replied', 'opened'])
  expect(await by({ sort: '-next_attempt_at' })).toEqual(['bounced', 'launched', 'replied', 'opened'])
  expect(await by({ sort: '-created_at', status: 'pending' })).toEqual(['launched', 'bounced'])
  expect(await by({ sort: 'created_at', page: '2', page_size: '3' })).toEqual(['launched'])
})
