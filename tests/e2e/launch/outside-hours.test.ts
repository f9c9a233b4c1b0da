import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { SEND_DAYS } from '#lib/domain/calendar/schedule'
import { equipAccount } from '#lib/services/sandbox/new-account'
import { aCampaign, aDataset } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

const DAY_MS = 86_400_000
const ZONE = 'Europe/Berlin'

/** The weekday in this zone in that many days, such as "monday". */
function dayAhead(days: number) {
  const name = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: ZONE })
    .format(Date.now() + days * DAY_MS)
    .toLowerCase()
  const day = SEND_DAYS.find((one) => name.startsWith(one))
  if (!day) throw new Error(`${name} is no day to send on.`)
  return day
}

/** Works on any day: the campaign sends only on tomorrow's weekday, like one that sends on weekdays and is launched on a Sunday. */
test('a campaign launched on a day off says when it starts, and sends now, just this once, if asked to', async ({
  page,
}) => {
  const person = await aPerson()
  await equipAccount({ ...person, name: 'Petra Person' }, ZONE, new Date())
  const { dataset_id } = await aDataset(person, [{ email: 'ada@example.com', first_name: 'Ada' }])
  const { campaign_id } = await aCampaign(person, {
    dataset_id,
    timezone: ZONE,
    send_days: [dayAhead(1)],
    sending_window_start: '09:00',
    // Until midnight: with an earlier end, today could be over and count as waiting for tomorrow instead of as a day off.
    sending_window_end: '00:00',
    steps_config: [{ step: 1, subject: 'Hello {{ first_name }}', message_template: 'Who looks after it?' }],
  })
  await signIn(page, person)
  const main = page.getByRole('main')
  const button = (name: string) => main.getByRole('button', { name })

  await page.goto(`/campaigns/${campaign_id}/review`)
  await button('Launch to 1 lead').click()
  await expect(page.getByRole('dialog')).toContainText('It starts tomorrow at 09:00 in Berlin.')
  await page.getByRole('dialog').getByRole('button', { name: 'Launch now' }).click()
  await expect(page).toHaveURL(/\/campaigns\/[0-9a-f-]{36}$/)
  await expect(main).toContainText('Not a sending day.')
  await page.goto('/home')
  await expect(main).toContainText('It starts tomorrow at 09:00 in Berlin.')

  await page.goto(`/campaigns/${campaign_id}`)
  expect(await db.action.count({ where: { campaign_id } })).toBe(0)
  await button('Send now, just this once').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send now' }).click()
  await expect(button('Send now, just this once')).toBeHidden()
  await expect(main).toBeFocused()
  await expect(async () => {
    expect(await db.action.count({ where: { campaign_id, status: 'sent' } })).toBe(1)
  }).toPass()
  await expect(main.getByRole('definition').first()).toHaveText(/^1/)

  await page.goto(`/campaigns/${campaign_id}/leads`)
  await main.getByRole('link', { name: 'ada@example.com' }).click()
  const opened = page.getByRole('listitem').filter({ hasText: 'Sending hours opened for the day' })
  await expect(opened).toContainText('Open until')
})
