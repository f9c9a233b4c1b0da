import type { PoolClient } from 'pg'
import { uuidv7 } from '#lib/db/uuid'
import type { ReadIntent } from '#lib/domain/inbox/intent/intents'
import { readIntent } from '#lib/domain/inbox/intent/read-intent'
import { keepIntent } from '#lib/services/inbox/thread/intents'
import type { PlayedLead } from '#lib/services/sandbox/history/played'
import { addHistoryRows } from '#lib/services/sandbox/history/rows'

type Where = { workspace_id: string; campaign_id: string; mailbox_id: string; address: string }

const FRESH_MS = 7 * 86_400_000
/** Not a folder of a real mailbox, so that polled mail is never mistaken for these. */
const SAMPLES = 'sample data'
const uidFor = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(-12), 16)

const ABSENT: ReadIntent = {
  intent: 'absence',
  evidence: 'I am out of the office today',
  until: null,
  referral: null,
}

/** Adds the replies, one conversation per lead. Those of the last week still await an answer; the others are done. */
export async function addTalks(client: PoolClient, where: Where, leads: PlayedLead[], now: number) {
  const talks = leads.flatMap((lead) => talk(where, lead, now) ?? [])
  await addHistoryRows(
    client,
    'threads',
    talks.map(({ thread }) => thread),
  )
  await addHistoryRows(
    client,
    'inbound_messages',
    talks.map(({ inbound }) => inbound),
  )
  await addHistoryRows(
    client,
    'inbox_messages',
    talks.map(({ message }) => message),
  )
  for (const { thread, message, wants } of talks)
    await keepIntent(client, thread.thread_id, message.inbox_message_id, wants)
}

function talk(where: Where, { campaign_lead_id, person, mails, came }: PlayedLead, now: number) {
  const mail = mails.find(({ step }) => step === came?.fate.step)
  if (!came?.fate.said || !mail) return null
  const said = came.fate.said(person)
  const text = `Hello Robin,\n\n${said}\n\n${person.first_name} ${person.last_name}\n${person.title}, ${person.company}`
  const at = new Date(came.at)
  const kind = came.fate.ended === 'away' ? 'automatic_reply' : 'reply'
  const isOpen = kind === 'reply' && now - came.at < FRESH_MS
  const thread_id = uuidv7(at)
  const { workspace_id, campaign_id, mailbox_id } = where
  const subject = `Re: ${mail.subject.replace(/^Re: /, '')}`
  return {
    thread: {
      thread_id,
      workspace_id,
      mailbox_id,
      campaign_id,
      campaign_lead_id,
      channel: 'email',
      counterpart_address: person.email,
      counterpart_name: `${person.first_name} ${person.last_name}`,
      subject: mail.subject.replace(/^Re: /, ''),
      status: isOpen ? 'open' : 'done',
      unread: isOpen,
      labels: kind === 'automatic_reply' ? [kind] : [],
      last_message_at: at,
      last_direction: 'in',
      last_kind: kind,
      preview: said,
      message_count: 1,
      note_count: 0,
      version: 1,
      created_at: at,
      updated_at: at,
    },
    inbound: {
      inbound_message_id: thread_id,
      workspace_id,
      mailbox_id,
      campaign_id,
      campaign_lead_id,
      action_id: mail.action_id,
      folder: SAMPLES,
      uid_validity: 1,
      uid: uidFor(thread_id),
      message_key: thread_id,
      kind,
      evidence: [],
      detail: {},
      from_address: person.email,
      subject,
      size_bytes: text.length,
      received_at: at,
      created_at: at,
    },
    message: {
      inbox_message_id: uuidv7(at),
      inbound_message_id: thread_id,
      thread_id,
      workspace_id,
      mailbox_id,
      direction: 'in',
      kind,
      from_address: person.email,
      from_name: `${person.first_name} ${person.last_name}`,
      recipients: [{ name: null, address: where.address }],
      subject,
      text,
      message_id: `<${thread_id}@${person.email.split('@')[1]}>`,
      in_reply_to: mail.message_id,
      references: [mail.message_id],
      attachments: [],
      at,
      created_at: at,
    },
    wants:
      kind === 'reply'
        ? readIntent(
            {
              new_text: text,
              from: { name: '', address: person.email },
              recipients: [{ name: '', address: where.address }],
            },
            came.at,
          )
        : ABSENT,
  }
}
