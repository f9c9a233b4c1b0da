import type { QueryResult } from 'pg'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { db, pool } from '#lib/db/client'
import { forecastable } from '#lib/services/forecast/campaign'
import { heldLeadsElsewhere, heldRowsElsewhere } from '#lib/services/forecast/contact-held'
import { loadPeople } from '#lib/services/forecast/people'
import { begun, campaignOf, launchedOver } from '#tests/support/scenes/begun'
import { aDataset } from '#tests/support/scenes/factories'
import { dispatchAt, minutes } from '#tests/support/scenes/launched'

const DAY = 24 * 60

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

/** A campaign of two steps, a day apart, has written to three people; another one over the same dataset is launched. */
async function twice(policy: { one_campaign_at_a_time?: boolean; rest_days?: number } = {}) {
  const first = await begun({}, 3)
  const { workspace_id } = first.owner
  await db.workspace.update({ where: { workspace_id }, data: policy })
  const { campaign_id } = await launchedOver(first, first.dataset_id, {})
  return { ...first, workspace_id, other: await campaignOf(campaign_id) }
}
type Scene = Awaited<ReturnType<typeof twice>>

/** Until when leads and rows are held, read in bulk and person by person, which must give the same result. */
async function heldAt({ other, dataset_id }: Scene, after: Date) {
  const asked = { campaign: other, after }
  const atOnce = await heldLeadsElsewhere(pool(), { ...asked, people: 1_000 })
  const one = (map: ReadonlyMap<number, number>) => [...map].toSorted(([a], [b]) => a - b)
  for (const people of [0, 1_000]) {
    expect(one(await heldLeadsElsewhere(pool(), { ...asked, people }))).toEqual(one(atOnce))
    expect(one(await heldRowsElsewhere(pool(), { ...asked, people }, dataset_id))).toEqual(one(atOnce))
  }
  return one(atOnce).map(([lead, until]) => [lead, new Date(until).toISOString()])
}
const until = (count: number) => minutes(count).toISOString()
const leadsIn = (campaign_id: string, lead_index: number) => ({ where: { campaign_id, lead_index } })

describe('until when other campaigns have people', () => {
  test('is when their next step is due, and what is left after it', async () => {
    const scene = await twice({ rest_days: 2 })
    expect(await heldAt(scene, minutes(5))).toEqual([0, 1, 2].map((lead) => [lead, until(3 * DAY)]))
  })

  test('begins from now where that step is late, or under way', async () => {
    const scene = await twice()
    expect(await heldAt(scene, minutes(2 * DAY))).toEqual([])
    await db.campaignLead.updateMany({
      ...leadsIn(scene.campaign_id, 1),
      data: { next_step: 1, current_step: 0, next_action_at: null },
    })
    await db.workspace.update({ where: { workspace_id: scene.workspace_id }, data: { rest_days: 1 } })
    expect(await heldAt(scene, minutes(2 * DAY))).toEqual([
      [0, until(3 * DAY)],
      // The day between its two steps is still to come.
      [1, until(4 * DAY)],
      [2, until(3 * DAY)],
    ])
  })

  test('counts the days of rest from the last step once they are through', async () => {
    const scene = await twice({ rest_days: 3 })
    await db.campaignLead.updateMany({
      ...leadsIn(scene.campaign_id, 0),
      data: { status: 'completed', next_step: null, next_action_at: null, last_event_at: minutes(10) },
    })
    const held = await heldAt(scene, minutes(5))
    expect(held).toEqual([
      [0, until(3 * DAY)],
      [1, until(4 * DAY)],
      [2, until(4 * DAY)],
    ])
    expect((await heldAt(scene, minutes(3 * DAY + 60))).map(([lead]) => lead)).toEqual([1, 2])
  })

  test('is asked of the last steps alone where several campaigns may write at once', async () => {
    const scene = await twice({ one_campaign_at_a_time: false, rest_days: 2 })
    expect(await heldAt(scene, minutes(5))).toEqual([0, 1, 2].map((lead) => [lead, until(2 * DAY)]))
  })

  test('is never for whom no step was taken, nor for those of the campaign itself', async () => {
    const scene = await twice({ rest_days: 1 })
    const { campaign_id } = scene
    await db.action.deleteMany({ where: { campaign_id } })
    await db.campaignLead.updateMany({
      where: { campaign_id },
      data: { current_step: 0, next_action_at: null, last_event: 'held', reason: null },
    })
    expect(await heldAt(scene, minutes(5))).toEqual([])
    await dispatchAt(minutes(5))
    expect(await heldAt(scene, minutes(6))).toEqual([])
  })
})

test('where people stand is the same read of all who have begun, and person by person where these are many', async () => {
  const rules = { one_campaign_at_a_time: true, company_max_active: null, rest_days: 0 }
  const read = async (campaign_id: string) => {
    const walked = forecastable(await campaignOf(campaign_id), 'UTC')
    const queries = vi.spyOn(pool(), 'query')
    const { people } = await loadPeople(pool(), rules, [walked], { startsAt: minutes(5), dataset_id: null })
    const answer: QueryResult | undefined = await queries.mock.results.at(-1)?.value
    queries.mockRestore()
    return { busy: [...people.busy], of: answer?.rows.map((row) => row.campaign_id) }
  }
  const first = await begun({}, 3)
  const over = async (dataset_id: string) => (await launchedOver(first, dataset_id, {})).campaign_id
  const again = await over(first.dataset_id)
  const others = await over((await aDataset(first.owner, 10)).dataset_id)
  expect(await read(again)).toEqual({ busy: [1, 1, 1], of: [first.campaign_id] })
  await dispatchAt(minutes(1))
  const fresh = await over((await aDataset(first.owner, 4)).dataset_id)
  expect(await read(again)).toEqual({ busy: [1, 1, 1], of: [first.campaign_id] })
  expect(await read(fresh)).toEqual({ busy: [0, 0, 0, 0], of: [] })
  expect((await read(others)).of).toHaveLength(2)
})
