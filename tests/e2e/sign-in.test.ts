import { expect, type Page } from '@playwright/test'
import { OIDC_PERSON } from './support/instance.ts'
import { test } from './support/test.ts'

const DEMO = { email: 'demo@opener.local', password: 'opener-demo' }

async function fillIn(page: Page, { email, password }: typeof DEMO) {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('the start page leads a stranger to the sign-in, and the demo account in', async ({ page }) => {
  await page.goto('/')
  await expect(page).toHaveURL(/\/sign-in$/)
  await expect(page.getByText('This instance runs on your machine')).toBeVisible()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/home$/)
  await page.goto('/sign-in')
  await expect(page).toHaveURL(/\/home$/)
})

test('a wrong password is refused in words, and what was typed stays', async ({ page, context }) => {
  await page.goto('/sign-in')
  await fillIn(page, { ...DEMO, password: 'not it' })
  await expect(page.getByRole('alert').filter({ hasText: 'is not right' })).toBeVisible()
  await expect(page.getByLabel('E-mail')).toHaveValue(DEMO.email)
  const cookies = await context.cookies()
  expect(cookies.filter(({ name }) => name.endsWith('.session'))).toEqual([])
})

test('signing in needs no JavaScript', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '' })
  const page = await context.newPage()
  await page.goto('/sign-in')
  await fillIn(page, DEMO)
  await expect(page).toHaveURL(/\/home$/)
  await context.close()
})

test('a form sent from another site signs nobody in', async ({ request, baseURL }) => {
  const form = { email: DEMO.email, password: DEMO.password, csrfToken: 'forged', json: 'true' }
  const response = await request.post('/api/auth/callback/credentials', {
    form,
    headers: { origin: 'https://evil.example' },
  })
  expect(response.headers()['set-cookie'] ?? '').not.toContain('.session=')
  const session = await request.get(`${baseURL}/api/auth/session`)
  expect(await session.json()).toEqual({})
})

test('an identity provider signs a person in, who is then the user of that address', async ({ page }) => {
  test.skip(!process.env.OIDC_ISSUER, 'The instance named by OPENER_URL has a provider of its own, or none.')
  await page.goto('/sign-in')
  await page.getByRole('button', { name: /^Continue with / }).click()
  await expect(page).toHaveURL(/\/home$/)
  const session = await page.request.get('/api/auth/session')
  expect(await session.json()).toMatchObject({
    user: { email: OIDC_PERSON.email.toLowerCase(), name: OIDC_PERSON.name },
  })
})

test('signing out ends the session', async ({ page, context }) => {
  await page.goto('/sign-in')
  await fillIn(page, DEMO)
  await expect(page).toHaveURL(/\/home$/)
  await page
    .getByRole('button', { name: /: account$/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/sign-in$/)
  const cookies = await context.cookies()
  expect(cookies.filter(({ name }) => name.endsWith('.session'))).toEqual([])
  await page.goto('/home')
  await expect(page).toHaveURL(/\/sign-in$/)
})
