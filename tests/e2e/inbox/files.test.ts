import * as fs from 'node:fs'
import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { connectSandbox } from '#lib/services/senders/sandbox-mailbox'
import { aPerson, signIn } from '../support/people.ts'
import { aQuestion } from '../support/questions.ts'
import { test } from '../support/test.ts'

const PDF = Buffer.concat([
  Buffer.from('%PDF-1.7\n'),
  Buffer.from(Uint8Array.from({ length: 512 }, (_, i) => i)),
])

/** Ada's question came with two files, one of which names itself after a page. */
async function withFiles() {
  const owner = await aPerson()
  const { workspace_id } = owner
  const { mailbox_id } = await connectSandbox({ ...owner, name: 'Petra' }, new Date())
  const { thread_id, path } = await aQuestion({ ...owner, mailbox_id })
  const page = '<script>document.title = "taken over"</script>'
  const raw = Buffer.from(
    `Subject: Prices\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nHi\r\n--b\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename="Offer.pdf"\r\n\r\n${PDF.toString('base64')}\r\n--b\r\nContent-Type: text/html\r\nContent-Disposition: attachment; filename="../page.html"\r\n\r\n${page}\r\n--b--\r\n`,
  )
  const place = {
    mailbox_id,
    folder: 'sandbox',
    uid_validity: 1n,
    uid: 1_000_000_000n,
    size_bytes: raw.length,
  }
  const { inbound_message_id } = await db.inboundMessage.create({
    data: {
      ...place,
      workspace_id,
      message_key: '<prices@test>',
      kind: 'reply',
      evidence: [],
      raw: new Uint8Array(raw),
      received_at: new Date(),
    },
  })
  const attachments = [
    { filename: 'Offer.pdf', content_type: 'application/pdf', size_bytes: PDF.length },
    { filename: '../page.html', content_type: 'text/html', size_bytes: page.length },
  ]
  await db.inboxMessage.updateMany({ where: { thread_id }, data: { attachments, inbound_message_id } })
  return { owner, thread_id, path, page, inbound_message_id }
}

test('files of a message are saved as they came, by mouse and keyboard; what cannot be had is said', async ({
  page,
  browser,
}) => {
  const { owner, thread_id, path, page: html, inbound_message_id } = await withFiles()
  await signIn(page, owner)
  await page.goto(path)
  const files = page.getByRole('article').getByRole('list', { name: 'Files' })
  const [offer] = await Promise.all([
    page.waitForEvent('download'),
    files.getByRole('link', { name: 'Offer.pdf' }).click(),
  ])
  expect(offer.suggestedFilename()).toBe('Offer.pdf')
  expect(fs.readFileSync(await offer.path()).equals(PDF)).toBe(true)

  const link = files.getByRole('link', { name: 'page.html' })
  await link.focus()
  const [saved] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  expect(saved.suggestedFilename()).toBe('page.html')
  expect(fs.readFileSync(await saved.path(), 'utf8')).toBe(html)

  // Opened by itself it is a download too, and no page of ours.
  const answer = await page.request.get((await link.getAttribute('href')) ?? '')
  expect(answer.headers()).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': "attachment; filename*=UTF-8''page.html",
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining('sandbox'),
  })
  const { inbox_message_id } = await db.inboxMessage.findFirstOrThrow({ where: { thread_id } })
  const stranger = await aPerson()
  const other = await browser.newPage()
  await signIn(other, stranger)
  expect((await other.request.get(`/inbox/${thread_id}/files/${inbox_message_id}/0`)).status()).toBe(404)

  await db.inboundMessage.update({ where: { inbound_message_id }, data: { raw: null } })
  await page.goto(path)
  await files.getByRole('link', { name: 'Offer.pdf' }).click()
  await expect(page.getByText('This email is no longer in its mailbox.')).toBeVisible()
})
