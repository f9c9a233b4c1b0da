import { afterAll, expect, test } from 'vitest'
import { ReadLaunchChecks } from '#lib/contracts/campaigns/launch-checks'
import { ListDatasetSessions } from '#lib/contracts/enrichment/dataset-sessions'
import {
  ListVerifiedRows,
  ReadDatasetVerification,
  VerifyDataset,
} from '#lib/contracts/enrichment/verification'
import { db, pool } from '#lib/db/client'
import type { LookupAnswer } from '#lib/providers/enrichment/port'
import { VERIFICATION_FIELDS, type Verifier } from '#lib/providers/verification/service'
import { removeOldVerifications } from '#lib/services/enrichment/verification'
import { finderTools } from '#lib/services/finder/tools'
import { enrolLeads } from '#lib/services/launch/enrolment'
import { call } from '#tests/support/call'
import { aCampaign, aDataset, aMailbox, aUser } from '#tests/support/scenes/factories'
import { carryOut } from '#tests/support/scenes/pipeline'
import { createDnsServer } from '#tests/support/servers/dns'

type User = Awaited<ReturnType<typeof aUser>>

const MX = { MX: [[10, 'mx.good.com']] as [number, string][] }
const dns = await createDnsServer({ 'good.com': MX, 'mailinator.com': MX, 'none.com': { TXT: ['nothing'] } })
afterAll(() => dns.close())
Object.assign(process.env, { DNS_SERVERS: dns.server, RATE_LIMIT_AI: '10000' })

const EMAILS = ['ada@good.com', 'info@good.com', 'bo@none.com', 'cy@mailinator.com', 'dee@nowhere.com', null]

/** A verifier with answers for some addresses, which counts its lookups. */
function aVerifier(answers: Record<string, LookupAnswer>) {
  const asked: string[] = []
  const verifier: Verifier = {
    name: 'paid',
    description: 'Knows.',
    is_sandbox: false,
    fields: VERIFICATION_FIELDS,
    price_micros: 10_000,
    lookup: async ({ email = '' }) => {
      asked.push(email)
      return answers[email] ?? { outcome: 'nothing', cost_micros: 0 }
    },
  }
  return { asked, verifier }
}
const says = (status: string, code: string): LookupAnswer => ({
  outcome: 'found',
  fields: { status, code, reason: 'Paid says so.' },
  cost_micros: 10_000,
  source: 'Paid',
})

async function verified(
  owner: User,
  dataset_id: string,
  verifiers: Verifier[] = [],
  { recheck = false, max_cost = 1 } = {},
) {
  const session = await call(VerifyDataset, { as: owner, params: { dataset_id }, body: { recheck } })
  expect([session.status, session.body.work]).toEqual([202, 'verification'])
  // The environment does not know the services of a test.
  const { session_id } = session.body
  const options = { recheck, max_cost, providers: verifiers.map(({ name }) => name) }
  await db.datasetSession.update({ where: { session_id }, data: { options } })
  await carryOut(session_id, { finder: finderTools(), verifiers })
  return (await call(ReadDatasetVerification, { as: owner, params: { dataset_id } })).body
}

const listed = async (owner: User, dataset_id: string, query = {}) =>
  (await call(ListVerifiedRows, { as: owner, params: { dataset_id }, query })).body

test('every address gets a status with its reason; no cell changes', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(
    owner,
    [...EMAILS, 'ada@good.com'].map((email) => ({ email })),
  )
  const before = (await call(ReadDatasetVerification, { as: owner, params: { dataset_id } })).body
  expect(before).toMatchObject({ unverified: 6, risk: 'unknown', repeated: 1, without_address: 1 })
  const found = await verified(owner, dataset_id)
  expect(found).toMatchObject({
    rows: 7,
    without_address: 1,
    valid: 0,
    invalid: 2,
    risky: 2,
    unknown: 2,
    unverified: 0,
    risk: 'high',
    risk_reason: '33 % of the verified addresses would bounce.',
  })
  expect(
    (await listed(owner, dataset_id)).items.map(({ email, status, code }) => [email, status, code]),
  ).toEqual([
    ['ada@good.com', 'unknown', 'not_asked'],
    ['info@good.com', 'risky', 'role'],
    ['bo@none.com', 'invalid', 'no_mail_server'],
    ['cy@mailinator.com', 'risky', 'disposable'],
    ['dee@nowhere.com', 'invalid', 'no_such_domain'],
    ['ada@good.com', 'unknown', 'not_asked'],
  ])
  expect((await listed(owner, dataset_id, { status: 'risky' })).total).toBe(2)
  const sessions = await call(ListDatasetSessions, { as: owner, params: { dataset_id } })
  expect(sessions.body.items[0]).toMatchObject({
    work: 'verification',
    status: 'completed',
    processed_count: 7,
  })
  expect(await db.datasetCellChange.count({ where: { dataset_id } })).toBe(0)
})

test('a service is asked about what is unknown, each address once', async () => {
  const owner = await aUser()
  const emails = ['a', 'b', 'c', 'd'].map((name) => `${name}@good.com`)
  const { dataset_id } = await aDataset(
    owner,
    [...emails, 'bo@none.com'].map((email) => ({ email })),
  )
  const { asked, verifier } = aVerifier({
    'a@good.com': says('valid', 'accepted'),
    'b@good.com': { outcome: 'failed', error: 'No credit', is_paid: false },
    'c@good.com': says('invalid', 'no_such_mailbox'),
    'd@good.com': says('valid', 'accepted'),
  })
  const found = await verified(owner, dataset_id, [verifier])
  expect(asked.toSorted()).toEqual(emails)
  expect(found).toMatchObject({ valid: 2, invalid: 2, unknown: 1 })
  const { items } = await listed(owner, dataset_id)
  expect(items[0]).toMatchObject({ verified_by: 'paid', reason: 'Paid says so.' })
  const [session] = (await call(ListDatasetSessions, { as: owner, params: { dataset_id } })).body.items
  expect(session).toMatchObject({ cost: 0.03, failed_count: 1 })

  // A known result is not paid for again, in this dataset or another one.
  const other = await aDataset(owner, [{ email: 'a@good.com' }, { email: 'c@good.com' }])
  const again = aVerifier({ 'a@good.com': says('invalid', 'no_such_mailbox') })
  expect(await verified(owner, other.dataset_id, [again.verifier])).toMatchObject({
    valid: 1,
    invalid: 1,
    in_other_datasets: 2,
  })
  expect(again.asked).toEqual([])
  // DNS gives no definite result for these, so a recheck asks the service again.
  await verified(owner, other.dataset_id, [again.verifier], { recheck: true })
  expect(again.asked.toSorted()).toEqual(['a@good.com', 'c@good.com'])
})

test('no more is spent than the budget, whoever asks at once', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(
    owner,
    Array.from({ length: 20 }, (_, at) => ({ email: `p${at}@good.com` })),
  )
  const { asked, verifier } = aVerifier(
    Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`p${at}@good.com`, says('valid', 'accepted')])),
  )
  expect(await verified(owner, dataset_id, [verifier], { max_cost: 0.03 })).toMatchObject({
    valid: 3,
    unknown: 17,
  })
  expect(asked.length).toBe(3)
})

test.each([
  ['none', [null, null, null]],
  ['invalid', ['undeliverable', null, null]],
  ['invalid_and_risky', ['undeliverable', 'risky_address', null]],
] as const)('a launch that passes over %s addresses', async (skip_emails, reasons) => {
  const owner = await aUser()
  await aMailbox(owner)
  const { dataset_id } = await aDataset(
    owner,
    ['bo@none.com', 'info@good.com', 'ada@good.com'].map((email) => ({ email })),
  )
  await verified(owner, dataset_id)
  const steps_config = [{ subject: 'Hi', message_template: 'Hi' }]
  const { campaign_id } = await aCampaign(owner, { dataset_id, steps_config, skip_emails })
  const checks = await call(ReadLaunchChecks, { as: owner, params: { campaign_id } })
  expect(checks.body.leads).toBe(reasons.filter((reason) => reason === null).length)
  expect(checks.body.plan.total_actions).toBe(checks.body.leads)
  if (skip_emails === 'invalid_and_risky')
    expect(checks.body.warns.map(({ code, fix }) => [code, fix])).toEqual(
      expect.arrayContaining([
        ['rows_undeliverable', `/datasets/${dataset_id}/verification`],
        ['rows_risky_address', `/datasets/${dataset_id}/verification`],
      ]),
    )
  await db.campaign.update({ where: { campaign_id }, data: { status: 'launching' } })
  await enrolLeads(campaign_id, new Date())
  const leads = await db.campaignLead.findMany({ where: { campaign_id }, orderBy: { lead_index: 'asc' } })
  expect(leads.map(({ reason }) => reason)).toEqual(reasons)
})

test('launch checks count addresses that nobody verified', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, [{ email: 'ada@good.com' }, { email: 'bo@good.com' }])
  const { campaign_id } = await aCampaign(owner, { dataset_id })
  const checks = await call(ReadLaunchChecks, { as: owner, params: { campaign_id } })
  expect(checks.body.informs.find(({ code }) => code === 'addresses_unverified')?.message).toBe(
    'None of the addresses is verified.',
  )
})

test('what one workspace found is not another one’s, and is forgotten in time', async () => {
  const [owner, stranger] = [await aUser(), await aUser()]
  const { dataset_id } = await aDataset(owner, [{ email: 'bo@none.com' }])
  await verified(owner, dataset_id)
  const theirs = await aDataset(stranger, [{ email: 'bo@none.com' }])
  const read = await call(ReadDatasetVerification, {
    as: stranger,
    params: { dataset_id: theirs.dataset_id },
  })
  expect(read.body).toMatchObject({ invalid: 0, unverified: 1, in_other_datasets: 0 })
  await pool().query(
    `UPDATE email_verifications SET verified_at = now() - interval '200 days' WHERE workspace_id = $1`,
    [owner.workspace_id],
  )
  await removeOldVerifications(new Date())
  expect((await listed(owner, dataset_id)).total).toBe(0)
})

test('a service that there is not is refused', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, [{ email: 'bo@none.com' }])
  const refused = await call(VerifyDataset, {
    as: owner,
    params: { dataset_id },
    body: { providers: ['unheard-of'] },
  })
  expect(refused.status).toBe(422)
  expect(JSON.stringify(refused.body)).toContain('there is no verification service')
})
