import { expect, test } from 'vitest'
import { ListSenderProfiles } from '#lib/contracts/messages/sender-profiles'
import { ListTemplates } from '#lib/contracts/messages/templates'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aCampaign, aUser } from '#tests/support/scenes/factories'

const step = (named: { template_id?: string; sender_profile_id?: string }) => [
  {
    variants: [
      {
        label: 'A',
        weight: 100,
        type: 'TEMPLATE' as const,
        template_id: null,
        sender_profile_id: null,
        ...named,
      },
    ],
    subject: 'Hi',
    message_template: 'Hello',
  },
]

test('templates are sorted by name, subject, use and change, and found by their words', async () => {
  const owner = await aUser()
  const { workspace_id, user_id } = owner
  const template = async (name: string, subject: string, body: string, day: number) => {
    const at = new Date(Date.UTC(2026, 0, day))
    const made = { created_at: at, updated_at: at }
    const data = { workspace_id, user_id, name, content: { subject, body }, ...made }
    return (await db.template.create({ data })).template_id
  }
  await template('beta', 'Zebra', 'One word', 3)
  const used = await template('Alpha', 'yak', 'Two words', 1)
  await template('gamma', 'Ant', 'Three', 2)
  await aCampaign(owner, { steps_config: step({ template_id: used }) })
  const by = async (query: Record<string, string>) => {
    const { status, body } = await call(ListTemplates, { as: owner, query })
    expect([status, body.total]).toEqual([200, body.templates.length])
    return body.templates.map(({ name }) => name)
  }
  expect(await by({})).toEqual(['beta', 'gamma', 'Alpha'])
  expect(await by({ sort: 'name' })).toEqual(['Alpha', 'beta', 'gamma'])
  expect(await by({ sort: '-subject' })).toEqual(['beta', 'Alpha', 'gamma'])
  expect((await by({ sort: '-uses' }))[0]).toBe('Alpha')
  expect(await by({ sort: 'updated_at' })).toEqual(['Alpha', 'gamma', 'beta'])
  expect(await by({ search: 'WORD', sort: '-name' })).toEqual(['beta', 'Alpha'])
  expect(await by({ search: 'yak' })).toEqual(['Alpha'])
  expect(await by({ search: '100%' })).toEqual([])
  expect((await call(ListTemplates, { as: owner, query: { sort: 'content' } })).status).toBe(422)
})

test('sender profiles are sorted by name and by use', async () => {
  const owner = await aUser()
  const { workspace_id, user_id } = owner
  const profile = async (profile_name: string) =>
    (
      await db.senderProfile.create({
        data: { workspace_id, user_id, profile_name, sender_data: { data: {} } },
      })
    ).id
  await profile('beta')
  const used = await profile('Alpha')
  const { campaign_id } = await aCampaign(owner, { steps_config: step({ sender_profile_id: used }) })
  await db.campaign.update({ where: { campaign_id }, data: { status: 'active' } })
  const by = async (query: Record<string, string>) =>
    (await call(ListSenderProfiles, { as: owner, query })).body.sender_profiles.map(
      ({ profile_name, usage_count }) => [profile_name, usage_count],
    )
  expect(await by({ sort: '-profile_name' })).toEqual([
    ['beta', 0],
    ['Alpha', 1],
  ])
  expect((await by({ sort: '-usage_count' }))[0]).toEqual(['Alpha', 1])
  expect((await by({ sort: 'usage_count' }))[0]).toEqual(['beta', 0])
})
