import { type Browser, expect, type Page } from '@playwright/test'
import { db } from '#lib/db/client'
import { timeCode, timeStep } from '#lib/domain/tokens/time-codes'
import { aPerson, type Person, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

/** Passkeys are bound to a host name, and the test instance is addressed by its IP address. */
const named = (baseURL: string | undefined) => (baseURL ?? '').replace('127.0.0.1', 'localhost')

async function aBrowser(
  browser: Browser,
  baseURL: string | undefined,
  javaScriptEnabled = true,
): Promise<Page> {
  const context = await browser.newContext({ baseURL: named(baseURL), javaScriptEnabled })
  return context.newPage()
}

/** A device with a fingerprint reader that always recognises the user. */
async function aDevice(page: Page) {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

async function signOut(page: Page) {
  await page
    .getByRole('button', { name: /: account$/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

/** From then on the fields offer no passkeys, as in a browser without that feature. */
async function suggestNothing(page: Page) {
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
  await page.reload()
}

const leaveOpen = ({ user_id }: Person) =>
  db.userSession.updateMany({
    where: { user_id },
    data: { proven_at: new Date(Date.now() - 20 * 60_000) },
  })

test('a passkey is added, signs in without an address, and is removed after a proof', async ({
  browser,
  baseURL,
}) => {
  const person = await aPerson()
  const page = await aBrowser(browser, baseURL)
  await signIn(page, person)
  await aDevice(page)
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('textbox', { name: 'Name (required)' }).fill('Work laptop')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('table', { name: 'Passkeys' })).toContainText('Work laptop')
  // The address field offers the passkey, and the device confirms it at once.
  await Promise.all([page.waitForURL(/\/sign-in$/), signOut(page)])
  await expect(page).toHaveURL(/\/home$/)
  await suggestNothing(page)
  await signOut(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page).toHaveURL(/\/home$/)
  await leaveOpen(person)
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Remove Work laptop' }).click()
  const proof = page.getByRole('dialog', { name: 'Confirm it is you' })
  await proof.getByLabel('Password').fill('not it')
  await proof.getByRole('button', { name: 'Confirm' }).click()
  await expect(proof.getByRole('alert')).toBeVisible()
  await proof.getByRole('button', { name: 'Use a passkey' }).click()
  await page
    .getByRole('dialog', { name: 'Remove Work laptop?' })
    .getByRole('button', { name: 'Remove' })
    .click()
  await expect(page.getByText('No passkeys', { exact: true })).toBeVisible()
  await page.context().close()
})

test('an authenticator app is set up, and from then on a password owes a code', async ({
  browser,
  baseURL,
}) => {
  const person = await aPerson()
  const page = await aBrowser(browser, baseURL)
  await signIn(page, person)
  await leaveOpen(person)
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Set up' }).click()
  await expect(page.getByRole('dialog').getByLabel('Password')).toBeFocused()
  await page.keyboard.type(person.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  await page.getByText('No camera? Type the secret instead').click()
  const secret = (await page.getByRole('dialog').locator('code').textContent()) ?? ''
  await page.getByLabel('Code (required)').fill(timeCode(secret, timeStep(new Date())))
  await page.getByRole('button', { name: 'Turn on' }).click()
  const shown = page.getByRole('dialog', { name: 'Keep your recovery codes' })
  const [recovery = ''] = ((await shown.locator('code').textContent()) ?? '').split('\n')
  await shown.getByRole('button', { name: 'I saved them' }).click()
  await expect(page.getByText('10 of 10 recovery codes left.')).toBeVisible()
  await signOut(page)
  await expect(page).toHaveURL(/\/sign-in$/)

  await page.getByRole('textbox', { name: 'Email' }).fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Enter a code' })).toBeVisible()
  await page.goto('/campaigns')
  await expect(page).toHaveURL(/\/sign-in\?/)
  await page.goto('/sign-in/code?return_path=/campaigns')
  await page.getByLabel('Code').fill('no code')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'is wrong' })).toBeVisible()
  await page.getByLabel('Code').fill(timeCode(secret, timeStep(new Date()) + 1))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/campaigns$/)
  await page.context().close()

  const plain = await aBrowser(browser, baseURL, false)
  await plain.goto('/sign-in')
  await plain.getByRole('textbox', { name: 'Email' }).fill(person.email)
  await plain.getByLabel('Password').fill(person.password)
  await plain.getByRole('button', { name: 'Sign in' }).click()
  await plain.getByLabel('Code').fill(recovery)
  await plain.getByRole('button', { name: 'Sign in' }).click()
  await expect(plain).toHaveURL(/\/home$/)
  await plain.context().close()
})
