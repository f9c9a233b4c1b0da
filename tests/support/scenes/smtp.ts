import { afterAll } from 'vitest'
import type { MailboxConnection, MailProvider, OutgoingMail } from '#lib/providers/mail/port'
import { createSmtpProvider, type SmtpProviderOptions } from '#lib/providers/mail/smtp'
import { createSmtpSink, type SinkOptions, type SmtpSink } from '#tests/support/servers/smtp'

// Closed when the test file ends: tests that run concurrently each have their own.
const opened: { sinks: SmtpSink[]; providers: MailProvider[] } = { sinks: [], providers: [] }

afterAll(async () => {
  for (const provider of opened.providers.splice(0)) await provider.close()
  for (const sink of opened.sinks.splice(0)) await sink.close()
})

export async function aSink(options?: SinkOptions) {
  const sink = await createSmtpSink(options)
  opened.sinks.push(sink)
  return sink
}

/** Long timeouts for tests that expect an answer, however busy the machine. Tests of silence set short ones. */
export const PATIENT = { connect: 60_000, greeting: 60_000, reply: 60_000, send: 90_000 }

export function aProvider(options: Partial<SmtpProviderOptions> = {}) {
  const provider = createSmtpProvider({
    policy: { allow_private_hosts: true },
    timeouts: PATIENT,
    ...options,
  })
  opened.providers.push(provider)
  return provider
}

export const mailboxAt = (port: number, over: Partial<MailboxConnection> = {}): MailboxConnection => ({
  host: '127.0.0.1',
  port,
  security: 'none',
  username: 'ada',
  password: 'secret-word',
  ...over,
})

export const message = (over: Partial<OutgoingMail> = {}): OutgoingMail => ({
  from: { name: 'Ada', address: 'ada@sender.test' },
  to: { name: 'Grace', address: 'grace@lead.test' },
  reply_to: null,
  subject: 'Hello',
  date: new Date('2026-03-02T09:00:00Z'),
  message_id: '<0190-1@sender.test>',
  in_reply_to: null,
  references: [],
  headers: {},
  text: 'Hello Grace\n.a line that starts with a dot\n',
  html: '<p>Hello Grace</p>',
  ...over,
})
