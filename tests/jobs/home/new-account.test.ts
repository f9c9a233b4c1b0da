import { expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { launchChecks } from '#lib/services/launch/advice'
import { equipAccount } from '#lib/services/sandbox/new-account'
import { hasOnlySandbox } from '#lib/services/senders/sandbox-mailbox'
import { aCampaign, aDataset, aMailbox, aUser } from '#tests/support/scenes/factories'
import { FIRST } from '#tests/support/scenes/launched'

// No mail is sent to it: only the existence of a sandbox matters.
process.env.SANDBOX_SMTP_PORT = '2525'

const NOW = new Date('2026-11-21T12:30:00Z')

const mailboxes = (workspace_id: string) =>
  db.mailbox.findMany({ where: { workspace_id }, select: { address: true, smtp: true } })
const zone = async (workspace_id: string) =>
  (await db.workspace.findUniqueOrThrow({ where: { workspace_id } })).timezone

test('a new account has the zone of its browser and a mailbox whose mail stays in the sandbox', async () => {
  const user = await aUser()
  await equipAccount(user, 'Europe/Berlin', NOW)
  expect(await zone(user.workspace_id)).toBe('Europe/Berlin')
  const [mailbox, ...others] = await mailboxes(user.workspace_id)
  expect(others).toEqual([])
  // The user's own address stays free for the mailbox that they connect.
  expect(mailbox?.address).toMatch(/^[a-z0-9._-]+@sandbox\.example$/)
  expect(mailbox?.smtp).toMatchObject({ host: '127.0.0.1', port: 2525 })
})

test('the mailbox that came with the account is nothing to warn of, and known to be the only one', async () => {
  const user = await aUser()
  await equipAccount(user, 'Europe/Berlin', NOW)
  const { dataset_id } = await aDataset(user)
  const { campaign_id } = await aCampaign(user, { dataset_id, steps_config: [FIRST] })
  const codes = async () =>
    (await launchChecks(user.workspace_id, campaign_id, NOW)).warns.map(({ code }) => code)
  expect(await codes()).not.toContain('mailbox_untested')
  expect(await hasOnlySandbox(user.workspace_id)).toBe(true)
  await aMailbox(user)
  expect(await codes()).toContain('mailbox_untested')
  expect(await hasOnlySandbox(user.workspace_id)).toBe(false)
})

test('what a workspace has already stays as it is, and no zone is taken on trust', async () => {
  const user = await aUser()
  const { address } = await aMailbox(user)
  await equipAccount(user, 'Mars/Olympus', NOW)
  expect(await zone(user.workspace_id)).toBe('UTC')
  await db.workspace.update({
    where: { workspace_id: user.workspace_id },
    data: { timezone: 'Asia/Tokyo' },
  })
  await equipAccount(user, 'Europe/Berlin', NOW)
  expect(await zone(user.workspace_id)).toBe('Asia/Tokyo')
  expect((await mailboxes(user.workspace_id)).map((one) => one.address)).toEqual([address])
})
