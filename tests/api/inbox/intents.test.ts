import { describe, expect, test } from 'vitest'
import {
  ListInboxThreads,
  ReadInboxMessages,
  ReadInboxThread,
  UpdateInboxThread,
} from '#lib/contracts/inbox/inbox'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { arrive, replyTo } from '#tests/support/scenes/arrivals'
import { answered } from '#tests/support/scenes/inbox'
import { minutes } from '#tests/support/scenes/launched'

const OUT_OF_OFFICE = 'Auto-Submitted: auto-replied\n'

describe('a reply says what its person wants', () => {
  test('in the list, in the conversation and in the message, with the words that say so', async () => {
    const { owner, thread, params } = await answered('Hello,\n\nsounds interesting. Send me more.\n\nGrace')
    const wants = { intent: 'interested', intent_by: 'rules', intent_evidence: 'sounds interesting' }
    expect(thread).toMatchObject(wants)
    expect((await call(ReadInboxThread, { as: owner, params })).body).toMatchObject(wants)
    const { messages } = (await call(ReadInboxMessages, { as: owner, params })).body
    expect(messages.at(-1)).toMatchObject(wants)
    expect(messages[0]).toMatchObject({ kind: 'step', intent: null, intent_by: null })
  })

  test('later with a day, a referral with whom it names', async () => {
    const later = await answered('Not right now, please try again in 3 weeks.')
    expect(later.thread).toMatchObject({
      intent: 'later',
      intent_until: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    })
    const referral = await answered('I am not the right person. Please contact Bob Smith (bob@corp.example).')
    expect(referral.thread).toMatchObject({
      intent: 'referral',
      referral_name: 'Bob Smith',
      referral_email: 'bob@corp.example',
    })
  })

  test('nothing where its words do not say it', async () => {
    const { thread } = await answered('Who are you?')
    expect(thread).toMatchObject({ intent: null, intent_by: null, intent_evidence: null, intent_until: null })
  })

  test('the last one that says something counts, and a program says nothing of it', async () => {
    const { owner, mailbox, mail, params } = await answered('Sounds interesting, tell me more.')
    await arrive(mailbox, replyTo(mail, 'Who are you again?'), minutes(31))
    await arrive(mailbox, replyTo(mail, 'I am out of office until Monday.', OUT_OF_OFFICE), minutes(32))
    const read = async () => (await call(ReadInboxThread, { as: owner, params })).body
    expect(await read()).toMatchObject({ intent: 'interested' })
    await arrive(mailbox, replyTo(mail, 'We are not interested after all.'), minutes(33))
    expect(await read()).toMatchObject({ intent: 'not_interested' })
  })
})

describe('conversations are listed by intent', () => {
  test('and by no other', async () => {
    const { owner, thread } = await answered('Not interested.')
    const listed = async (intent: 'not_interested' | 'meeting') =>
      (await call(ListInboxThreads, { as: owner, query: { folder: 'all', intent } })).body
    expect(await listed('not_interested')).toMatchObject({
      total: 1,
      items: [{ thread_id: thread.thread_id }],
    })
    expect(await listed('meeting')).toMatchObject({ total: 0, items: [] })
  })
})

describe('a person corrects an intent', () => {
  test('whose words no longer stand for it, and the lead stays as it is', async () => {
    const { owner, thread, params } = await answered('Sounds interesting.')
    const lead = () =>
      db.campaignLead.findFirst({ where: { campaign_lead_id: thread.campaign_lead_id ?? '' } })
    const before = await lead()
    const body = { intent: 'later', intent_until: '2027-03-01', version: thread.version } as const
    const corrected = await call(UpdateInboxThread, { as: owner, params, body })
    expect(corrected.status).toBe(200)
    const set = { intent: 'later', intent_by: 'person', intent_evidence: null, intent_until: '2027-03-01' }
    expect(corrected.body).toMatchObject(set)
    const { messages } = (await call(ReadInboxMessages, { as: owner, params })).body
    expect(messages.at(-1)).toMatchObject(set)
    expect(await lead()).toEqual(before)
  })

  test('to none', async () => {
    const { owner, params } = await answered('Sounds interesting.')
    expect((await call(UpdateInboxThread, { as: owner, params, body: { intent: null } })).body).toMatchObject(
      {
        intent: null,
        intent_by: null,
      },
    )
  })

  test('422 with a day for another intent than later, or in no year, and nothing is changed', async () => {
    const { owner, params } = await answered('Sounds interesting.')
    const body = { intent: 'meeting', intent_until: '2027-03-01' } as const
    expect((await call(UpdateInboxThread, { as: owner, params, body })).status).toBe(422)
    const inYearZero = { intent: 'later', intent_until: '0000-01-01' } as const
    expect((await call(UpdateInboxThread, { as: owner, params, body: inYearZero })).status).toBe(422)
    expect((await call(ReadInboxThread, { as: owner, params })).body).toMatchObject({ intent: 'interested' })
  })

  test('422 where nothing came in', async () => {
    const { owner, thread, params } = await answered('Sounds interesting.')
    const { thread_id } = thread
    await db.thread.update({ where: { thread_id }, data: { intent: null, intent_message_id: null } })
    expect((await call(UpdateInboxThread, { as: owner, params, body: { intent: 'meeting' } })).status).toBe(
      422,
    )
  })
})
