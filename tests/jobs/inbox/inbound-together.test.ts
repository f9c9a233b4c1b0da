import pg from 'pg'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { EVENTS } from '#lib/contracts/telling/webhook-events'
import { db, pool } from '#lib/db/client'
import type { OutgoingMail } from '#lib/providers/mail/port'
import type { InboundMailbox } from '#lib/services/inbox/arrived-mail'
import { handleTogether } from '#lib/services/inbox/handle-mail'
import { pauseCampaign } from '#lib/services/launch/lifecycle'
import { awayNotice, bounceOf, complaintOf, replyTo } from '#tests/support/scenes/arrivals'
import { later, launchedOver } from '#tests/support/scenes/begun'
import { aDataset, aMailbox, aUser } from '#tests/support/scenes/factories'
import { bytes } from '#tests/support/scenes/inbound-mail'
import { dispatchAt, MONDAY } from '#tests/support/scenes/launched'
import { begunOverImap, closeImapServers, pollImap } from '#tests/support/servers/imap-mailbox'

afterEach(closeImapServers)

const PEOPLE = 16

/**
 * An owner with all notifications on, whose campaign has written to people and stops at a colleague's reply; another campaign waits for
 * them.
 */
async function aScene() {
  const owner = await aUser()
  const { workspace_id } = owner
  const mailbox = await aMailbox(owner)
  await db.workspace.update({
    where: { workspace_id },
    data: {
      after_reply: 'everywhere',
      colleague_reply_days: 3,
      reply_assignment: 'round_robin',
      reply_assignees: [owner.user_id],
    },
  })
  await db.webhook.create({
    data: {
      workspace_id,
      url: 'https://hooks.test/',
      event_types: Object.keys(EVENTS),
      secret: '',
      secret_hint: '',
    },
  })
  const people = Array.from({ length: PEOPLE }, (_, n) => ({
    email: `lead${n}@firm${n === 8 ? 7 : n}-${workspace_id}.test`,
    first_name: `Lead${n}`,
  }))
  const { dataset_id } = await aDataset(owner, people)
  const made = { owner, mailbox, dataset_id, campaign_id: '' } as never
  await launchedOver(made, dataset_id, { stop_on_company_reply: true })
  const { outbox } = await dispatchAt(MONDAY)
  const other = await launchedOver(made, dataset_id, {})
  // Its leads wait, whoever else sends meanwhile.
  await pauseCampaign(workspace_id, other.campaign_id, MONDAY)
  const mail = (n: number) => outbox.find(({ to }) => to.address === people[n]?.email) as OutgoingMail
  return { workspace_id, mailbox, mail, of: (text: string) => text.replaceAll(workspace_id, 'W') }
}

/** Arriving mails; some are about the same person or company, one after the other. */
function arrivals(mail: (n: number) => OutgoingMail): string[] {
  const first = replyTo(mail(0), 'Yes, call me.')
  const named = /^Message-ID: (.*)$/m.exec(first)?.[1] ?? ''
  return [
    first,
    replyTo(mail(1), 'I am away.', 'Auto-Submitted: auto-replied'),
    awayNotice(mail(2), 'I am on vacation until March 12.', later),
    awayNotice(mail(2), 'I am on vacation until March 20.', later),
    bounceOf(mail(3), '5.1.1'),
    bounceOf(mail(4), '4.2.2'),
    complaintOf(mail(5)),
    complaintOf(mail(5)),
    replyTo(mail(6), 'Please unsubscribe me.'),
    replyTo(mail(7), 'We are interested.'),
    replyTo(mail(8), 'So am I, and I am a colleague.'),
    replyTo(mail(9), 'Please write to me again on March 30.'),
    `From: <news@shop.test>\nTo: <x@y.test>\nSubject: New\nMessage-ID: <news@shop.test>\nList-Id: <news.shop.test>\n\nBuy.\n`,
    // Names the Message-ID of an earlier reply, and none of ours.
    `From: <other@elsewhere.test>\nSubject: More\nMessage-ID: <more@elsewhere.test>\nIn-Reply-To: ${named}\n\nOne more word.\n`,
    first,
    awayNotice(mail(0), 'I am on vacation until March 12.', later),
    `From: <${mail(10).from.address}>\nTo: <${mail(10).to.address}>\nSubject: Re: ${mail(10).subject}\nMessage-ID: <hand@us.test>\nIn-Reply-To: ${mail(10).message_id}\n\nBy hand.\n`,
    `From: <${mail(11).to.address}>\nSubject: Something else\nMessage-ID: <else@lead.test>\n\nNot interested, thanks.\n`,
    bounceOf(mail(12), '5.7.1', 'smtp; 550 5.7.1 spam'),
    replyTo(mail(13), 'Not now.'),
    bounceOf(mail(13), '5.1.1'),
  ]
}

const arrived = (raw: string, index: number) => {
  const content = bytes(raw)
  const at = { folder: 'INBOX', uid_validity: 1n, uid: index + 1 }
  return { ...at, raw: content, size_bytes: content.length, received_at: later }
}

/** Everything known about a workspace afterwards, without what differs between two workspaces. */
async function known(workspace_id: string) {
  const { rows } = await pool().query<{ said: object }>(
    `SELECT jsonb_build_object('lead', l.lead_index, 'of', c.stop_on_company_reply, 'is', l.status, 'by', l.last_event,
       'why', l.reason, 'more', l.reason_detail, 'step', l.current_step, 'next', l.next_step, 'at', l.next_action_at,
       'off', l.put_off_until, 'log', (SELECT jsonb_agg(jsonb_build_array(e.kind, e.step, e.reason,
           e.detail - 'inbound_message_id' - 'campaign_id' - 'replied_lead_id') ORDER BY e.event_id)
         FROM campaign_events e WHERE e.campaign_lead_id = l.campaign_lead_id),
       'told', (SELECT jsonb_agg(jsonb_build_array(w.type, w.data ->> 'reason', w.data ->> 'intent') ORDER BY w.event_id)
         FROM webhook_events w WHERE w.data ->> 'campaign_lead_id' = l.campaign_lead_id::text AND w.type <> 'lead.sent'),
       'noticed', (SELECT jsonb_agg(jsonb_build_array(n.kind, n.data - 'thread_id') ORDER BY n.notification_id)
         FROM notifications n WHERE n.campaign_lead_id = l.campaign_lead_id),
       'threads', (SELECT jsonb_agg(jsonb_build_array(t.subject, t.unread, t.labels, t.last_kind, t.preview, t.message_count,
           t.intent, t.counterpart_address, t.counterpart_name, t.assignee_id IS NOT NULL, (
             SELECT jsonb_agg(jsonb_build_array(m.kind, m.text, m.intent, m.intent_by, m.intent_evidence, m.intent_until,
               m.ruled_intents, m.message_id IS NOT NULL, i.kind) ORDER BY m.text, m.kind)
             FROM inbox_messages m LEFT JOIN inbound_messages i USING (inbound_message_id) WHERE m.thread_id = t.thread_id)))
         FROM threads t WHERE t.campaign_lead_id = l.campaign_lead_id)) AS said
     FROM campaign_leads l JOIN campaigns c USING (campaign_id) WHERE l.workspace_id = $1
     UNION ALL SELECT to_jsonb(c) - '{campaign_id,workspace_id,user_id,dataset_id,launch_job_id,name,created_at,updated_at,next_slot_at,steps_config}'::text[]
       FROM campaigns c WHERE c.workspace_id = $1
     UNION ALL SELECT jsonb_build_object('kind', kind, 'from', from_address, 'uid', uid, 'raw', raw IS NOT NULL, 'detail', detail,
         'evidence', jsonb_path_query_array(evidence, '$[*].rule'))
       FROM inbound_messages WHERE workspace_id = $1
     UNION ALL SELECT jsonb_build_object('listed', value, 'reason', reason) FROM suppressions WHERE workspace_id = $1
     UNION ALL SELECT jsonb_build_object('away', email, 'until', until, 'said', said) FROM absences WHERE workspace_id = $1
     UNION ALL SELECT jsonb_build_object('company', domain, 'replied', replied_at, 'by', replied_person_id IS NOT NULL)
       FROM companies WHERE workspace_id = $1`,
    [workspace_id],
  )
  return rows.map(({ said }) => JSON.stringify(said, null, 1)).sort()
}

describe('mails taken in together', () => {
  test('do what they do one by one', { timeout: 120_000 }, async () => {
    const [one, other] = [await aScene(), await aScene()]
    for (const [index, raw] of arrivals(one.mail).entries())
      await handleTogether(pool(), one.mailbox, [arrived(raw, index)], later)
    await handleTogether(pool(), other.mailbox, arrivals(other.mail).map(arrived), later)
    const clean = async ({ workspace_id, of, mailbox }: typeof one) =>
      (await known(workspace_id)).map((text) => of(text).replaceAll(mailbox.address, 'us'))
    const together = await clean(other)
    expect(together).toEqual(await clean(one))
    expect(together.join()).toMatch(
      /company_replied[\s\S]*replied_elsewhere|replied_elsewhere[\s\S]*company_replied/,
    )
  })

  test('are asked about together: more of them ask nothing more', async () => {
    const { mailbox, mail, workspace_id } = await aScene()
    // The assignment in turn runs a query for each reply.
    await db.workspace.update({ where: { workspace_id }, data: { reply_assignment: 'nobody' } })
    const counted = async (numbers: number[], from: number) => {
      const asked = vi.spyOn(pg.Client.prototype, 'query')
      const mails = numbers.map((n, index) => arrived(replyTo(mail(n)), from + index))
      expect(await handleTogether(pool(), mailbox, mails, later)).toHaveLength(numbers.length)
      const { length } = asked.mock.calls
      asked.mockRestore()
      return length
    }
    const two = await counted([0, 1], 0)
    expect(await counted([2, 3, 4, 5, 6, 9, 10, 11], 2)).toBe(two)
    // A single mail used to take some 25 queries.
    expect(two).toBeLessThan(45)
  })

  test('are all there, or none, where another takes them in at the same time', async () => {
    const { mailbox, mail, workspace_id } = await aScene()
    const mails = [0, 1, 2, 3, 4, 5].map((n) => arrived(replyTo(mail(n)), n))
    const take = (some: typeof mails) => handleTogether(pool(), mailbox as InboundMailbox, some, later)
    const taken = await Promise.all([take(mails), take(mails.toReversed()), take(mails.slice(2))])
    expect(taken.flat()).toHaveLength(mails.length)
    expect(await db.campaignEvent.count({ where: { workspace_id, kind: 'replied' } })).toBe(mails.length)
    expect(await db.inboxMessage.count({ where: { workspace_id } })).toBe(mails.length)
  })
})

describe('of mails that are read together', () => {
  test('one that cannot be taken in holds up none', async () => {
    const { put, mail, id, owner, statuses } = await begunOverImap(4)
    for (const i of [0, 1, 2, 3]) put(replyTo(mail(i)))
    const { workspace_id } = owner
    // Like a text that no column accepts.
    await pool().query(
      `CREATE FUNCTION refuse_one() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF NEW.workspace_id = '${workspace_id}' AND NEW.uid = 6 THEN RAISE EXCEPTION 'no' USING ERRCODE = '22021'; END IF;
         RETURN NEW; END $$`,
    )
    await pool().query(
      `CREATE TRIGGER refuse_one BEFORE INSERT ON inbound_messages FOR EACH ROW
         WHEN (NEW.message_key NOT LIKE 'unread:%') EXECUTE FUNCTION refuse_one()`,
    )
    try {
      expect(await pollImap([id])).toMatchObject({ failed: 0, mails: 4 })
    } finally {
      await pool().query('DROP FUNCTION refuse_one CASCADE')
    }
    expect(await statuses()).toEqual(['replied', 'active', 'replied', 'replied'])
    const kept = await db.inboundMessage.findMany({ where: { mailbox_id: id }, orderBy: { uid: 'asc' } })
    expect(kept.map(({ kind }) => kind)).toEqual(['reply', 'unrelated', 'reply', 'reply'])
    expect(kept[1]?.evidence).toEqual([{ rule: 'could_not_be_stored', found: '' }])
    expect(await pollImap([id])).toMatchObject({ mails: 0 })
  })

  test('a fault of ours leaves those before it, and is told', async () => {
    const { put, mail, id, statuses } = await begunOverImap(3)
    for (const i of [0, 1, 2]) put(replyTo(mail(i)))
    const { email = '' } = { email: mail(1).to.address }
    await pool().query(
      `CREATE FUNCTION refuse_two() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF NEW.from_address = '${email}' THEN RAISE EXCEPTION 'no' USING ERRCODE = '40001'; END IF; RETURN NEW; END $$`,
    )
    await pool().query(
      'CREATE TRIGGER refuse_two BEFORE INSERT ON inbound_messages FOR EACH ROW EXECUTE FUNCTION refuse_two()',
    )
    try {
      await expect(pollImap([id])).rejects.toThrow('could not be read')
      expect(await statuses()).toEqual(['replied', 'active', 'active'])
    } finally {
      await pool().query('DROP FUNCTION refuse_two CASCADE')
    }
    expect(await pollImap([id])).toMatchObject({ failed: 0 })
    expect(await statuses()).toEqual(['replied', 'replied', 'replied'])
  })

  test('are asked for together, and one by one where the server gives not all', async () => {
    let isWhole = true
    const fault = {
      play: (command: string) =>
        !isWhole && /UID FETCH \d+,.*BODY/.test(command) ? ('NO not all' as const) : undefined,
    }
    const { put, mail, id, imap, statuses } = await begunOverImap(6, {}, fault)
    const fetches = () => imap.commands.filter((command) => command.startsWith('UID FETCH')).length
    for (const i of [0, 1, 2]) put(replyTo(mail(i)))
    await pollImap([id])
    expect(fetches()).toBe(2)
    isWhole = false
    for (const i of [3, 4, 5]) put(replyTo(mail(i)))
    expect(await pollImap([id])).toMatchObject({ failed: 0, mails: 3 })
    expect(fetches()).toBe(2 + 2 + 3)
    expect(await statuses()).toEqual(Array(6).fill('replied'))
  })
})
