import { expect, test } from 'vitest'
import { ReadContactPolicy, UpdateContactPolicy } from '#lib/contracts/workspaces/contact-policy'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'
import { aMember } from '#tests/support/scenes/team'

test('a reply ends the person everywhere, until an admin says otherwise', async () => {
  const owner = await aUser()
  const { workspace_id, user_id } = owner
  const before = await call(ReadContactPolicy, { as: owner })
  expect(before.body).toEqual({
    workspace_id,
    user_id,
    after_reply: 'everywhere',
    one_campaign_at_a_time: true,
    company_max_active: null,
    rest_days: 0,
    colleague_reply_days: 0,
    version: 1,
  })
  const changed = await call(UpdateContactPolicy, {
    as: owner,
    body: { after_reply: 'campaign', version: 1 },
  })
  expect(changed.body).toEqual({ ...before.body, after_reply: 'campaign', version: 2 })
  expect((await call(ReadContactPolicy, { as: owner })).body).toEqual(changed.body)
})

test('it is changed by admins alone, to what there is', async () => {
  const owner = await aUser()
  const member = await aMember(owner, 'member')
  expect((await call(ReadContactPolicy, { as: member })).status).toBe(200)
  const body = { after_reply: 'campaign' }
  expect((await call(UpdateContactPolicy, { as: member, body })).error.detail).toBe('role_insufficient')
  const unknown = await call(UpdateContactPolicy, { as: owner, body: { after_reply: 'nowhere' } })
  expect([unknown.status, unknown.error.details?.[0]?.loc]).toEqual([422, ['body', 'after_reply']])
  expect((await call(ReadContactPolicy, { as: owner })).body.after_reply).toBe('everywhere')
})
