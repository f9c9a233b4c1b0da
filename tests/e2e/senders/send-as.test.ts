import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { aMailbox } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { aQuestion } from '../support/questions.ts'
import { test } from '../support/test.ts'

const SOON = { timeout: 60_000 }
const SALES = 'sales@company.test'

/** A user with a mailbox at the sandbox of this instance. */
async function aSender() {
  const person = await aPerson()
  const mailbox = await aMailbox(person, { port: Number(process.env.SANDBOX_SMTP_PORT) })
  return { person, mailbox, path: `/mailboxes/${mailbox.mailbox_id}` }
}

test('an address is chosen to send as, its server takes it, and an answer comes from the one written to', async ({
  page,
}) => {
  const { person, mailbox, path } = await aSender()
  await signIn(page, person)
  await page.goto(path)
  await page.getByLabel('Send as').fill('Info@Company.test')
  await page.getByLabel('Other addresses').fill(SALES)
  await page.getByRole('button', { name: 'Save mailbox' }).click()
  await expect(page.getByText('Mailbox saved.')).toBeVisible(SOON)
  await expect(page.getByLabel('Other addresses')).toHaveValue(`${SALES}\ninfo@company.test`)
  await page.getByRole('button', { name: 'Test the connection' }).click()
  await expect(page.getByText('The connection works.')).toBeVisible(SOON)

  const said = { recipients: [{ name: '', address: SALES }] }
  const asked = await aQuestion({ ...person, mailbox_id: mailbox.mailbox_id }, said)
  await page.goto(asked.path)
  await expect(page.getByText(`To Ada Quinn from ${SALES}`)).toBeVisible()
  await page.getByLabel(/^Answer /).fill('It costs nothing.')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const { workspace_id } = person
  const sent = () => db.sandboxMessage.findMany({ where: { workspace_id }, select: { from_address: true } })
  await expect.poll(sent, SOON).toEqual([{ from_address: SALES }])
})

test('where the provider took the address away, the page says so, and another choice goes on', async ({
  page,
}) => {
  const { person, mailbox, path } = await aSender()
  const { mailbox_id, address } = mailbox
  await db.mailbox.update({
    where: { mailbox_id },
    data: { aliases: [SALES], aliases_read_at: new Date(), send_as: 'gone@company.test' },
  })
  await signIn(page, person)
  await page.goto(path)
  await page.getByRole('button', { name: 'Test the connection' }).click()
  const main = page.getByRole('main')
  await expect(main).toContainText('gone@company.test is no longer one of this mailbox’s addresses', SOON)
  const choice = page.getByLabel('Send as')
  await expect(choice).toHaveValue('gone@company.test')
  await expect(choice.getByRole('option')).toHaveText([address, SALES, 'gone@company.test (no longer yours)'])
  await choice.selectOption(SALES)
  await page.getByRole('button', { name: 'Save mailbox' }).click()
  await expect(page.getByText('Mailbox saved.')).toBeVisible(SOON)
  await expect(main).not.toContainText('is no longer one of')
  expect(await db.mailbox.findUniqueOrThrow({ where: { mailbox_id } })).toMatchObject({
    send_as: SALES,
    status: 'connected',
  })
})
