import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { createUserWithPassword } from '#lib/services/workspaces/users'
import { hiddenFields } from './hidden-fields.ts'

export type Person = { workspace_id: string; user_id: string; email: string; password: string }

/** Creates the user in the database: only the sign-in goes through the page, since the product must set its cookie. */
export async function aPerson(): Promise<Person> {
  const email = `person-${randomUUID().slice(0, 8)}@example.com`
  const password = randomUUID()
  const user = await createUserWithPassword(email, 'Petra Person', password)
  if (!user) throw new Error(`${email} exists already`)
  const { workspace_id, user_id } = user
  return { workspace_id, user_id, email, password }
}

/**
 * Submits the form of the sign-in page as a browser without scripts does: the product sets its cookie, and no page is rendered.
 * The test opens the page that it needs.
 */
export async function signIn(page: Page, person: Person): Promise<void> {
  // The user agent is written to the log of sign-ins.
  const browser = { 'user-agent': await page.evaluate(() => navigator.userAgent) }
  const form = await page.request.get('/sign-in', { headers: browser })
  const multipart = {
    ...hiddenFields(await form.text()),
    email: person.email,
    password: person.password,
  }
  const headers = { ...browser, origin: new URL(form.url()).origin }
  const answer = await page.request.post(form.url(), { headers, multipart, maxRedirects: 0 })
  expect(answer.headers().location, `where ${person.email} is led to`).toMatch(/\/home$/)
}

/** Signs in through the page, as a person does, and ends on the home page. */
export async function signInByHand(page: Page, person: Person): Promise<void> {
  await page.goto('/sign-in')
  await page.getByRole('textbox', { name: 'Email' }).fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/home$/)
}
