import { expect, test } from 'vitest'
import { ListInboxThreads, UpdateInboxThread, UpdateInboxThreads } from '#lib/contracts/inbox/inbox'
import { ReplyInInbox } from '#lib/contracts/inbox/inbox-answers'
import { ListNotifications, MarkNotificationRead } from '#lib/contracts/telling/notifications'
import { ReadMemberRemoval, RemoveMember, UpdateMember } from '#lib/contracts/workspaces/members'
import { UpdateWorkspace } from '#lib/contracts/workspaces/workspaces'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { arrive, replyTo } from '#tests/support/scenes/arrivals'
import { aCampaign, aThread, aUser } from '#tests/support/scenes/factories'
import { answered } from '#tests/support/scenes/inbox'
import { minutes } from '#tests/support/scenes/launched'
import { aMember } from '#tests/support/scenes/team'

type Somebody = { workspace_id: string; user_id: string }

const assign = (as: Somebody, thread_id: string, assignee_id: string | null, version?: number) =>
  call(UpdateInboxThread, { as, params: { thread_id }, body: { assignee_id, version } })
const listed = async (as: Somebody, assignee: string) =>
  (await call(ListInboxThreads, { as, query: { assignee } })).body.items.map(({ thread_id }) => thread_id)
const told = async (as: Somebody) =>
  (await call(ListNotifications, { as })).body.items.filter(({ kind }) => kind === 'assigned')
const assigneeOf = async (thread_id: string) =>
  (await db.thread.findUniqueOrThrow({ where: { thread_id } })).assignee_id

test('a conversation is given to a member, found under them, and given back', async () => {
  const owner = await aUser()
  const ana = await aMember(owner, 'member')
  const { thread_id } = await aThread(owner)
  const given = await assign(owner, thread_id, ana.user_id, 1)
  expect([given.status, given.body]).toMatchObject([
    200,
    { assignee_id: ana.user_id, assignee_name: ana.name, version: 2 },
  ])
  expect(await listed(ana, 'me')).toEqual([thread_id])
  expect(await listed(owner, ana.user_id)).toEqual([thread_id])
  expect([await listed(owner, 'me'), await listed(owner, 'nobody')]).toEqual([[], []])
  expect((await assign(owner, thread_id, null, 1)).status).toBe(409)
  expect((await assign(owner, thread_id, null)).body).toMatchObject({
    assignee_id: null,
    assignee_name: null,
  })
  expect(await listed(owner, 'nobody')).toEqual([thread_id])
  expect((await call(ListInboxThreads, { as: owner, query: { assignee: 'somebody' } })).status).toBe(422)
})

test('a conversation says whose campaign it is of, and is found under them whoever answers it', async () => {
  const owner = await aUser()
  const ana = await aMember(owner, 'member')
  const ofCampaign = async (maker: Somebody) => {
    const { thread_id } = await aThread(owner)
    const { campaign_id } = await aCampaign(maker)
    await db.thread.update({ where: { thread_id }, data: { campaign_id } })
    return thread_id
  }
  const thread_id = await ofCampaign(ana)
  await ofCampaign(owner)
  await assign(owner, thread_id, owner.user_id)
  const under = async (as: Somebody, query: Record<string, string>) =>
    (await call(ListInboxThreads, { as, query })).body.items.map((item) => [item.thread_id, item.owner_name])
  for (const [as, said] of [
    [ana, 'me'],
    [owner, ana.user_id],
  ] as const)
    expect(await under(as, { owner: said })).toEqual([[thread_id, ana.name]])
  expect(await under(owner, { owner: ana.user_id, search: 'nothingofthekind' })).toEqual([])
  expect((await under(owner, { owner: 'me' })).map(([, name]) => name)).toEqual([owner.name])
  expect(await under(owner, { owner: crypto.randomUUID() })).toEqual([])
})

test('whom it is given to is told, once, and nobody else; who takes it themselves is not', async () => {
  const owner = await aUser()
  const [ana, ben] = [await aMember(owner, 'member'), await aMember(owner, 'member')]
  const { thread_id } = await aThread(owner)
  await assign(owner, thread_id, ana.user_id)
  await assign(owner, thread_id, ana.user_id)
  const [notification] = await told(ana)
  expect([await told(ana), await told(ben), await told(owner)]).toMatchObject([
    [{ thread_id, text: `${owner.name} assigned you a conversation (ada@example.test).` }],
    [],
    [],
  ])
  const params = { notification_id: notification?.notification_id ?? '' }
  expect((await call(MarkNotificationRead, { as: ben, params })).status).toBe(404)
  expect((await call(MarkNotificationRead, { as: ana, params })).status).toBe(200)
  await assign(ben, thread_id, ben.user_id)
  expect(await told(ben)).toEqual([])
})

test('422 for somebody who may not answer here, 403 for a viewer, and nothing is changed', async () => {
  const owner = await aUser()
  const viewer = await aMember(owner, 'viewer')
  const { thread_id } = await aThread(owner)
  for (const { user_id } of [viewer, await aUser()]) {
    expect((await assign(owner, thread_id, user_id)).status).toBe(422)
    const bulk = { thread_ids: [thread_id], assignee_id: user_id }
    expect((await call(UpdateInboxThreads, { as: owner, body: bulk })).status).toBe(422)
  }
  expect((await assign(viewer, thread_id, null)).status).toBe(403)
  expect(await assigneeOf(thread_id)).toBeNull()
})

test('who is removed, or may not answer any more, leaves their conversations to nobody, as the preview says', async () => {
  const owner = await aUser()
  const [ana, ben] = [await aMember(owner, 'member'), await aMember(owner, 'member')]
  const threads = [await aThread(owner), await aThread(owner), await aThread(owner)]
  const thread_ids = threads.map(({ thread_id }) => thread_id)
  await call(UpdateInboxThreads, { as: owner, body: { thread_ids, assignee_id: ana.user_id } })
  const params = { workspace_id: owner.workspace_id, user_id: ana.user_id }
  expect((await call(ReadMemberRemoval, { as: owner, params })).body).toMatchObject({ conversations: 3 })
  await call(RemoveMember, { as: owner, params })
  expect((await listed(owner, 'nobody')).toSorted()).toEqual(thread_ids.toSorted())
  await assign(owner, thread_ids[0] ?? '', ben.user_id)
  const demoted = { workspace_id: owner.workspace_id, user_id: ben.user_id }
  await call(UpdateMember, { as: owner, params: demoted, body: { role: 'viewer' } })
  expect(await listed(owner, ben.user_id)).toEqual([])
})

test('new replies go to the campaign’s maker, or in turn, where the workspace says so; what somebody has stays theirs', async () => {
  const { owner, mailbox, mail, other, thread } = await answered()
  const [ana, ben] = [await aMember(owner, 'member'), await aMember(owner, 'member')]
  const params = { workspace_id: owner.workspace_id }
  const rule = (body: object) => call(UpdateWorkspace, { as: owner, params, body })
  expect(await assigneeOf(thread.thread_id)).toBeNull()
  await rule({ reply_assignment: 'campaign_maker' })
  await arrive(mailbox, replyTo(mail, 'And by the way.'), minutes(40))
  expect(await assigneeOf(thread.thread_id)).toBe(owner.user_id)
  const turn = [ana.user_id, ben.user_id]
  await rule({ reply_assignment: 'round_robin', reply_assignees: turn })
  await arrive(mailbox, replyTo(mail, 'Once more.'), minutes(50))
  expect(await assigneeOf(thread.thread_id)).toBe(owner.user_id)
  await assign(owner, thread.thread_id, null)
  await arrive(mailbox, replyTo(mail, 'Now?'), minutes(60))
  await arrive(mailbox, replyTo(other, 'Me too.'), minutes(61))
  const threads = await db.thread.findMany({ where: { workspace_id: owner.workspace_id } })
  expect(threads.map(({ assignee_id }) => assignee_id).toSorted()).toEqual(turn.toSorted())
  expect(await told(ana)).toHaveLength(1)
})

test('new replies go to the member whose mailbox sent, to several in turn, and to the maker where it is given to nobody', async () => {
  const { owner, mailbox, mail, other } = await answered()
  const [ana, ben] = [await aMember(owner, 'member'), await aMember(owner, 'member')]
  const { workspace_id } = owner
  await call(UpdateWorkspace, {
    as: owner,
    params: { workspace_id },
    body: { reply_assignment: 'sender' },
  })
  const { mailbox_id } = mailbox
  const give = ({ user_id }: Somebody) =>
    db.mailboxMember.create({ data: { workspace_id, mailbox_id, user_id } })
  const assignees = async () =>
    (await db.thread.findMany({ where: { workspace_id }, orderBy: { thread_id: 'asc' } })).map(
      ({ assignee_id }) => assignee_id,
    )
  const unassign = () => db.thread.updateMany({ where: { workspace_id }, data: { assignee_id: null } })
  await arrive(mailbox, replyTo(mail, 'And by the way.'), minutes(40))
  expect(await assignees()).toEqual([owner.user_id])
  await unassign()
  await give(ana)
  await arrive(mailbox, replyTo(mail, 'Once more.'), minutes(41))
  await arrive(mailbox, replyTo(other, 'Me too.'), minutes(42))
  expect(await assignees()).toEqual([ana.user_id, ana.user_id])
  await unassign()
  await give(ben)
  await arrive(mailbox, replyTo(mail, 'Hello?'), minutes(43))
  await arrive(mailbox, replyTo(other, 'Hello too.'), minutes(44))
  expect(await assignees()).toEqual([ben.user_id, ana.user_id])
  await call(RemoveMember, { as: owner, params: { workspace_id, user_id: ben.user_id } })
  await arrive(mailbox, replyTo(mail, 'Still there?'), minutes(45))
  expect(await assignees()).toEqual([ana.user_id, ana.user_id])
})

test('a member replies in a conversation of another’s campaign once it is theirs', async () => {
  const { owner, params } = await answered()
  const ana = await aMember(owner, 'member')
  const reply = () => call(ReplyInInbox, { as: ana, params, body: { text: 'Gladly.' } })
  expect((await reply()).status).toBe(403)
  await assign(owner, params.thread_id, ana.user_id)
  expect((await reply()).status).toBe(201)
})

test('422 for a turn of nobody, of somebody twice, or of a viewer', async () => {
  const owner = await aUser()
  const viewer = await aMember(owner, 'viewer')
  const params = { workspace_id: owner.workspace_id }
  for (const reply_assignees of [[], [owner.user_id, owner.user_id], [viewer.user_id]]) {
    const body = { reply_assignment: 'round_robin', reply_assignees }
    expect((await call(UpdateWorkspace, { as: owner, params, body })).status).toBe(422)
  }
})
