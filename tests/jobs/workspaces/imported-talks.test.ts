import { beforeEach, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { replyInInbox } from '#lib/services/inbox/reply'
import { createForm, listForms } from '#lib/services/leads/forms/forms'
import { importWorkspace } from '#lib/services/workspaces/archive/workspace-import'
import { type ArchiveLine, archive, archiveBytes, eraseWorkspace } from '#tests/support/files/archives'
import { SITE } from '#tests/support/forms'
import { aDataset, anAccount, aUser } from '#tests/support/scenes/factories'
import { MONDAY } from '#tests/support/scenes/launched'

const OTHERS_CHAT = 'chat-of-somebody-else'
const AT = MONDAY

type Owner = Awaited<ReturnType<typeof aUser>>

async function aChat({ workspace_id }: Owner, account_id: string, of: object = {}) {
  const chat = { workspace_id, connected_account_id: account_id, channel: 'social' }
  const last = {
    last_message_at: AT,
    last_direction: 'in',
    last_kind: 'reply',
    preview: 'Yes',
    message_count: 2,
  }
  const { thread_id } = await db.thread.create({
    data: {
      ...chat,
      chat_id: OTHERS_CHAT,
      counterpart_address: 'grace',
      subject: 'Chat with Grace',
      ...last,
      ...of,
    },
  })
  const message = { thread_id, workspace_id, connected_account_id: account_id, subject: '', at: AT }
  await db.inboxMessage.createMany({
    data: [
      {
        ...message,
        direction: 'out',
        kind: 'answer',
        from_address: 'ana',
        text: 'Hi',
        provider_message_id: 'm1',
      },
      {
        ...message,
        direction: 'in',
        kind: 'reply',
        from_address: 'grace',
        text: 'Yes',
        provider_message_id: 'm2',
      },
    ],
  })
  return thread_id
}

const POSTS = {
  published: {
    published_at: AT,
    share_url: 'https://network.example/p/1',
    next_metrics_at: AT,
    reactions: 7,
  },
  scheduled: { scheduled_at: AT, next_attempt_at: AT },
  publishing: { uncertain: true, next_check_at: AT, reference: crypto.randomUUID(), lease_until: AT },
  draft: {},
} as const

const FORM = {
  name: 'Newsletter',
  fields: [{ name: 'email', column: 'email', required: true }],
  consent_text: 'Send me the newsletter.',
  mail_subject: 'Please confirm',
  mail_text: 'You asked for our newsletter.',
  mailbox_id: null,
  campaign_id: null,
  allowed_origins: [SITE],
  redirect_url: null,
  mails_per_day: 50,
  keep_days: 7,
}

/** A chat on a network and one in the sandbox, a post in each state, a form that a server signs, and one with a consent field. */
async function aTalkativeWorkspace() {
  const owner = await aUser()
  const { workspace_id, user_id } = owner
  const account = await anAccount(owner, { driver: 'unipile' })
  const sandbox = await anAccount(owner)
  const thread_id = await aChat(owner, account.account_id, { social_provider_id: 'grace-1' })
  await aChat(owner, sandbox.account_id)
  for (const [status, fields] of Object.entries(POSTS))
    await db.socialPost.create({
      data: {
        ...{ workspace_id, user_id, connected_account_id: account.account_id, text: status, ...fields },
        ...{
          status: status as keyof typeof POSTS,
          provider_post_id: `p-${status}`,
          social_id: `s-${status}`,
        },
      },
    })
  const { dataset_id } = await aDataset(owner)
  const signed = await createForm(owner, dataset_id, { ...FORM, name: 'Signed', signed: true })
  const form = await createForm(owner, dataset_id, { ...FORM, signed: false })
  await db.formEntry.create({
    data: {
      ...{ workspace_id, form_id: form.form_id, form_name: form.name, email: 'ada@acme.example' },
      ...{
        digest: 'x'.repeat(64),
        consent_text: FORM.consent_text,
        cells: {},
        given_at: AT,
        confirmed_at: AT,
      },
      expires_at: AT,
    },
  })
  return { owner, workspace_id, account, thread_id, dataset_id, form, signed }
}

const load = async (lines: unknown[]) => {
  const importer = await aUser()
  return { importer, ...(await importWorkspace(importer.user_id, archiveBytes(lines), MONDAY)) }
}

async function moved() {
  const before = await aTalkativeWorkspace()
  const lines = await archive(before.owner)
  await eraseWorkspace(before.owner)
  return { ...before, lines, imported: await load(lines) }
}

beforeEach(() => db.formEntry.deleteMany())

test('chats come in with what was said, and by nothing that a provider would answer to without the account', async () => {
  const { workspace_id, account, thread_id, imported } = await moved()
  const threads = await db.thread.findMany({ where: { workspace_id }, include: { messages: true } })
  expect(threads).toMatchObject([
    { thread_id, connected_account_id: account.account_id, chat_id: null, social_provider_id: 'grace-1' },
  ])
  expect(threads[0]?.messages.map(({ text }) => text).toSorted()).toEqual(['Hi', 'Yes'])
  // The sandbox's chat is left out, with its messages.
  expect(imported.left_out).toMatchObject({ threads: 1, inbox_messages: 2 })
})

test('a chat is not answered before its account is connected again', async () => {
  const { workspace_id, thread_id, imported } = await moved()
  const answer = replyInInbox({ ...imported.importer, workspace_id }, thread_id, { text: 'Thanks' }, MONDAY)
  await expect(answer).rejects.toMatchObject({ code: 'account_not_connected' })
  expect(await db.inboxMessage.count({ where: { workspace_id, text: 'Thanks' } })).toBe(0)
})

test('a chat of which nobody knows who it is with is not answered, and begins no other one', async () => {
  const { workspace_id, account, thread_id, imported } = await moved()
  await db.thread.update({ where: { thread_id }, data: { social_provider_id: null } })
  const { account_id } = account
  await db.connectedAccount.update({ where: { account_id }, data: { status: 'connected' } })
  const answer = replyInInbox({ ...imported.importer, workspace_id }, thread_id, { text: 'Thanks' }, MONDAY)
  await expect(answer).rejects.toMatchObject({ message: expect.stringContaining('was imported') })
  expect(await db.thread.count({ where: { workspace_id } })).toBe(1)
})

test('what was published stays so, and nothing is published or asked about by itself', async () => {
  const { workspace_id, imported } = await moved()
  const posts = await db.socialPost.findMany({ where: { workspace_id } })
  expect(Object.fromEntries(posts.map(({ text, status }) => [text, status]))).toEqual({
    published: 'published',
    scheduled: 'draft',
    publishing: 'failed',
    draft: 'draft',
  })
  const NOTHING = {
    ...{ provider_post_id: null, social_id: null, reference: null, uncertain: false, lease_until: null },
    ...{
      next_attempt_at: null,
      next_check_at: null,
      next_metrics_at: null,
      user_id: imported.importer.user_id,
    },
  }
  for (const post of posts) expect(post).toMatchObject(NOTHING)
  expect(posts.find(({ text }) => text === 'publishing')?.last_error).toContain('Check the network')
  expect(posts.find(({ text }) => text === 'published')).toMatchObject({ reactions: 7, published_at: AT })
})

test('forms have another address and no secret; who agreed, and to what, is known', async () => {
  const { workspace_id, dataset_id, form, signed, lines } = await moved()
  const { items } = await listForms(workspace_id, dataset_id, { page: 1, page_size: 10 })
  expect(items.map(({ name }) => name).toSorted()).toEqual(['Newsletter', 'Signed'])
  const urls = new Set([form.url, signed.url, ...items.map(({ url }) => url)])
  expect(urls.size).toBe(4)
  for (const item of items) {
    expect(item).toMatchObject({ ...FORM, name: item.name, signed: false, secret_hint: null })
    expect(new URL(item.url).pathname.split('/').at(-1)).toMatch(/^[\w-]{20,}$/)
  }
  expect(JSON.stringify(lines)).not.toContain(new URL(form.url).pathname.split('/').at(-1))
  expect(await db.formEntry.findMany({ where: { workspace_id } })).toMatchObject([
    { form_id: form.form_id, email: 'ada@acme.example', consent_text: FORM.consent_text },
  ])
})

const change = (table: string, fields: object) => (lines: ArchiveLine[]) =>
  lines.map((line) => (line.table === table ? { ...line, row: { ...line.row, ...fields } } : line))

test.each([
  [
    'a post whose link runs a script',
    change('social_posts', { share_url: 'javascript:alert(1)' }),
    'share_url',
  ],
  ['a post with a lease', change('social_posts', { lease_until: AT }), 'social_posts.lease_until'],
  ['a form with a token', change('forms', { token: 'mine' }), 'forms.token'],
  ['a form that leads to a script', change('forms', { redirect_url: 'javascript:alert(1)' }), 'redirect_url'],
  ['a form without an address', change('forms', { fields: [] }), 'fields'],
  ['a chat of an account that is not there', change('threads', { connected_account_id: 'x' }), ''],
])('%s is refused, or stays behind', async (_, spoil, said) => {
  const { owner, workspace_id } = await aTalkativeWorkspace()
  const lines = await archive(owner)
  await eraseWorkspace(owner)
  const loaded = load(spoil(lines))
  if (said)
    await expect(loaded).rejects.toMatchObject({
      code: 'invalid_state',
      message: expect.stringContaining(said),
    })
  else await loaded
  expect(await db.thread.count({ where: { workspace_id } })).toBe(0)
  expect(await db.workspace.count({ where: { workspace_id } })).toBe(said ? 0 : 1)
})
