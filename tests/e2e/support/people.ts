import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { createUserWithPassword } from '#lib/services/workspaces/users'

export type Person = { workspace_id: string; user_id: string; email: string; password: string }

/** A row, not clicks: only the sign-in itself goes through the page, since its cookie is the product's own. */
export async function aPerson(): Promise<Person> {
  const email = `person-${randomUUID().slice(0, 8)}@example.com`
  const password = randomUUID()
  const user = await createUserWithPassword(email, 'Petra Person', password)
  if (!user) throw new Error(`${email} exists already`)
  const { workspace_id, user_id } = user
  return { workspace_id, user_id, email, password }
}

export async function signIn(page: Page, person: Person): Promise<void> {
  await page.goto('/sign-in')
  await page.getByRole('textbox', { name: 'Email' }).fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/home$/)
}
