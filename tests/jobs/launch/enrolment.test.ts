import { afterEach, describe, expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import { enrolLeads } from '#lib/services/launch/enrolment'
import { repeatedAddresses } from '#lib/services/leads/enrolment-rule'
import { aCampaign, aDataset, aUser } from '#tests/support/scenes/factories'
import { MONDAY, OPEN } from '#tests/support/scenes/launched'

type Owner = Awaited<ReturnType<typeof aUser>>

afterEach(async () => {
  await db.campaign.deleteMany()
})

async function aLaunching(owner: Owner, dataset_id: string) {
  const { campaign_id } = await aCampaign(owner, { ...OPEN, dataset_id })
  await db.campaign.update({ where: { campaign_id }, data: { status: 'launching' } })
  return campaign_id
}

/** A list with this many rows; each hundredth has the address of the first. */
async function aLongList(owner: Owner, rows: number) {
  const { dataset_id } = await aDataset(owner, 0)
  await pool().query(
    `INSERT INTO dataset_rows (dataset_id, lead_index, workspace_id, email, data)
     SELECT $1, n, $2, 'lead-' || n * (n % 100 <> 0)::int || '@firm-' || (n % 40) * (n % 100 <> 0)::int || '.example',
       jsonb_build_object('first_name', 'Lead ' || n * (n % 100 <> 0)::int)
     FROM generate_series(0, $3 - 1) n`,
    [dataset_id, owner.workspace_id, rows],
  )
  return dataset_id
}

const MANY = 21_000
const EACH_ONCE = { total_leads: MANY, processed_leads: MANY / 100 - 1 }

describe('enrolment of more rows than one batch takes', () => {
  test('each row is a lead once, each address a person once, and the counters say so', async () => {
    const owner = await aUser()
    const campaign_id = await aLaunching(owner, await aLongList(owner, MANY))
    expect(await enrolLeads(campaign_id, MONDAY)).toEqual({ enrolled: MANY })
    expect(await db.campaign.findUniqueOrThrow({ where: { campaign_id } })).toMatchObject(EACH_ONCE)
    expect(await db.campaignLead.count({ where: { campaign_id, person_id: null } })).toBe(0)
    const people = await db.person.count({ where: { workspace_id: owner.workspace_id } })
    expect(people).toBe(MANY - MANY / 100 + 1)
  })

  test('tried again and run twice at once, it takes on whom it has not yet', async () => {
    const owner = await aUser()
    const campaign_id = await aLaunching(owner, await aLongList(owner, MANY))
    const both = await Promise.all([enrolLeads(campaign_id, MONDAY), enrolLeads(campaign_id, MONDAY)])
    expect(both.reduce((sum, { enrolled }) => sum + enrolled, 0)).toBe(MANY)
    await db.campaignLead.deleteMany({ where: { campaign_id, lead_index: { gte: 9_000, lt: 9_100 } } })
    expect(await enrolLeads(campaign_id, MONDAY)).toEqual({ enrolled: 100 })
    expect(await enrolLeads(campaign_id, MONDAY)).toEqual({ enrolled: 0 })
    expect(await db.campaignLead.count({ where: { campaign_id } })).toBe(MANY)
  })
})

test('people of whom a list says nothing new are neither written nor locked', async () => {
  const owner = await aUser()
  const dataset_id = await aLongList(owner, 200)
  await enrolLeads(await aLaunching(owner, dataset_id), MONDAY)
  const written = async () =>
    (
      await pool().query('SELECT person_id, xmin, xmax FROM people WHERE workspace_id = $1 ORDER BY 1', [
        owner.workspace_id,
      ])
    ).rows
  const before = await written()
  await enrolLeads(await aLaunching(owner, dataset_id), MONDAY)
  expect(await written()).toEqual(before)
})

// With a full scan of the workspace's people for each address, a launch of 100,000 leads in a new workspace did not end.
test('people of a workspace that statistics do not know are looked up by their address', async () => {
  const [known, fresh] = [await aUser(), await aUser()]
  await enrolLeads(await aLaunching(known, await aLongList(known, 3_000)), MONDAY)
  await pool().query('ANALYZE people')
  await enrolLeads(await aLaunching(fresh, await aLongList(fresh, 1_000)), MONDAY)
  const { rows } = await pool().query(
    `EXPLAIN SELECT (SELECT person_id FROM people p WHERE p.workspace_id = $1 AND p.email = r.email) FROM dataset_rows r`,
    [fresh.workspace_id],
  )
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain('people_workspace_id_email_key')
})

// A list of 10,000 that was imported and launched before statistics existed took minutes and a whole core.
test('repeats in a list that statistics do not know are looked for once, not for each of its rows', async () => {
  const owner = await aUser()
  await aLongList(owner, 3_000)
  await pool().query('ANALYZE dataset_rows')
  const { rows } = await pool().query(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${repeatedAddresses(`'${await aLongList(owner, 1_000)}'`)}`,
  )
  expect(mostLoops(rows[0]['QUERY PLAN'][0].Plan)).toBe(1)
})

type Plan = { 'Actual Loops': number; Plans?: Plan[] }
const mostLoops = (plan: Plan): number => Math.max(plan['Actual Loops'], ...(plan.Plans ?? []).map(mostLoops))

/** Whether the first leads are written, and more are being written. */
async function isEnrolling(campaign_id: string): Promise<boolean> {
  const { rows } = await pool().query(
    `SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND datname = current_database() AND pid <> pg_backend_pid()
       AND query LIKE '%INSERT INTO campaign_leads%' AND EXISTS (SELECT FROM campaign_leads WHERE campaign_id = $1)`,
    [campaign_id],
  )
  return rows.length > 0
}

describe('leads of a campaign that is held', () => {
  test('no trigger that is to see new leads is passed over', async () => {
    const { rows } = await pool().query(
      `SELECT tgname FROM pg_trigger WHERE tgrelid = 'campaign_leads'::regclass AND tgtype & 4 = 4 AND NOT tgisinternal
         AND tgenabled <> 'A'`,
    )
    expect(rows).toEqual([])
  })

  test('a campaign that is deleted while its leads come in takes them along, all of them', async () => {
    const owner = await aUser()
    const dataset_id = await aLongList(owner, MANY)
    // The first launch makes these people known, so that the second enrols them at once.
    await enrolLeads(await aLaunching(owner, dataset_id), MONDAY)
    const campaign_id = await aLaunching(owner, dataset_id)
    let isOver = false
    const launch = enrolLeads(campaign_id, MONDAY).finally(() => {
      isOver = true
    })
    while (!isOver && !(await isEnrolling(campaign_id)));
    await pool().query('DELETE FROM campaigns WHERE campaign_id = $1', [campaign_id])
    await launch
    expect(await db.campaignLead.count({ where: { campaign_id } })).toBe(0)
  })
})
