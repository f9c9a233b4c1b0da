import { expect } from '@playwright/test'
import { simpleParser } from 'mailparser'
import { db } from '#lib/db/client'
import { connectSandbox } from '#lib/services/senders/sandbox-mailbox'
import { aPerson, signIn } from '../support/people.ts'
import { aQuestion } from '../support/questions.ts'
import { test } from '../support/test.ts'

const SOON = { timeout: 150_000 }

/** Contains every byte value, and is larger than one upload part. */
const PDF = Buffer.concat([
  Buffer.from('%PDF-1.7\n'),
  Buffer.from(Uint8Array.from({ length: 300_001 }, (_, i) => (i * 7919 + (i >> 8)) % 256)),
])
const CSV = Buffer.from('name\r\nAda\n')

async function aConversation() {
  const owner = await aPerson()
  const { mailbox_id } = await connectSandbox({ ...owner, name: 'Petra' }, new Date())
  const counterpart_address = `ada-${crypto.randomUUID()}@prices.test`
  return { owner, ...(await aQuestion({ ...owner, mailbox_id, counterpart_address })) }
}

test('files are attached by keyboard, drop and paste, refused by what they are, and arrive byte for byte', async ({
  page,
}) => {
  const { owner, thread_id, path } = await aConversation()
  await signIn(page, owner)
  // From here on the browser passes file choosers to the test: a listener added at the key press could come after its own dialog.
  const opened = page.waitForEvent('filechooser')
  await page.goto(path)
  const files = page.locator('form').getByRole('list', { name: 'Files' })
  const chip = (name: string) => files.getByRole('listitem').filter({ hasText: name })

  // By keyboard: the button opens the file chooser.
  const attach = page.getByRole('button', { name: 'Attach', exact: true })
  await attach.focus()
  await page.keyboard.press('Enter')
  const chooser = await opened
  await chooser.setFiles([
    { name: 'Offer.pdf', mimeType: 'application/pdf', buffer: PDF },
    { name: 'run.exe', mimeType: 'application/pdf', buffer: PDF },
  ])
  await expect(chip('run.exe').getByRole('alert')).toContainText('programs')
  await expect(chip('Offer.pdf').getByRole('progressbar')).toHaveCount(0, SOON)
  await expect(chip('Offer.pdf')).toContainText('293 KB')

  // A refused file keeps the reply from being sent until it is removed.
  await page.getByLabel(/^Answer /).fill('Here it is.')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  expect(await db.inboxDraft.count({ where: { thread_id } })).toBe(0)
  await page.getByRole('button', { name: 'Remove run.exe' }).focus()
  await page.keyboard.press('Enter')
  await expect(attach).toBeFocused()

  // Files can be dropped and pasted.
  const give = (type: 'drop' | 'paste', name: string, text: string) =>
    page.getByLabel(/^Answer /).evaluate(
      (field, [event, filename, content]) => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File([content], filename))
        const init = { bubbles: true, cancelable: true }
        field.dispatchEvent(
          event === 'drop'
            ? new DragEvent('drop', { ...init, dataTransfer })
            : new ClipboardEvent('paste', { ...init, clipboardData: dataTransfer }),
        )
      },
      [type, name, text] as const,
    )
  await give('drop', 'Liste für Zoë.csv', CSV.toString())
  await give('paste', 'fake.pdf', 'only words')
  await expect(chip('Liste für Zoë.csv').getByRole('progressbar')).toHaveCount(0, SOON)
  // Only the server inspects the content.
  await expect(chip('fake.pdf').getByRole('alert')).toContainText('named .pdf, but it is text', SOON)
  await page.getByRole('button', { name: 'Remove fake.pdf' }).click()

  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(files).toHaveCount(0)
  const mails = () => db.sandboxMessage.findMany({ where: { workspace_id: owner.workspace_id } })
  await expect.poll(async () => (await mails()).length, SOON).toBe(1)
  const { attachments } = await simpleParser(Buffer.from((await mails())[0]?.raw ?? ''))
  expect(attachments.map(({ filename, contentType }) => [filename, contentType])).toEqual([
    ['Offer.pdf', 'application/pdf'],
    ['Liste für Zoë.csv', 'text/csv'],
  ])
  expect(attachments.map(({ content }) => content.equals(PDF) || content.equals(CSV))).toEqual([true, true])
  await page.reload()
  await expect(page.getByRole('article').filter({ hasText: 'Here it is.' })).toContainText('Offer.pdf', SOON)
})

test('a file comes back with an answer that is undone, and with one that was only begun', async ({
  page,
}) => {
  const { owner, thread_id, path } = await aConversation()
  await signIn(page, owner)
  await page.goto(path)
  const remove = page.getByRole('button', { name: 'Remove Offer.pdf' })
  await page.getByLabel('Files to attach').setInputFiles({
    name: 'Offer.pdf',
    mimeType: 'application/pdf',
    buffer: PDF,
  })
  await expect(page.getByRole('progressbar')).toHaveCount(0, SOON)
  await page.getByLabel(/^Answer /).fill('Here it is.')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Not sent. Your text is back.')).toBeVisible(SOON)
  await expect(remove).toBeVisible()
  const draft = await db.inboxDraft.findFirstOrThrow({ where: { thread_id } })
  expect([draft.send_at, draft.attachment_ids.length]).toEqual([null, 1])
  await page.reload()
  await expect(remove).toBeVisible()
})
