import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importArchive } from '#inngest/functions/import-archive'
import { personalizeLeads } from '#inngest/functions/personalize-leads'
import { processDataset } from '#inngest/functions/process-dataset'
import { runDatasetSession } from '#inngest/functions/run-dataset-session'
import { CreateWebhook } from '#lib/contracts/telling/webhooks'
import { db, pool } from '#lib/db/client'
import { seal } from '#lib/db/seal'
import type { RunningEngine } from '#lib/engine/engine'
import { PersonalizeRequested } from '#lib/events/catalog'
import { inngest } from '#lib/events/client'
import type { InboxProvider } from '#lib/providers/inbox/port'
import type { HttpAnswer, HttpPost } from '#lib/providers/outbound-http'
import { exportDataset } from '#lib/services/datasets/export'
import { pollInboxes } from '#lib/services/inbox/mailboxes/poll'
import { deliverWebhooks } from '#lib/services/telling/deliver-webhook'
import { testWebhook } from '#lib/services/telling/webhook-deliveries'
import { createWebhook } from '#lib/services/telling/webhooks'
import { exportEverything } from '#lib/services/workspaces/archive/account-export'
import { type App, startApp, startTestEngine, until } from '#tests/support/engine'
import { aDataset, aMailbox, aUser } from '#tests/support/scenes/factories'

/** Owner A has a flood of work and owner B a single job: B's job is done while A's flood is worked on. */

const NOW = new Date()

test('five hundred mailboxes of one owner on a server that hangs do not delay the one of another', async () => {
  const [a, b] = [await aUser(), await aUser()]
  const imap = { host: '127.0.0.1', port: 1, security: 'none', username: 'x' }
  const inbox = { imap, imap_password: seal('secret') }
  const smtp = { host: '127.0.0.1', port: 1, security: 'none', username: null }
  await db.mailbox.createMany({
    data: Array.from({ length: 500 }, (_, n) => ({
      workspace_id: a.workspace_id,
      address: `flood${n}@example.com`,
      smtp,
      ...inbox,
    })),
  })
  // Read a minute ago, while the mailboxes of the flood were never read.
  const { mailbox_id } = await aMailbox(b)
  await db.mailbox.update({
    where: { mailbox_id },
    data: { ...inbox, inbox_polled_at: new Date(NOW.getTime() - 60_000) },
  })

  let freeThem = () => {}
  const hanging = new Promise<void>((resolve) => (freeThem = resolve))
  const owners: string[] = []
  const byHost: InboxProvider = {
    ...({} as InboxProvider),
    async read() {
      owners.push('read')
      // The sixth read starts only while the first five still run.
      if (owners.length < 6) await hanging
      return { ok: true, read: 0, more: false }
    },
  }
  let isOver = false
  const polling = pollInboxes({
    pool: pool(),
    imap: byHost,
    clock: () => NOW,
    until: new Date(NOW.getTime() + 60_000),
    stopping: () => isOver,
  })
  await expect.poll(() => owners.length).toBeGreaterThanOrEqual(6)
  isOver = true
  freeThem()
  await polling
  const { inbox_polled_at } = await db.mailbox.findUniqueOrThrow({ where: { mailbox_id } })
  expect(inbox_polled_at).toEqual(NOW)
  await db.mailbox.deleteMany()
})

test('the webhooks of one owner, all of them hanging, leave lanes to another’s', async () => {
  const [a, b] = [await aUser(), await aUser()]
  const hook = (owner: { workspace_id: string; user_id: string }, url: string) =>
    createWebhook(owner.workspace_id, CreateWebhook.body.parse({ url }), NOW)
  for (let n = 0; n < 30; n++) {
    const { webhook_id } = await hook(a, `https://a${n}.example.com/`)
    await testWebhook(a.workspace_id, webhook_id, NOW)
  }
  const { webhook_id } = await hook(b, 'https://b.example.com/')

  let freeThem = () => {}
  const hanging = new Promise<void>((resolve) => (freeThem = resolve))
  const sent: string[] = []
  const ok: HttpAnswer = { status: 204, response: '', bytes: Buffer.alloc(0), retry_after: null }
  const post = async ({ url }: HttpPost): Promise<HttpAnswer> => {
    sent.push(new URL(url).hostname[0] ?? '')
    if (url.includes('//a')) await hanging
    return ok
  }
  const soon = new Date(NOW.getTime() + 1_000)
  const delivering = deliverWebhooks({
    pool: pool(),
    post,
    clock: () => soon,
    until: new Date(soon.getTime() + 60_000),
    chance: () => 0.5,
  })
  await expect.poll(() => sent.length).toBe(4)
  // B's job arrives when the flood is already being worked on.
  await testWebhook(b.workspace_id, webhook_id, NOW)
  await expect.poll(() => sent).toEqual(['a', 'a', 'a', 'a', 'b'])
  freeThem()
  expect(await delivering).toMatchObject({ attempts: 31 })
  await db.webhook.deleteMany()
})

test('exports that one owner begins and does not read leave connections to another', async () => {
  const [a, b] = [await aUser(), await aUser()]
  const { dataset_id } = await aDataset(b, 3)
  const begin = async () => (await exportEverything(a, NOW)).parts[Symbol.asyncIterator]()
  const begun = [await begin(), await begin()]
  for (const parts of begun) await parts.next()
  await expect(begin()).rejects.toThrow('You already have 2 exports running')
  const file = await exportDataset(b.workspace_id, dataset_id, { format: 'csv', sources: false })
  let bytes = 0
  for await (const part of file.parts) bytes += part.length
  expect(bytes).toBeGreaterThan(0)
  for (const parts of begun) await parts.return?.()
  await (await begin()).return?.()
})

describe('work in the background', () => {
  const LIMIT_MS = 120_000
  let app: App
  let engine: RunningEngine
  let underWay = 0
  let most = 0
  const order: string[] = []
  const flood: string[] = []
  let freeThem = () => {}
  const hanging = new Promise<void>((resolve) => (freeThem = resolve))

  /** The real function, except that its work is recorded and waits. */
  const asked = inngest.createFunction(
    { ...personalizeLeads.opts, id: 'fair-personalize', retries: 0, onFailure: undefined },
    async ({ event, step }) => {
      await step.run('work', async () => {
        underWay += 1
        most = Math.max(most, underWay)
        order.push(event.data.workspace_id)
        if (flood.includes(event.data.workspace_id)) await hanging
        underWay -= 1
        return null
      })
    },
  )

  beforeAll(async () => {
    app = await startApp(inngest, () => [asked])
    engine = await startTestEngine(app.url)
  }, LIMIT_MS)
  afterAll(async () => {
    freeThem()
    await engine.stop()
    await app.close()
  })

  test(
    'of one owner is held to two at a time, and another’s goes past all that waits',
    async () => {
      const [a, b] = [crypto.randomUUID(), crypto.randomUUID()]
      flood.push(a)
      const ask = (workspace_id: string) =>
        PersonalizeRequested.create({ workspace_id, run_id: crypto.randomUUID() })
      await inngest.send(Array.from({ length: 30 }, () => ask(a)))
      await until(async () => order.length === 2, 'the flood to begin', LIMIT_MS)
      await inngest.send(ask(b))
      await until(async () => order.includes(b), 'the one of another', LIMIT_MS)
      expect(order).toEqual([a, a, b])
      expect(most).toBeLessThanOrEqual(3)
    },
    LIMIT_MS,
  )

  test('every function that works long for one owner is counted by owner', () => {
    for (const { opts } of [personalizeLeads, runDatasetSession, processDataset, importArchive])
      expect([opts.concurrency].flat()).toContainEqual(
        expect.objectContaining({ key: 'event.data.workspace_id' }),
      )
  })
})
