import { randomUUID } from 'node:crypto'
import { db, pool } from '#lib/db/client'
import { readIntent } from '#lib/domain/inbox/intent/read-intent'
import { keepIntent } from '#lib/services/inbox/thread/intents'
import type { Owner } from './outreach.ts'
import { LEADS } from './people.ts'

const HOUR = 3_600_000
type Where = { mailbox_id: string; account_id: string; campaign_id: string; campaign_lead_id: string }

const TALKS = [
  [
    'reply',
    'That sounds useful. Could you send two dates for next week, and what it would cost for a team of twelve?',
    'pricing',
  ],
  ['reply', 'Thanks, but we settled on somebody else in spring. Ask again next year.', ''],
  [
    'automatic_reply',
    'I am out of the office until Monday with no access to mail. In urgent cases please call the desk.',
    '',
  ],
  ['reply', 'Wrong person. Kasia Nowak looks after this here.', ''],
  [
    'reply',
    'Please send the overview as a PDF, my colleagues will want to read it before any call.',
    'pricing',
  ],
] as const

/** Conversations by mail and one chat, read and unread, open and done, the newest answered. */
export async function someTalks({ workspace_id, user_id }: Owner, where: Where, now: Date) {
  const threads: string[] = []
  for (const [index, [kind, text, label]] of TALKS.entries()) {
    const lead = LEADS[index + 1]
    if (!lead) break
    const at = new Date(now.getTime() - (index * 7 + 1) * HOUR)
    const name = `${lead.first_name} ${lead.last_name}`
    const subject = `A thought about ${lead.company}`
    const thread = await db.thread.create({
      include: { messages: true },
      data: {
        workspace_id,
        mailbox_id: where.mailbox_id,
        campaign_id: where.campaign_id,
        campaign_lead_id: index === 0 ? where.campaign_lead_id : null,
        counterpart_address: lead.email,
        counterpart_name: name,
        subject,
        unread: index < 2,
        status: index === 3 ? 'done' : 'open',
        labels: label ? [label] : [],
        last_message_at: at,
        last_direction: 'in',
        last_kind: kind,
        preview: text,
        message_count: 1,
        messages: {
          create: {
            workspace_id,
            mailbox_id: where.mailbox_id,
            direction: 'in',
            kind,
            from_address: lead.email,
            from_name: name,
            subject: `Re: ${subject}`,
            text: `Hello Dana,\n\n${text}\n\n${lead.first_name}`,
            message_id: `<${randomUUID()}@mail.example>`,
            at,
          },
        },
      },
    })
    const { thread_id } = thread
    const wants =
      kind === 'reply' ? readIntent({ new_text: text, from: null, recipients: [] }, at.getTime()) : null
    for (const message of thread.messages)
      await keepIntent(pool(), thread_id, message.inbox_message_id, wants)
    threads.push(thread_id)
    if (index === 0) await aNote({ workspace_id, user_id, thread_id }, at)
  }
  return {
    thread: threads[0] ?? '',
    away: await anAbsence(workspace_id, where.campaign_id, threads[2] ?? '', now),
    chat: await aChat(workspace_id, where.account_id, now),
    unreadable: await anUnreadable(workspace_id, where.mailbox_id, now),
  }
}

/** An auto-reply of a lead that says until when they are away, and whom to contact instead. */
async function anAbsence(workspace_id: string, campaign_id: string, thread_id: string, now: Date) {
  const { counterpart_address } = await db.thread.findUniqueOrThrow({ where: { thread_id } })
  const { campaign_lead_id } = await db.campaignLead.findFirstOrThrow({
    where: { campaign_id, email: counterpart_address },
  })
  await db.thread.update({ where: { thread_id }, data: { campaign_lead_id } })
  await db.absence.create({
    data: {
      workspace_id,
      email: counterpart_address,
      until: new Date(now.getTime() + 5 * 24 * HOUR),
      said: 'I am out of the office until Monday with no access to mail.',
      deputy_email: 'desk@casa-verde-foods.example',
      deputy_name: 'Ines Prado',
      noted_at: now,
    },
  })
  return thread_id
}

/** An unparsable mail from somebody whom nobody wrote to. */
async function anUnreadable(workspace_id: string, mailbox_id: string, now: Date) {
  const at = new Date(now.getTime() - 5 * HOUR)
  const said = { direction: 'in', kind: 'unrelated', subject: 'Invoice 4711', at }
  const { thread_id } = await db.thread.create({
    data: {
      workspace_id,
      mailbox_id,
      counterpart_address: 'billing@stranger.example',
      subject: said.subject,
      labels: ['unreadable'],
      last_message_at: at,
      last_direction: said.direction,
      last_kind: said.kind,
      preview: 'This email could not be read.',
      message_count: 1,
      messages: {
        create: {
          ...said,
          workspace_id,
          mailbox_id,
          from_address: 'billing@stranger.example',
          text: '',
          unreadable: 'over_time',
        },
      },
    },
  })
  return thread_id
}

async function aChat(workspace_id: string, connected_account_id: string, now: Date) {
  const lead = LEADS[7]
  const name = `${lead?.first_name} ${lead?.last_name}`
  const said = ['Hello Oliver, thank you for connecting.', 'Happy to. What is it about?']
  const { thread_id } = await db.thread.create({
    data: {
      workspace_id,
      channel: 'social',
      connected_account_id,
      chat_id: randomUUID(),
      counterpart_address: 'oliver-hughes',
      counterpart_name: name,
      subject: '',
      last_message_at: new Date(now.getTime() - 3 * HOUR),
      last_direction: 'in',
      last_kind: 'reply',
      preview: said[1] ?? '',
      message_count: 2,
      messages: {
        create: said.map((text, index) => ({
          workspace_id,
          connected_account_id,
          provider_message_id: randomUUID(),
          direction: index === 0 ? 'out' : 'in',
          kind: index === 0 ? 'answer' : 'reply',
          delivery_status: index === 0 ? 'sent' : null,
          from_address: index === 0 ? 'dana' : 'oliver-hughes',
          from_name: index === 0 ? 'Dana Demo' : name,
          subject: '',
          text,
          at: new Date(now.getTime() - (4 - index) * HOUR),
        })),
      },
    },
  })
  return thread_id
}

const QUESTION = 'Which campaign has the best reply rate this month?'
const ANSWER =
  '**Autumn: heads of operations** leads with 3 replies to 24 first mails.\n\n| Campaign | Sent | Replied |\n| --- | --- | --- |\n| Autumn: heads of operations | 24 | 3 |\n| Summer: trade fair follow-up | 24 | 3 |\n\nShall I show what the replies say?'

export async function aConversation({ workspace_id, user_id }: Owner) {
  const thread_id = randomUUID()
  const words = [
    { role: 'user', text: QUESTION },
    { role: 'assistant', text: ANSWER },
  ]
  await db.conversation.create({
    data: {
      workspace_id,
      user_id,
      thread_id,
      title: 'Best reply rate this month',
      message_count: words.length,
      last_message: ANSWER.slice(0, 80),
      messages: {
        create: words.map(({ role, text }, position) => ({
          workspace_id,
          message_id: randomUUID(),
          position,
          role,
          parts: [{ type: 'text', text }],
        })),
      },
    },
  })
  return { conversation: thread_id }
}

/** Assigns the conversation, and adds a note for the other members. */
async function aNote(of: { workspace_id: string; user_id: string; thread_id: string }, at: Date) {
  const { thread_id, user_id } = of
  await db.inboxNote.create({
    data: {
      ...of,
      text: '@Dana Demo the price list for twelve is in the shared folder.',
      mentioned_ids: [user_id],
      created_at: new Date(at.getTime() + HOUR / 4),
    },
  })
  await db.thread.update({ where: { thread_id }, data: { assignee_id: user_id, note_count: 1 } })
}
