import { afterAll, expect, test } from 'vitest'
import { CreateDomain, VerifyDomain } from '#lib/contracts/domains/domains'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { dispatchAt, launched, MONDAY } from '#tests/support/scenes/launched'
import { createDnsServer } from '#tests/support/servers/dns'

const dns = await createDnsServer()
Object.assign(process.env, { DNS_SERVERS: dns.server, TRACKING_HOST: 'links.opener.example' })
afterAll(() => dns.close())

test.each([
  { name: 'whose record leads here', target: 'links.opener.example', address: 'https://track.%/t/c/' },
  { name: 'whose record leads elsewhere', target: 'elsewhere.example', address: 'http://opener.test/t/c/' },
])('tracked links of a domain $name start with $address', async ({ target, address }) => {
  const domain = `${target.split('.')[0]}.example.com`
  dns.zone[`track.${domain}`] = { CNAME: target }
  const steps_config = [{ subject: 'Hi', message_template: 'See https://shop.example/a', track_clicks: true }]
  const { owner, mailbox } = await launched({ steps_config }, 1)
  const { mailbox_id } = mailbox
  await db.mailbox.update({ where: { mailbox_id }, data: { address: `ada@${domain}` } })
  const { body } = await call(CreateDomain, { as: owner, body: { domain } })
  await call(VerifyDomain, { as: owner, params: body })
  const { outbox } = await dispatchAt(MONDAY)
  expect(outbox[0]?.html).toContain(`href="${address.replace('%', domain)}`)
})
