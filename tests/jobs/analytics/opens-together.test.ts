import { afterEach, expect, test, vi } from 'vitest'
import { db, pool } from '#lib/db/client'
import { recordHit } from '#lib/services/campaigns/tracking'
import { dispatchAt, launched, MONDAY, minutes, WATCHED } from '#tests/support/scenes/launched'

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const GMAIL = 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)'

afterEach(async () => {
  vi.restoreAllMocks()
  await db.campaign.deleteMany()
})

const open = (action_id: string, at: Date, user_agent = BROWSER) =>
  recordHit({ action_id, kind: 'open', link: 0, url: null }, { method: 'GET', user_agent, purpose: null }, at)

test('opens that arrive together take one connection, and each is counted', async () => {
  const { campaign_id } = await launched({ steps_config: [WATCHED] }, 3)
  await dispatchAt(MONDAY)
  const actions = await db.action.findMany({ where: { campaign_id }, orderBy: { action_id: 'asc' } })
  const [one = '', two = '', three = ''] = actions.map(({ action_id }) => action_id)
  const gone = crypto.randomUUID()
  await open(two, minutes(60))

  const connect = vi.spyOn(pool(), 'connect')
  await Promise.all([
    ...Array.from({ length: 30 }, (_, n) => open(three, minutes(90 - n))),
    open(two, minutes(61)),
    open(two, minutes(62), GMAIL),
    open(gone, minutes(61)),
    open(one, minutes(61)),
  ])
  expect(connect).toHaveBeenCalledTimes(1)
  const kept = await db.trackingEvent.findMany({
    where: { campaign_id },
    orderBy: [{ action_id: 'asc' }, { class: 'asc' }],
  })
  expect(kept.map((row) => [row.action_id, row.class, row.hits, row.first_at, row.last_at])).toEqual([
    [one, 'human', 1, minutes(61), minutes(61)],
    [two, 'human', 2, minutes(60), minutes(61)],
    [two, 'proxy', 1, minutes(62), minutes(62)],
    [three, 'human', 30, minutes(61), minutes(90)],
  ])
})
