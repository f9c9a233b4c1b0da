import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CreateReportLink, ListReportLinks, RevokeReportLink } from '#lib/contracts/campaigns/report-links'
import { RemoveMember } from '#lib/contracts/workspaces/members'
import { db } from '#lib/db/client'
import { openReport } from '#lib/services/campaigns/reports/open-report'
import { call } from '#tests/support/call'
import { aCampaign, aDataset, anEnrolledLead, aUser } from '#tests/support/scenes/factories'
import { aMember } from '#tests/support/scenes/team'

Object.assign(process.env, { RATE_LIMIT_READ: '100000', RATE_LIMIT_WRITE: '100000' })

type Person = { workspace_id: string; user_id: string }
const NOW = new Date('2026-11-23T10:00:00Z')
const DAY_MS = 86_400_000
const later = (days: number) => new Date(NOW.getTime() + days * DAY_MS)
const tokenIn = ({ url }: { url: string }) => url.split('/').at(-1) ?? ''

let places = 0
/** Each request comes from a network of its own, so that no rate bucket is shared. */
const open = (token: string, at = new Date()) => {
  places += 1
  return openReport(token, `10.${places >> 8}.${places & 255}.1`, at)
}

const ENDED = { status: 'replied', next_step: null, next_action_at: null, next_action_type: null } as const

async function aLaunched(maker: Person, name = 'Spring') {
  const rows = [
    { email: 'ada@secret.example', first_name: 'Ada', last_name: 'Lovelace', note: 'private words' },
    { email: 'bob@secret.example', first_name: null, last_name: null, note: null },
  ]
  const { dataset_id } = await aDataset(maker, rows)
  const { campaign_id } = await aCampaign(maker, { name, dataset_id })
  for (const [lead_index, { email }] of rows.entries()) {
    const { campaign_lead_id } = await anEnrolledLead(maker, { campaign_id, lead_index, email })
    await db.campaignLead.update({ where: { campaign_lead_id }, data: ENDED })
  }
  await db.campaign.update({ where: { campaign_id }, data: { launched_at: NOW } })
  return campaign_id
}

let owner: Awaited<ReturnType<typeof aUser>>
let member: Person
let ofOwner: string
let ofMember: string
const create = (as: Person, body: Record<string, unknown>) =>
  call(CreateReportLink, { as, body: { name: 'For a client', ...body } })
const list = async (as: Person, query = {}) => (await call(ListReportLinks, { as, query })).body
const revoke = (as: Person, report_link_id: string) =>
  call(RevokeReportLink, { as, params: { report_link_id } })

beforeAll(async () => {
  owner = await aUser({ tier: 'scale', timezone: 'Europe/Berlin' })
  member = await aMember(owner, 'member')
  ofOwner = await aLaunched(owner, 'Spring')
  ofMember = await aLaunched(member, 'Autumn')
})
beforeEach(async () => {
  await db.reportLink.deleteMany({ where: { workspace_id: owner.workspace_id } })
})

describe('a report link', () => {
  test('is shown once, and only its digest is kept', async () => {
    const { status, body } = await create(owner, { campaign_ids: [ofOwner, ofMember, ofOwner] })
    expect(status).toBe(201)
    const token = tokenIn(body)
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    expect(new URL(body.url).pathname).toBe(`/r/${token}`)
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(30 * DAY_MS)
    const row = await db.reportLink.findUniqueOrThrow({ where: { report_link_id: body.report_link_id } })
    expect(JSON.stringify(row)).not.toContain(token)
    const { items } = await list(owner)
    expect(JSON.stringify(items)).not.toMatch(new RegExp(`${token}|digest|url`))
    expect(items[0]).toMatchObject({ user_id: owner.user_id, show_names: false, open_count: 0 })
    expect(items[0]?.campaigns.map(({ name }) => name)).toEqual(['Autumn', 'Spring'])
  })

  test('shows counts, and neither names, addresses nor texts', async () => {
    const { body } = await create(owner, { campaign_ids: [ofOwner] })
    const report = await open(tokenIn(body))
    expect(report).toMatchObject({
      name: 'For a client',
      timezone: 'Europe/Berlin',
      campaigns: [{ name: 'Spring', names: null, analytics: { leads: { total: 2, replied: 2 } } }],
    })
    expect(JSON.stringify(report)).not.toMatch(/Ada|secret\.example|private words/)
  })

  test('names those who replied where that is allowed, by their names alone', async () => {
    const { body } = await create(owner, { campaign_ids: [ofOwner], show_names: true })
    const report = await open(tokenIn(body))
    expect(report?.campaigns[0]?.names).toEqual(['Ada Lovelace'])
    expect(JSON.stringify(report)).not.toMatch(/secret\.example|private words/)
  })

  test('counts how often it was opened, and when last', async () => {
    const { body } = await create(owner, { campaign_ids: [ofOwner] })
    await open(tokenIn(body), later(1))
    await open(tokenIn(body), later(2))
    expect((await list(owner)).items[0]).toMatchObject({
      open_count: 2,
      last_opened_at: later(2).toISOString(),
    })
  })

  test('opens nothing once it is expired or revoked, as one that never was', async () => {
    const short = (await create(owner, { campaign_ids: [ofOwner], expires_in_days: 1 })).body
    const gone = (await create(owner, { campaign_ids: [ofOwner] })).body
    expect((await revoke(owner, gone.report_link_id)).status).toBe(204)
    const ended = new Date(short.expires_at)
    expect(await open(tokenIn(short), new Date(ended.getTime() - 1))).not.toBeNull()
    for (const token of [tokenIn(short), tokenIn(gone), 'wrong', `${tokenIn(short)}x`])
      expect(await open(token, ended)).toBeNull()
    expect((await revoke(owner, gone.report_link_id)).error.detail).toBe('report_link_not_found')
  })

  test('is not guessed from one network', async () => {
    const { body } = await create(owner, { campaign_ids: [ofOwner] })
    const at = new Date()
    for (let tries = 0; tries < 30; tries++) await openReport(`guess-${tries}`, '192.0.2.7', at)
    expect(await openReport(tokenIn(body), '192.0.2.7', at)).toBeNull()
    expect(await openReport(tokenIn(body), '192.0.2.8', at)).not.toBeNull()
    expect(await openReport(tokenIn(body), '192.0.2.7', new Date(at.getTime() + 60_000))).not.toBeNull()
  })

  test('loses a campaign that is deleted, and opens nothing without any', async () => {
    const doomed = await aLaunched(owner, 'Doomed')
    const { body } = await create(owner, { campaign_ids: [ofOwner, doomed] })
    const only = (await create(owner, { campaign_ids: [doomed] })).body
    await db.campaign.delete({ where: { campaign_id: doomed } })
    expect((await open(tokenIn(body)))?.campaigns.map(({ name }) => name)).toEqual(['Spring'])
    expect(await open(tokenIn(only))).toBeNull()
    expect((await list(owner)).items.map(({ campaigns }) => campaigns.length)).toEqual([0, 1])
  })

  test('goes with its workspace', async () => {
    const other = await aUser()
    const { body } = await create(other, { campaign_ids: [await aLaunched(other)] })
    await db.workspace.delete({ where: { workspace_id: other.workspace_id } })
    expect(await open(tokenIn(body))).toBeNull()
  })

  test('stays when who made it is removed, and is the heir’s', async () => {
    const leaving = await aMember(owner, 'member')
    const { body } = await create(leaving, { campaign_ids: [await aLaunched(leaving)] })
    const params = { workspace_id: owner.workspace_id, user_id: leaving.user_id }
    expect((await call(RemoveMember, { as: owner, params })).status).toBe(204)
    expect(await open(tokenIn(body))).not.toBeNull()
    expect((await list(owner)).items[0]?.user_id).toBe(owner.user_id)
  })
})

describe('a member', () => {
  test('shares their own campaigns, and no other', async () => {
    expect((await create(member, { campaign_ids: [ofMember] })).status).toBe(201)
    const refused = await create(member, { campaign_ids: [ofMember, ofOwner] })
    expect([refused.status, refused.error.detail]).toEqual([403, 'role_insufficient'])
    expect(refused.error.message).toContain('campaigns you made')
  })

  test('sees and revokes links to their campaigns only, whoever made them', async () => {
    const mixed = (await create(owner, { campaign_ids: [ofOwner, ofMember] })).body
    const theirs = (await create(owner, { campaign_ids: [ofMember] })).body
    expect((await list(member)).items.map(({ report_link_id }) => report_link_id)).toEqual([
      theirs.report_link_id,
    ])
    expect((await list(owner)).total).toBe(2)
    expect((await list(owner, { campaign_id: ofOwner })).total).toBe(1)
    expect((await revoke(member, mixed.report_link_id)).status).toBe(403)
    expect((await revoke(member, theirs.report_link_id)).status).toBe(204)
    expect((await list(owner)).total).toBe(1)
  })
})

test.each(['viewer', 'client'] as const)('a %s neither makes nor sees links', async (role) => {
  const as = await aMember(owner, role)
  expect((await create(as, { campaign_ids: [ofOwner] })).status).toBe(403)
  expect((await call(ListReportLinks, { as })).status).toBe(403)
})

test('another workspace’s campaign is 404, and nothing is made', async () => {
  const other = await aUser()
  const { status, error } = await create(other, { campaign_ids: [ofOwner] })
  expect([status, error.detail]).toEqual([404, 'campaign_not_found'])
  expect((await list(other)).total).toBe(0)
})

test.each([
  { campaign_ids: [] },
  { expires_in_days: 0 },
  { expires_in_days: 366 },
  { name: ' ' },
  { campaign_ids: Array.from({ length: 21 }, () => crypto.randomUUID()) },
])('422 %o', async (fields) => {
  expect((await create(owner, { campaign_ids: [ofOwner], ...fields })).status).toBe(422)
})

test('409 above 500 links, also for several at once', async () => {
  const { workspace_id, user_id } = owner
  const there = await db.reportLink.count({ where: { workspace_id } })
  await db.reportLink.createMany({
    data: Array.from({ length: 499 - there }, () => ({
      workspace_id,
      user_id,
      name: 'Many',
      digest: crypto.randomUUID().padEnd(64, '-'),
      expires_at: later(1),
    })),
  })
  const made = await Promise.all([1, 2, 3, 4].map(() => create(owner, { campaign_ids: [ofOwner] })))
  expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
  const { status, error } = await create(owner, { campaign_ids: [ofOwner] })
  expect([status, error.detail]).toEqual([409, 'report_links_full'])
})
