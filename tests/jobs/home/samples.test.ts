import { expect, test } from 'vitest'
import { SAMPLE_KINDS } from '#lib/contracts/sandbox/samples'
import { db } from '#lib/db/client'
import { readHome } from '#lib/services/campaigns/home'
import { importRows } from '#lib/services/datasets/import'
import { createTemplate } from '#lib/services/messages/templates'
import { countSamples, removeSamples } from '#lib/services/sandbox/removal'
import { addSample } from '#lib/services/sandbox/samples'
import { aCampaign, aMailbox, aUser } from '#tests/support/scenes/factories'

// No mail is sent here: only the existence of a sandbox matters.
process.env.SANDBOX_SMTP_PORT = '2525'

const NOW = new Date('2026-11-21T12:30:00Z')

const anOwner = () => aUser()

async function rowsOf(workspace_id: string) {
  const where = { workspace_id }
  const counts = await Promise.all([
    db.campaign.count({ where }),
    db.dataset.count({ where }),
    db.template.count({ where }),
    db.senderProfile.count({ where }),
    db.socialPost.count({ where }),
    db.suppression.count({ where }),
    db.mailbox.count({ where }),
    db.sampleItem.count({ where }),
  ])
  return counts
}

test('every sample can be added, and one act removes them all', async () => {
  const owner = await anOwner()
  const before = await rowsOf(owner.workspace_id)
  for (const kind of SAMPLE_KINDS) {
    const made = await addSample(owner, kind, NOW)
    expect(made.map((item) => item.kind)).toContain(kind === 'history' ? 'campaign' : kind)
  }
  expect(await countSamples(owner.workspace_id)).toBeGreaterThanOrEqual(SAMPLE_KINDS.length)

  const { removed, kept } = await removeSamples(owner.workspace_id, NOW)

  expect(kept).toEqual([])
  expect(removed.length).toBeGreaterThanOrEqual(SAMPLE_KINDS.length)
  expect(await rowsOf(owner.workspace_id)).toEqual(before)
})

test('a sample campaign brings its leads and texts, and is ready but for its launch', async () => {
  const owner = await anOwner()
  const made = await addSample(owner, 'campaign', NOW)
  const idOf = (kind: string) => made.find((item) => item.kind === kind)?.item_id ?? ''
  const { session_id } = await db.datasetSession.findFirstOrThrow({ where: { dataset_id: idOf('leads') } })
  expect((await readHome(owner.workspace_id, NOW)).first_steps).toMatchObject({
    has_leads: false,
    is_importing: true,
  })
  await importRows(idOf('leads'), session_id, NOW)

  const { first_steps, draft } = await readHome(owner.workspace_id, NOW)
  expect(first_steps).toMatchObject({
    has_leads: true,
    has_campaign: true,
    has_sequence: true,
    has_launched: false,
  })
  expect(draft?.campaign_id).toBe(idOf('campaign'))

  const again = await addSample(owner, 'campaign', NOW)
  expect(again.map((item) => item.kind)).toEqual(['campaign'])
})

test('sample mail leaves from the sandbox alone, also beside a real mailbox of the same address', async () => {
  const owner = await anOwner()
  const real = await aMailbox(owner, { address: owner.email })
  const made = await addSample(owner, 'campaign', NOW)
  const [sandbox] = made.filter((item) => item.kind === 'mailbox')
  const campaign = await db.campaign.findFirstOrThrow({ where: { workspace_id: owner.workspace_id } })
  expect(campaign.alias_ids).toEqual([sandbox?.item_id])
  expect(await addSample(owner, 'campaign', NOW)).toHaveLength(1)
  expect((await removeSamples(owner.workspace_id, NOW)).kept).toEqual([])
  expect(await db.mailbox.findMany({ where: { workspace_id: owner.workspace_id } })).toMatchObject([
    { mailbox_id: real.mailbox_id },
  ])
})

test('a running sample campaign goes with what was answered to it; what the owner built stays', async () => {
  const owner = await anOwner()
  const { workspace_id } = owner
  const made = await addSample(owner, 'campaign', NOW)
  const idOf = (kind: string) => made.find((item) => item.kind === kind)?.item_id ?? ''
  const campaign_id = idOf('campaign')
  await db.campaign.update({ where: { campaign_id }, data: { status: 'active', launched_at: NOW } })
  const thread = {
    workspace_id,
    subject: 'Re: a question',
    counterpart_address: 'lead1@example.com',
    last_message_at: NOW,
    last_direction: 'in',
    last_kind: 'reply',
    preview: 'Yes',
  }
  await db.thread.createMany({ data: [{ ...thread, campaign_id }, thread] })
  const own = await createTemplate(owner, {
    name: 'My own',
    content: { subject: 'Hi', body: 'Hello' },
  })
  const onSample = await aCampaign(owner, { dataset_id: idOf('leads') })

  const { kept } = await removeSamples(workspace_id, NOW)

  expect(kept).toHaveLength(1)
  expect(await db.campaign.findMany({ where: { workspace_id }, select: { campaign_id: true } })).toEqual([
    { campaign_id: onSample.campaign_id },
  ])
  expect(await db.dataset.count({ where: { workspace_id } })).toBe(1)
  expect(await db.template.findMany({ where: { workspace_id } })).toMatchObject([
    { template_id: own.template_id },
  ])
  expect(await db.thread.findMany({ where: { workspace_id } })).toMatchObject([{ campaign_id: null }])
  expect(await countSamples(workspace_id)).toBe(0)
})

test('the samples of one owner are nobody else’s to remove', async () => {
  const owner = await anOwner()
  const stranger = await anOwner()
  await addSample(owner, 'template', NOW)
  expect(await removeSamples(stranger.workspace_id, NOW)).toEqual({ removed: [], kept: [] })
  expect(await db.template.count({ where: { workspace_id: owner.workspace_id } })).toBe(2)
})
