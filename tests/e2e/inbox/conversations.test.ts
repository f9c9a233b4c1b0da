import { expect, type Page } from '@playwright/test'
import { db } from '#lib/db/client'
import { aSlowWay } from '#tests/support/doubles/slow-way'
import { aConversation } from '#tests/support/scenes/showcase/talk'
import { aPerson, type Person, signInByHand } from '../support/people.ts'
import { test } from '../support/test.ts'

const SLOW = { timeout: 150_000 }
const BRIEF = { timeout: 5_000 }
const TITLE = 'Best reply rate this month'

/** The assistant over the home page; its keys work once the page is hydrated. */
async function assistant(page: Page) {
  const panel = page.getByRole('dialog', { name: 'Assistant' })
  await expect(async () => {
    if (!(await panel.isVisible())) await page.keyboard.press('Control+j')
    await expect(panel.getByLabel('Message')).toBeVisible({ timeout: 5_000 })
  }).toPass(SLOW)
  const said = panel.getByRole('list', { name: 'Conversation', exact: true })
  const past = panel.getByRole('list', { name: 'Past conversations' })
  // Items of the conversation itself, and not of a list within an answer.
  const turns = said.locator(':scope > li')
  return { panel, said, turns, past, unfold: () => panel.getByText('Past conversations').click() }
}

/** Chooses from the menu of a conversation, which may already be open. */
async function choose(page: Page, title: string, action: string) {
  const item = page.getByRole('menuitem', { name: action, exact: true })
  await expect(async () => {
    if (!(await item.isVisible()))
      await page.getByRole('button', { name: `Actions on ${title}` }).click(BRIEF)
    await item.click(BRIEF)
  }).toPass(SLOW)
}

const kept = ({ workspace_id }: Person) => db.conversation.findFirst({ where: { workspace_id } })

test('a past conversation is read, renamed, archived and taken back, and deleted once that is confirmed', async ({
  page,
}) => {
  const person = await aPerson()
  await aConversation(person)
  await signInByHand(page, person)
  const { panel, said, turns, past, unfold } = await assistant(page)
  await unfold()
  await past.getByRole('button', { name: TITLE, exact: true }).click()
  await expect(said).toContainText('leads with 3 replies')
  // The chosen conversation replaces the list.
  await expect(past).toBeHidden()

  await unfold()
  await choose(page, TITLE, 'Rename')
  await past.getByLabel('Title').fill('Replies in autumn')
  await page.keyboard.press('Enter')
  const renamed = past.getByRole('button', { name: 'Replies in autumn', exact: true })
  await expect(renamed).toBeVisible(SLOW)
  expect((await kept(person))?.title).toBe('Replies in autumn')

  await choose(page, 'Replies in autumn', 'Archive')
  await expect(past).toContainText('Archived: Replies in autumn', SLOW)
  expect((await kept(person))?.archived_at).not.toBeNull()
  await past.getByRole('button', { name: 'Undo' }).click()
  await expect(renamed).toBeVisible(SLOW)
  expect((await kept(person))?.archived_at).toBeNull()

  await choose(page, 'Replies in autumn', 'Archive')
  await expect(past).toContainText('Archived: Replies in autumn', SLOW)
  await panel.getByRole('button', { name: 'Archived', exact: true }).click()
  const putAway = panel.getByRole('list', { name: 'Archived conversations' })
  await expect(putAway.getByRole('listitem')).toHaveCount(1, SLOW)
  await choose(page, 'Replies in autumn', 'Unarchive')
  await expect(panel.getByText('No archived conversations.')).toBeVisible(SLOW)
  expect((await kept(person))?.archived_at).toBeNull()
  await panel.getByRole('button', { name: 'Back to conversations' }).click()
  await expect(renamed).toBeVisible(SLOW)

  await choose(page, 'Replies in autumn', 'Delete')
  const question = page.getByRole('dialog', { name: 'Delete the conversation “Replies in autumn”?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  // The menu that opened the dialog is closed, and its button has the focus again.
  await expect(page.getByRole('menuitem', { name: 'Delete', exact: true })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Actions on Replies in autumn' })).toBeFocused()
  expect(await kept(person)).not.toBeNull()
  await choose(page, 'Replies in autumn', 'Delete')
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(panel.getByText('No conversations yet.')).toBeVisible(SLOW)
  await expect(turns).toHaveCount(0)
  expect(await kept(person)).toBeNull()
})

test('an answer that is still coming is stopped: what came stays, the connection ends, and the talk goes on', async ({
  page,
  baseURL,
}) => {
  const person = await aPerson()
  const way = await aSlowWay(baseURL ?? '')
  try {
    await page.route('**/api/v1/agent/chat', (route) =>
      route.continue({
        url: route
          .request()
          .url()
          .replace(new URL(baseURL ?? '').origin, way.url),
      }),
    )
    await signInByHand(page, person)
    const { panel, turns } = await assistant(page)
    await panel.getByLabel('Message').fill('list my campaigns')
    await page.keyboard.press('Enter')
    // The second one is the answer, as far as it had come.
    await expect(turns).toHaveCount(2, SLOW)
    await expect(turns.last()).toContainText('List campaigns', SLOW)
    const stop = panel.getByRole('button', { name: 'Stop', exact: true })
    await expect(stop).toBeVisible()
    expect(way.hungUp()).toBe(0)
    await stop.click()
    await expect(panel.getByRole('button', { name: 'Send' })).toBeVisible()
    await expect.poll(way.hungUp, SLOW).toBe(1)
    await expect(turns).toHaveCount(2)
    await expect(panel.getByRole('alert')).toHaveCount(0)

    await page.unroute('**/api/v1/agent/chat')
    await panel.getByLabel('Message').fill('list my datasets')
    await page.keyboard.press('Enter')
    await expect(turns).toHaveCount(4, SLOW)
    await expect(panel.getByRole('button', { name: 'Send' })).toBeVisible(SLOW)
    await expect(panel.getByRole('alert')).toHaveCount(0)
  } finally {
    await way.close()
  }
})
