import { expect, type Page } from '@playwright/test'
import { db } from '#lib/db/client'
import { aCampaign, aTemplate } from '#tests/support/scenes/factories'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

/** Checks the dialog that says whom to ask, and closes it. */
async function isTold(page: Page, why: string) {
  const dialog = page.getByRole('dialog', { name: 'Ask an admin' })
  await expect(dialog).toContainText(why)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

test('in lists, a member changes what is theirs, and is told whom to ask about the rest', async ({
  page,
}) => {
  test.setTimeout(180_000)
  const [owner, member] = [await aPerson(), await aPerson()]
  const { workspace_id } = owner
  await db.member.create({ data: { workspace_id, user_id: member.user_id, role: 'member' } })
  const me = { ...member, workspace_id }
  const steps_config = [{ subject: 'Hi', message_template: 'Hi' }]
  const { dataset_id } = await aCampaign(owner, { name: 'Of the owner', steps_config })
  await aCampaign(me, { name: 'Of me', steps_config })
  const halted = { status: 'paused', paused_from: 'active', paused_reason: 'sender_disconnected' } as const
  await db.campaign.updateMany({ where: { workspace_id }, data: halted })
  for (const [{ user_id }, whose] of [
    [owner, 'the owner'],
    [me, 'me'],
  ] as const) {
    const made = { workspace_id, user_id }
    const content = { subject: 'Hi', body: 'Hi' }
    await db.template.create({ data: { ...made, name: `Text of ${whose}`, content } })
    const profile_name = `Profile of ${whose}`
    await db.senderProfile.create({ data: { ...made, profile_name, sender_data: { data: {} } } })
  }
  await db.dataset.update({ where: { dataset_id }, data: { dataset_name: 'List of the owner' } })
  const suppression = { workspace_id, value: 'gone@acme.example', reason: 'manual' }
  await db.suppression.create({ data: suppression })
  await signIn(page, member)
  await db.userSession.updateMany({ where: { user_id: member.user_id }, data: { workspace_id } })

  for (const [path, theirs, mine, item, why] of [
    ['/campaigns', 'Of the owner', 'Of me', 'Resume', 'only campaigns you made'],
    ['/templates', 'Text of the owner', 'Text of me', 'Delete', 'only templates you made'],
    ['/sender-profiles', 'Profile of the owner', 'Profile of me', 'Delete', 'only sender profiles you'],
    ['/datasets', 'List of the owner', null, 'Delete', 'only datasets that nobody else’s campaign'],
  ] as const) {
    await page.goto(path)
    await page.getByRole('button', { name: `More for ${theirs}`, exact: true }).click()
    await page.getByRole('menuitem', { name: item }).click()
    await isTold(page, why)
    if (mine === null || item !== 'Delete') continue
    await page.getByRole('button', { name: `More for ${mine}`, exact: true }).click()
    await page.getByRole('menuitem', { name: item }).click()
    await expect(page.getByRole('alertdialog').or(page.getByRole('dialog'))).toContainText(mine)
    await page.keyboard.press('Escape')
  }

  await page.goto('/datasets')
  await page.getByLabel('Select List of the owner').check()
  const lists = page.getByRole('region', { name: 'Selected datasets' })
  await expect(lists.getByRole('button', { name: /^Delete/ })).toHaveCount(0)
  await lists.getByRole('button', { name: '1 not yours' }).click()
  await isTold(page, 'only datasets that nobody else’s campaign')

  await page.goto('/suppressions')
  await page.getByRole('button', { name: 'Allow again: gone@acme.example' }).click()
  await isTold(page, 'the role admin or higher')
  await page.getByLabel('Select gone@acme.example').check()
  await page.getByRole('region', { name: 'Selected suppressions' }).getByRole('button').first().click()
  await isTold(page, 'the role admin or higher')

  await page.goto('/campaigns')
  await page.getByLabel('Select Of the owner').check()
  const campaigns = page.getByRole('region', { name: 'Selected campaigns' })
  await expect(campaigns.getByRole('button', { name: /^(Pause|Resume)/ })).toHaveCount(0)
  await campaigns.getByRole('button', { name: '1 not yours' }).click()
  await isTold(page, 'only campaigns you made')
  await page.getByLabel('Select Of me').check()
  await expect(campaigns.getByRole('button', { name: 'Resume 1' })).toBeVisible()
  await expect(campaigns.getByRole('button', { name: '1 not yours' })).toBeVisible()

  await page.goto('/home')
  await page.getByRole('button', { name: 'Resume: Of the owner' }).click()
  await isTold(page, 'only campaigns you made')
  await expect(page.getByRole('button', { name: 'Resume: Of me' })).not.toHaveAttribute('data-locked')
  expect(await db.campaign.count({ where: { workspace_id, status: 'paused' } })).toBe(2)
})

test('a member looks at the campaign of another, and begins one of their own from its list and its texts', async ({
  page,
}) => {
  const [owner, member] = [await aPerson(), await aPerson()]
  const { workspace_id } = owner
  await db.member.create({ data: { workspace_id, user_id: member.user_id, role: 'member' } })
  const { campaign_id, dataset_id } = await aCampaign(owner, {})
  const { template_id } = await aTemplate(owner)
  await signIn(page, member)
  await db.userSession.updateMany({ where: { user_id: member.user_id }, data: { workspace_id } })
  const main = page.getByRole('main')

  await page.goto(`/campaigns/${campaign_id}/settings`)
  await expect(main.getByText('can change only campaigns you made')).toBeVisible()
  await expect(main.getByLabel('Name').first()).toBeDisabled()
  await expect(main.getByRole('button', { name: 'Duplicate' })).toBeEnabled()

  await page.goto(`/templates/${template_id}`)
  await expect(main.getByLabel('Name').first()).toBeDisabled()
  await expect(main.getByRole('link', { name: 'Duplicate' })).toHaveAttribute(
    'href',
    `/templates/new?from=${template_id}`,
  )

  await page.goto(`/datasets/${dataset_id}`)
  await main.getByRole('link', { name: 'New campaign' }).click()
  await expect(page).toHaveURL(new RegExp(`/campaigns/new.dataset_id=${dataset_id}$`))
  await expect(main.getByRole('textbox', { name: 'Name' })).toBeEnabled()
  const create = main.getByRole('button', { name: 'Create and write the first step' })
  await expect(create).not.toHaveAttribute('data-locked')
})
