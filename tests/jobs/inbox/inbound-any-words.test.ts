import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { arrive } from '#tests/support/scenes/arrivals'
import { dispatchAt, FIRST, launched, MONDAY, minutes } from '#tests/support/scenes/launched'

afterEach(async () => {
  await db.campaign.deleteMany()
})

/** Also texts that `slice` would cut within a surrogate pair, at even or odd indexes. */
const words = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 1_200 }),
  fc.string({ unit: 'binary-ascii', maxLength: 1_200 }),
  fc.nat(1).map((n) => 'a'.repeat(n) + '😀'.repeat(600)),
)
const encoded = (text: string) => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`
const raw = (text: string) => text.replace(/[\r\n]/g, ' ')

test('whatever words an answer is made of, it ends its lead and is kept', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(words, words, words, fc.boolean(), async (subject, name, text, isRaw) => {
      const { mailbox } = await launched({ steps_config: [FIRST] }, 1)
      const { outbox } = await dispatchAt(MONDAY)
      const [mail] = outbox
      if (!mail) throw new Error('nothing left')
      const header = isRaw ? raw : encoded
      const answer = [
        `From: ${header(name)} <${mail.to.address}>`,
        `To: <${mail.from.address}>`,
        `Subject: ${header(subject)}`,
        `In-Reply-To: ${mail.message_id}`,
        `Message-ID: <${crypto.randomUUID()}@lead.test>`,
        'MIME-Version: 1.0',
        'Content-Type: text/plain; charset=utf-8',
        'Content-Transfer-Encoding: base64',
        '',
        Buffer.from(text).toString('base64'),
      ].join('\r\n')
      expect(await arrive(mailbox, answer, minutes(30))).toMatchObject({ kind: 'reply' })
      const lead = await db.campaignLead.findFirstOrThrow({ where: { email: mail.to.address } })
      expect(lead.status).toBe('replied')
      await db.campaign.deleteMany()
    }),
    { numRuns: Number(process.env.PROPERTY_RUNS ?? 25) },
  )
})
