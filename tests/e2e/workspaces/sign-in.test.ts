import { expect, type Page } from '@playwright/test'
import { db } from '#lib/db/client'
import { makeLink } from '#lib/services/workspaces/sign-in/one-time-links'
import { passwordLink } from '#lib/services/workspaces/sign-in/passwords'
import { recordFailedSignIn } from '#lib/services/workspaces/sign-in/sign-ins'
import { OIDC_PERSON } from '../support/instance.ts'
import { aPerson, type Person, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

const DEMO = { email: 'demo@opener.local', password: 'opener-demo' }

async function fillIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('the start page leads a stranger to the sign-in, and the demo account in', async ({ page }) => {
  await page.goto('/')
  await expect(page).toHaveURL(/\/sign-in$/)
  await expect(page.getByText('This instance runs on your machine')).toBeVisible()
  await expect(page.getByRole('img', { name: /the last of 720 emails goes out on/ })).toBeVisible()
  const icon = await page.locator('link[rel=icon]').getAttribute('href')
  expect((await page.request.get(icon ?? '')).headers()['content-type']).toBe('image/svg+xml')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/home$/)
  await page.goto('/sign-in')
  await expect(page).toHaveURL(/\/home$/)
})

test('where nobody signs up, the page says so, whom to ask, and leads back with where one was going', async ({
  page,
}) => {
  test.skip(!process.env.OIDC_ISSUER, 'The instance named by OPENER_URL may be open.')
  await page.goto('/sign-in')
  await expect(page.getByText('No account yet? Ask the person who runs Opener here for one.')).toBeVisible()
  const answer = await page.goto('/sign-up?return_path=/campaigns')
  expect(answer?.status()).toBe(200)
  await expect(page.getByRole('heading', { name: 'Sign-up is closed' })).toBeVisible()
  await expect(page.getByText('created by the person who runs it. Ask them for one.')).toBeVisible()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await expect(page.getByText('Sign in to open Campaigns.')).toBeVisible()
})

test('a wrong password is refused in words, and what was typed stays', async ({ page, context }) => {
  await page.goto('/sign-in')
  await fillIn(page, { ...DEMO, password: 'not it' })
  await expect(page.getByRole('alert').filter({ hasText: 'is wrong' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(DEMO.email)
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

test('the right password sent round the form signs nobody in', async ({ request, baseURL }) => {
  const { csrfToken } = await (await request.get('/api/auth/csrf')).json()
  const form = { email: DEMO.email, password: DEMO.password, csrfToken, json: 'true' }
  const response = await request.post('/api/auth/callback/credentials', { form })
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

test('an identity is connected while signed in, signs in from then on, and is disconnected', async ({
  page,
}) => {
  test.skip(!process.env.OIDC_ISSUER, 'The instance named by OPENER_URL has a provider of its own, or none.')
  await db.identity.deleteMany({ where: { subject: OIDC_PERSON.sub } })
  const person = await aPerson()
  await signIn(page, person)
  await page.goto('/settings/security')
  await page.getByRole('button', { name: /^Connect / }).click()
  await expect(page.getByText('Connected. You can now sign in with it.')).toBeVisible()
  await page.context().clearCookies()
  await page.goto('/sign-in')
  await page.getByRole('button', { name: /^Continue with / }).click()
  await expect(page).toHaveURL(/\/home$/)
  const session = await page.request.get('/api/auth/session')
  expect(await session.json()).toMatchObject({ user: { email: person.email } })
  await page.goto('/settings/security')
  await page.getByRole('button', { name: /^Disconnect / }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await expect(page.getByRole('button', { name: /^Connect / })).toBeVisible()
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

/** Ends the sessions as a sign-out elsewhere or the expiry after thirty days would. */
const endSessions = ({ user_id }: Person) =>
  db.userSession.updateMany({ where: { user_id }, data: { revoked_at: new Date() } })

const DEEP = '/campaigns?search=spring&page=1'

for (const javaScriptEnabled of [true, false])
  test(`a deep link says why one signs in, and leads there with its query (${javaScriptEnabled ? 'with' : 'without'} JavaScript)`, async ({
    browser,
    baseURL,
  }) => {
    const context = await browser.newContext({ javaScriptEnabled, baseURL: baseURL ?? '' })
    const page = await context.newPage()
    await page.goto(DEEP)
    await expect(page.getByText('Sign in to open Campaigns.')).toBeVisible()
    const person = await aPerson()
    await fillIn(page, { ...person, password: 'not it' })
    await expect(page.getByRole('alert').filter({ hasText: 'is wrong' })).toBeVisible()
    await fillIn(page, person)
    await expect(page).toHaveURL(`${baseURL}${DEEP}`)
    await context.close()
  })

test('a session that has ended says so, and one goes on where one was', async ({ page, baseURL }) => {
  const person = await aPerson()
  await signIn(page, person)
  await endSessions(person)
  await page.goto('/templates/new')
  await expect(page.getByText('Your session has ended')).toBeVisible()
  await expect(page.getByText('Sign in to open a page in Templates.')).toBeVisible()
  await fillIn(page, person)
  await expect(page).toHaveURL(`${baseURL}/templates/new`)
})

for (const path of ['//evil.example', '/a/../..//evil.example', 'https://evil.example/', '/%5cevil.example'])
  test(`a sign-in leads nobody to ${path}`, async ({ page, baseURL }) => {
    const person = await aPerson()
    await page.goto(`/sign-in?return_path=${encodeURIComponent(path)}`)
    await fillIn(page, person)
    await expect(page).toHaveURL(`${baseURL}/home`)
    await page.goto(`/sign-in?return_path=${encodeURIComponent(path)}`)
    await expect(page).toHaveURL(`${baseURL}/home`)
  })

test('what was typed when a session ends stays, and is saved once one signed in in another tab', async ({
  page,
}) => {
  const person = await aPerson()
  await signIn(page, person)
  await page.goto('/templates/new')
  await page.getByRole('textbox', { name: 'Name (required)' }).fill('Hours of work')
  await page.getByLabel('Message').fill('Dear all, this took a whole evening.')
  await expect(page.getByRole('region', { name: 'Preview' })).toContainText('a whole evening')
  await endSessions(person)
  await page.getByRole('button', { name: 'Create template' }).click()
  const told = page.getByRole('dialog', { name: 'Your session has ended' })
  await expect(told).toBeVisible()
  await expect(page).toHaveURL(/\/templates\/new$/)
  // Not signed in again yet: the dialog stays.
  await Promise.all([
    page.waitForResponse((answer) => answer.request().method() === 'POST'),
    told.getByRole('button', { name: 'Try again' }).click(),
  ])
  await expect(told).toBeVisible()
  // The dialog can be closed to look at the typed text, and opened again.
  await page.keyboard.press('Escape')
  await expect(told).toBeHidden()
  await expect(page.getByLabel('Message')).toHaveValue('Dear all, this took a whole evening.')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const [other] = await Promise.all([
    page.context().waitForEvent('page'),
    told.getByRole('link', { name: 'Sign in in a new tab' }).click(),
  ])
  await expect(other.getByText('Your session has ended')).toBeVisible()
  await fillIn(other, person)
  await expect(other).toHaveURL(/\/templates\/new$/)
  await other.close()
  await page.bringToFront()
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(told).toBeHidden()
  await expect
    .poll(() =>
      db.template.findFirst({ where: { workspace_id: person.workspace_id, name: 'Hours of work' } }),
    )
    .toMatchObject({ content: { body: 'Dear all, this took a whole evening.' } })
})

test('a page that draws itself anew does not leave what was typed, once the session has ended', async ({
  page,
}) => {
  const person = await aPerson()
  await signIn(page, person)
  await page.goto('/inbox')
  await endSessions(person)
  await expect(page.getByRole('dialog', { name: 'Your session has ended' })).toBeVisible({ timeout: 60_000 })
  await expect(page).toHaveURL(/\/inbox/)
})

test('a password is changed in the settings, which signs other browsers out', async ({
  page,
  browser,
  baseURL,
}) => {
  const person = await aPerson()
  await signIn(page, person)
  const elsewhere = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  await signIn(elsewhere, person)
  await page.goto('/settings/security')
  const change = page.getByRole('button', { name: 'Change password' })
  await page.getByLabel('Current password').fill('not it')
  await page.getByLabel('New password').fill('a new and better one')
  await change.click()
  await expect(page.getByText('is not your password').first()).toBeVisible()
  await page.getByLabel('Current password').fill(person.password)
  await change.click()
  await expect(page.getByText('Password changed.')).toBeVisible()
  await page.goto('/settings/audit')
  await expect(page.getByText('changed password')).toBeVisible()
  await elsewhere.goto('/home')
  await expect(elsewhere.getByText('Your session has ended')).toBeVisible()
  await fillIn(elsewhere, { ...person, password: 'a new and better one' })
  await expect(elsewhere).toHaveURL(/\/home$/)
  await elsewhere.context().close()
})

test('sign-ins are sorted by a heading, in the address, and tell who did not get in', async ({ page }) => {
  const person = await aPerson()
  const from = { method: 'password' as const, user_agent: 'Mozilla/5.0 (iPhone) Safari/604.1' }
  const hourAgo = new Date(Date.now() - 3_600_000)
  await recordFailedSignIn(person.user_id, { ...from, place: '198.51.100.7' }, hourAgo)
  await signIn(page, person)
  await page.goto('/settings/security')
  const table = page.getByRole('table', { name: 'Recent sign-ins' })
  const row = (index: number) => table.getByRole('row').nth(index)
  await expect(row(2)).toContainText('failed')
  await table.getByRole('link', { name: 'Network' }).click()
  await expect(page).toHaveURL(/sign_ins=place/)
  await table.getByRole('link', { name: 'Network' }).click()
  await expect(page).toHaveURL(/sign_ins=-place/)
  await expect(table.getByRole('columnheader', { name: 'Network' })).toHaveAttribute(
    'aria-sort',
    'descending',
  )
  await expect(row(1)).toContainText('198.51.100.0/24')
})

test('a printed link sets a password without JavaScript, and works once', async ({ browser, baseURL }) => {
  const person = await aPerson()
  const { url } = await passwordLink(person.user_id, new Date())
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '' })
  const page = await context.newPage()
  const answer = await page.goto(url)
  expect(answer?.headers()['referrer-policy']).toBe('same-origin')
  await expect(page.getByText(person.email)).toBeVisible()
  await page.getByLabel('New password').fill('a new and better one')
  await page.getByRole('button', { name: 'Set password and sign in' }).click()
  await expect(page).toHaveURL(/\/home$/)
  await page.goto(url)
  await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible()
  await context.close()
})

test('the page of the first account makes none where there are people already', async ({ page }) => {
  await aPerson()
  const { url } = await makeLink({ purpose: 'first_account', user_id: null }, new Date())
  await page.goto(url)
  await page.getByLabel('Name').fill('Olga Owner')
  await page.getByRole('textbox', { name: 'Email' }).fill('olga@example.com')
  await page.getByLabel('Password').fill('an owner’s own words')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'There is already an account' })).toBeVisible()
  await expect(page.getByLabel('Name')).toHaveValue('Olga Owner')
})
