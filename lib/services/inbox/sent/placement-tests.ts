import type { z } from 'zod'
import {
  Authentication,
  type CreatePlacementTests,
  MOST_PLACEMENT_TESTS,
} from '#lib/contracts/senders/placement-tests'
import { pool } from '#lib/db/client'
import { inTransaction } from '#lib/db/transaction'
import { uuidv7 } from '#lib/db/uuid'
import { addressDomain } from '#lib/domain/domains/domain-name'
import { type Placement, placementState } from '#lib/domain/domains/placement'
import { findReceiver } from '#lib/domain/domains/receiver'
import { textToHtml } from '#lib/domain/messages/html'
import { buildMailMessage } from '#lib/domain/messages/mail-message'
import { sendingAddress } from '#lib/domain/messages/own-addresses'
import { env } from '#lib/env'
import { AppError } from '#lib/errors'
import { MESSAGE_REF } from '#lib/providers/mail/message-ref'
import type { MailProvider } from '#lib/providers/mail/port'
import { READABLE } from '#lib/services/inbox/mailboxes/poll'
import { findThreadMailbox } from '#lib/services/inbox/thread/may-answer'
import { mailProvider } from '#lib/services/senders/mail-provider'
import { createOpener, sendFrom } from '#lib/services/senders/mailbox-connection'
import type { MailboxRow } from '#lib/services/senders/mailbox-rows'

const DAY_MS = 86_400_000
const LISTED = 100

type Asked = z.output<typeof CreatePlacementTests.body>
type Seed = { mailbox_id: string; address: string }
type Test = { placement_test_id: string; seed: Seed; message_id: string }

/**
 * Offers a mail to each seed mailbox once; the test is recorded before, whatever its outcome. The seeds are
 * read within minutes, and reading them records where the mail arrived.
 */
export async function startPlacementTests(
  workspaceId: string,
  mailboxId: string,
  asked: Asked,
  now: Date,
  provider: MailProvider = mailProvider(),
) {
  await requireMailbox(workspaceId, mailboxId)
  const mailbox = await findThreadMailbox(workspaceId, mailboxId)
  if (!mailbox) throw new AppError('no_sender', { message: 'This mailbox cannot send at the moment.' })
  const seeds = await findSeeds(workspaceId, mailboxId, [...new Set(asked.seed_mailbox_ids)])
  const tests = await writeTests(workspaceId, mailbox, seeds, now)
  const opener = createOpener(pool(), () => now)
  for (const test of tests) {
    const outcome = await sendFrom(provider, opener, mailbox, toMail(mailbox, test, asked, now))
    const taken = outcome.outcome === 'accepted' || outcome.outcome === 'unknown'
    const error = taken ? null : 'response' in outcome ? outcome.response : outcome.error
    const server_message_id = outcome.outcome === 'accepted' ? outcome.server_message_id : null
    await pool().query(
      'UPDATE placement_tests SET error = $2, server_message_id = $3 WHERE placement_test_id = $1',
      [test.placement_test_id, error?.slice(0, 1_000) ?? null, server_message_id],
    )
  }
  const { items } = await placementTests(workspaceId, mailboxId, now)
  const made = new Set(tests.map(({ placement_test_id }) => placement_test_id))
  return { items: items.filter(({ placement_test_id }) => made.has(placement_test_id)) }
}

async function requireMailbox(workspaceId: string, mailboxId: string): Promise<void> {
  const { rowCount } = await pool().query(
    'SELECT 1 FROM mailboxes WHERE mailbox_id = $1 AND workspace_id = $2',
    [mailboxId, workspaceId],
  )
  if (rowCount === 0) throw new AppError('mailbox_not_found')
}

/** Other readable mailboxes of the workspace; tests go to nobody else. */
export async function placementSeeds(workspaceId: string, mailboxId: string): Promise<Seed[]> {
  const { rows } = await pool().query<Seed>(
    `SELECT mailbox_id, address FROM mailboxes
     WHERE workspace_id = $2 AND mailbox_id <> $3 AND ${READABLE} ORDER BY address LIMIT 200`,
    [env().SANDBOX_SMTP_PORT ?? null, workspaceId, mailboxId],
  )
  return rows
}

async function findSeeds(workspaceId: string, mailboxId: string, ids: string[]): Promise<Seed[]> {
  const seeds = await placementSeeds(workspaceId, mailboxId)
  const chosen = seeds.filter(({ mailbox_id }) => ids.includes(mailbox_id))
  if (chosen.length === ids.length) return chosen
  const message = 'Seeds must be other mailboxes in this workspace with reading set up.'
  throw new AppError('invalid_state', { message })
}

/** Serialized, so that two callers do not both find room for more tests. */
const writeTests = (workspaceId: string, { mailbox_id, ...mailbox }: MailboxRow, seeds: Seed[], now: Date) =>
  inTransaction(pool(), async (client): Promise<Test[]> => {
    await client.query('SELECT 1 FROM mailboxes WHERE mailbox_id = $1 FOR NO KEY UPDATE', [mailbox_id])
    const { rows } = await client.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM placement_tests WHERE mailbox_id = $1 AND sent_at > $2',
      [mailbox_id, new Date(now.getTime() - DAY_MS)],
    )
    if ((rows[0]?.count ?? 0) + seeds.length > MOST_PLACEMENT_TESTS)
      throw new AppError('rate_limited', {
        message: `A mailbox can send at most ${MOST_PLACEMENT_TESTS} test emails in 24 hours.`,
      })
    const domain = addressDomain(sendingAddress(mailbox))
    const tests = seeds.map((seed) => {
      const placement_test_id = uuidv7(now)
      return { placement_test_id, seed, message_id: `<${placement_test_id}@${domain}>` }
    })
    await client.query(
      `INSERT INTO placement_tests (placement_test_id, workspace_id, mailbox_id, seed_mailbox_id, message_id, sent_at)
       SELECT t.id, $4, $5, t.seed, t.message_id, $6 FROM unnest($1::uuid[], $2::uuid[], $3::text[]) t (id, seed, message_id)`,
      [
        tests.map((test) => test.placement_test_id),
        tests.map((test) => test.seed.mailbox_id),
        tests.map((test) => test.message_id),
        workspaceId,
        mailbox_id,
        now,
      ],
    )
    // Makes the seeds due as often as a mailbox that has just sent something.
    await client.query(
      `UPDATE mailboxes SET inbox_arrived_at = $2, inbox_due_at = least(inbox_due_at, $2::timestamptz + interval '1 minute')
       WHERE mailbox_id = ANY ($1)`,
      [seeds.map((seed) => seed.mailbox_id), now],
    )
    return tests
  })

function toMail(mailbox: MailboxRow, { placement_test_id, seed, message_id }: Test, asked: Asked, now: Date) {
  const { subject, text } = asked
  const mail = buildMailMessage({
    action_id: placement_test_id,
    rendered: { subject, text, html: textToHtml(text) },
    sender: { ...mailbox, signature: null },
    recipient: { address: seed.address },
    date: now,
    thread: [],
    unsubscribe: null,
  })
  return { ...mail, message_id, headers: { ...mail.headers, [MESSAGE_REF]: message_id } }
}

type Row = {
  placement_test_id: string
  seed_mailbox_id: string
  seed_address: string
  host: string | null
  placement: Placement | null
  authentication: unknown
  error: string | null
  sent_at: Date
  arrived_at: Date | null
}

/** The results of the last tests. */
export async function placementTests(workspaceId: string, mailboxId: string, now: Date) {
  await requireMailbox(workspaceId, mailboxId)
  const { rows } = await pool().query<Row>(
    `SELECT t.placement_test_id, t.seed_mailbox_id, s.address AS seed_address, s.imap ->> 'host' AS host, t.placement,
       t.authentication, t.error, t.sent_at, t.arrived_at
     FROM placement_tests t JOIN mailboxes s ON s.mailbox_id = t.seed_mailbox_id
     WHERE t.workspace_id = $1 AND t.mailbox_id = $2 AND t.sent_at > $3
     ORDER BY t.sent_at DESC, s.address LIMIT ${LISTED}`,
    [workspaceId, mailboxId, new Date(now.getTime() - 30 * DAY_MS)],
  )
  return { items: rows.map((row) => toTest(row, now)) }
}

const toTest = ({ host, authentication, ...row }: Row, now: Date) => ({
  ...row,
  provider: findReceiver(row.seed_address, host).provider,
  state: placementState(row, now),
  authentication: Authentication.nullable().parse(authentication),
})
