import * as fs from 'node:fs'
import { expect } from '@playwright/test'
import { db } from '#lib/db/client'
import { PDF, questionWithFiles } from '../support/arrived-files.ts'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

test('files of a message are saved as they came, by mouse and keyboard; what cannot be had is said', async ({
  page,
  browser,
}) => {
  const { owner, thread_id, path, page: html, inbound_message_id } = await questionWithFiles()
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

  // Opened directly it is a download too, and not shown as a page of ours.
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
