import { afterAll, beforeAll, beforeEach } from 'vitest'
import { env } from '#lib/env'
import { createSmtpSink, type SmtpSink } from '#tests/support/servers/smtp'

/** For a whole test file: the instance's own mail goes to a sink, which is emptied before each test. */
export function aNotifySink() {
  let sink: SmtpSink
  beforeAll(async () => {
    sink = await createSmtpSink()
    env().NOTIFY_SMTP_URL = `smtp://127.0.0.1:${sink.port}?security=none`
  })
  afterAll(async () => {
    env().NOTIFY_SMTP_URL = undefined
    await sink.close()
  })
  beforeEach(() => {
    sink.messages.length = 0
  })
  return {
    get messages() {
      return sink.messages
    },
  }
}

/** A mail with quoted-printable decoded. */
export const decoded = (raw = '') => raw.replaceAll('=\r\n', '').replaceAll('=3D', '=')
