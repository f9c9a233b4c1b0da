import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { db } from '#lib/db/client'
import { operations } from '#lib/operations/all'
import { aCampaign, aDataset, aMailbox, aUser } from '#tests/support/factories'
import { FIRST } from '#tests/support/launched'
import { mcpClient } from '#tests/support/mcp'

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => vi.useRealTimers())
const elapse = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000)

/** A draft that could be launched. */
async function scene() {
  const owner = await aUser()
  await aMailbox(owner)
  const { campaign_id } = await aCampaign(owner, {
    dataset_id: (await aDataset(owner, 3)).dataset_id,
    steps_config: [FIRST],
  })
  const statusNow = async () => (await db.campaign.findUniqueOrThrow({ where: { campaign_id } })).status
  return { owner, campaign_id, statusNow, ...(await mcpClient(owner)) }
}

test('a launch shows first what it would do, and does it when confirmed', async () => {
  const { call, campaign_id, statusNow } = await scene()
  const first = await call('launchCampaign', { campaign_id })
  expect(first.isError).toBe(false)
  expect(first.said).toMatchObject({
    status: 'confirmation_required',
    arguments: { campaign_id },
    preview: { readLaunchChecks: { blocks: [] }, forecastCampaign: { total_actions: 3 } },
  })
  expect(await statusNow()).toBe('draft')

  const { confirmation_token } = first.said
  const second = await call('launchCampaign', { campaign_id, confirmation_token })
  expect([second.isError, second.said.status]).toEqual([false, 'launching'])
  expect(await statusNow()).toBe('launching')
})

test('a token works once, for these arguments, this tool and this user, for ten minutes', async () => {
  const { call, campaign_id, owner, statusNow } = await scene()
  const other = await aCampaign(owner, { steps_config: [FIRST] })
  const stranger = await mcpClient(await aUser())
  const tokenNow = async () => (await call('launchCampaign', { campaign_id })).said.confirmation_token
  const token = await tokenNow()
  const wrong = [
    await call('launchCampaign', { campaign_id: other.campaign_id, confirmation_token: token }),
    await call('launchCampaign', {
      campaign_id,
      start_date: '2099-01-01T00:00:00Z',
      confirmation_token: token,
    }),
    await call('resumeCampaign', { campaign_id, confirmation_token: token }),
    await stranger.call('launchCampaign', { campaign_id, confirmation_token: token }),
    await call('launchCampaign', { campaign_id, confirmation_token: `${token}A` }),
    await call('launchCampaign', { campaign_id, confirmation_token: 'made-up' }),
    await call('launchCampaign', { campaign_id, confirmation_token: '' }),
  ]
  expect(wrong.map(({ said }) => said.code)).toEqual(wrong.map(() => 'grant_invalid'))
  expect(await statusNow()).toBe('draft')

  elapse(11)
  expect((await call('launchCampaign', { campaign_id, confirmation_token: token })).said.code).toBe(
    'grant_invalid',
  )
  expect(await statusNow()).toBe('draft')

  const fresh = await tokenNow()
  const both = await Promise.all(
    [1, 2].map(() => call('launchCampaign', { campaign_id, confirmation_token: fresh })),
  )
  expect(both.map(({ said }) => said.code ?? 'done').toSorted()).toEqual(['done', 'grant_invalid'])
  expect(await statusNow()).toBe('launching')
})

test('an upload address confirms nothing', async () => {
  const { call, campaign_id } = await scene()
  const { said } = await call('importSpreadsheet')
  const confirmation_token = said.upload_url.split('/').at(-1)
  expect((await call('launchCampaign', { campaign_id, confirmation_token })).said.code).toBe('grant_invalid')
})

test('a preview shows what would refuse the launch, and a campaign that is not there has none', async () => {
  const { call, owner } = await scene()
  const blocked = await aCampaign(owner)
  const { said } = await call('launchCampaign', { campaign_id: blocked.campaign_id })
  expect(said.preview.readLaunchChecks.blocks.length).toBeGreaterThan(0)
  const { confirmation_token } = said
  const refused = await call('launchCampaign', { campaign_id: blocked.campaign_id, confirmation_token })
  expect([refused.isError, refused.said.status]).toEqual([true, 409])
  const nobody = await call('launchCampaign', { campaign_id: crypto.randomUUID() })
  expect([nobody.isError, nobody.said.code]).toEqual([true, 'campaign_not_found'])
})

test('a test message is shown whole before it leaves', async () => {
  const { call, campaign_id } = await scene()
  const { said } = await call('sendTest', { campaign_id, step: 1, to: 'me@example.com' })
  expect(said.preview.previewStep).toMatchObject({
    subject: 'Hello Lead0',
    text: expect.stringContaining('Company 0'),
  })
})

test('what shows the effect of a tool is a read that exists', () => {
  const named = operations.flatMap(({ contract }) => Object.keys(contract.previews ?? {}))
  expect(named.length).toBeGreaterThan(3)
  for (const read of named)
    expect(operations.find(({ contract }) => contract.id === read)?.contract.scope).toBe('read')
})
