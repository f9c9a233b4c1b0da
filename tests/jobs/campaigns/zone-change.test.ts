import { afterEach, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { SEND_DAYS } from '#lib/domain/calendar/schedule'
import type { MailOutcome } from '#lib/providers/mail/port'
import { deleteCampaign } from '#lib/services/changes/deletion'
import { forecastCampaign } from '#lib/services/forecast/forecasts'
import { pauseCampaign } from '#lib/services/launch/lifecycle'
import { updateAccount } from '#lib/services/workspaces/account'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { dispatchAt, FIRST, launched, launchedFor, MONDAY, minutes } from '#tests/support/scenes/launched'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

const EVERY_DAY = { send_days: [...SEND_DAYS], steps_config: [FIRST] }

/** A workspace in that zone with three leads, and a mailbox with a limit of one a day. */
async function oneADay(timezone: string) {
  const made = await launched(EVERY_DAY)
  const { workspace_id } = made.owner
  await db.workspace.update({ where: { workspace_id }, data: { timezone } })
  await db.mailbox.update({ where: { mailbox_id: made.mailbox.mailbox_id }, data: { daily_limit: 1 } })
  const moveTo = (zone: string, now: Date) =>
    updateAccount({ ...made.owner, role: 'owner' }, { timezone: zone }, now)
  const counted = async () =>
    (await db.senderDay.findMany({ where: { sender_id: made.mailbox.mailbox_id } })).map(
      ({ local_date, used }) => [local_date.toISOString().slice(0, 10), used],
    )
  return { ...made, moveTo, counted }
}

// On Monday at 10:00 UTC it is five o'clock in New York, and Tuesday has begun in Kiritimati.
test.each([
  ['Pacific/Kiritimati', 'America/New_York', '2026-03-02', '2026-03-03T05:00:00.000Z'],
  ['America/New_York', 'Pacific/Kiritimati', '2026-03-03', '2026-03-03T10:00:00.000Z'],
])(
  'a mailbox has its limit once a day when its workspace moves from %s to %s',
  async (from, to, day, next) => {
    const made = await oneADay(from)
    expect((await dispatchAt(MONDAY)).offered).toBe(1)
    await made.moveTo(to, minutes(30))
    expect(await made.counted()).toEqual([[day, 1]])
    const { actions } = await forecastCampaign(
      made.owner.workspace_id,
      made.campaign_id,
      { offset: 0, limit: 10 },
      minutes(31),
    )
    expect(actions[0] && new Date(actions[0].at).toISOString()).toBe(next)
    expect((await dispatchAt(minutes(31))).offered).toBe(0)
    const due = new Date(next)
    expect((await dispatchAt(new Date(due.getTime() - 60_000))).offered).toBe(0)
    expect((await dispatchAt(due)).offered).toBe(1)
  },
)

test('a limit that was waited for until midnight is looked at again at once', async () => {
  const made = await oneADay('America/New_York')
  await dispatchAt(MONDAY)
  const moved = new Date('2026-03-03T02:00:00.000Z')
  // It is Tuesday in Berlin by now, and the mail was sent on Monday.
  await made.moveTo('Europe/Berlin', moved)
  expect(await made.counted()).toEqual([['2026-03-02', 1]])
  expect((await dispatchAt(moved)).offered).toBe(1)
})

test('what left in a campaign that is gone still counts', async () => {
  const made = await oneADay('America/New_York')
  await dispatchAt(MONDAY)
  await pauseCampaign(made.owner.workspace_id, made.campaign_id, minutes(1))
  await deleteCampaign(made.owner.workspace_id, made.campaign_id)
  await launchedFor(made.owner, EVERY_DAY)
  await made.moveTo('Pacific/Kiritimati', minutes(30))
  expect(await made.counted()).toEqual([['2026-03-03', 1]])
  expect((await dispatchAt(minutes(31))).offered).toBe(0)
})

test('what did not leave is given back on the date that it is counted on by then', async () => {
  const made = await oneADay('Pacific/Kiritimati')
  const busy: MailOutcome = {
    outcome: 'refused_for_now',
    stage: 'rcpt',
    code: 450,
    enhanced: null,
    response: '450 busy',
    blames: 'recipient',
  }
  const mail = memoryMail(async () => {
    await made.moveTo('America/New_York', minutes(1))
    return busy
  })
  expect((await dispatchAt(MONDAY, mail)).offered).toBe(1)
  expect(await made.counted()).toEqual([['2026-03-02', 0]])
})

test('only a change counts anew', async () => {
  const made = await oneADay('Europe/Berlin')
  await dispatchAt(MONDAY)
  const before = await made.counted()
  await made.moveTo('Europe/Berlin', minutes(30))
  expect(await made.counted()).toEqual(before)
})
