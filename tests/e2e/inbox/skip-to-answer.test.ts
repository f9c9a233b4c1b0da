import { expect } from '@playwright/test'
import { aMailbox } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { aQuestion } from '../support/questions.ts'
import { atRest, test } from '../support/test.ts'

test('the field of the answer is two keys away, from the top of the page and from the row that was opened', async ({
  page,
}) => {
  const person = await aPerson()
  const { mailbox_id } = await aMailbox(person)
  const asked = { workspace_id: person.workspace_id, mailbox_id }
  const { thread_id, path } = await aQuestion(asked)
  for (const name of ['bob', 'eve']) await aQuestion({ ...asked, counterpart_address: `${name}@prices.test` })
  await signIn(page, person)
  const answer = page.getByLabel('Answer Ada Quinn')
  const focused = page.locator(':focus')
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }

  await page.goto(path)
  await press('Tab')
  await expect(focused).toHaveText('Skip to content')
  await press('Enter', 'Tab')
  await expect(focused).toHaveText('Skip to answer')
  await expect(focused).toBeInViewport()
  await press('Enter')
  await expect(answer).toBeFocused()
  await expect(page.getByRole('region', { name: 'Your answer' })).toContainText('To Ada Quinn')

  await page.goto('/inbox')
  await page.getByRole('main').locator(`[href*="${thread_id}"]`).first().focus()
  await press('Enter')
  await expect(answer).toBeVisible()
  await atRest(page)
  await press('Tab')
  await expect(focused).toHaveText('Skip to answer')
  await press('Enter')
  await expect(answer).toBeFocused()
})
