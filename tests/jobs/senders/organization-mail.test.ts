import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import {
  createOrganization,
  updateOrganization,
} from '#lib/services/senders/grants/organizations/organizations'
import { replyTo } from '#tests/support/scenes/arrivals'
import { MONDAY, minutes } from '#tests/support/scenes/launched'
import { type MailApiServerOptions, readField } from '#tests/support/servers/mail-api'
import { begunOverApi, closeMailApis } from '#tests/support/servers/mail-api-mailbox'
import {
  APP,
  aKeyFile,
  anOrganizationServer,
  type OrganizationServer,
} from '#tests/support/servers/organization'

let at: OrganizationServer
let file: Awaited<ReturnType<typeof aKeyFile>>
beforeAll(async () => {
  at = await anOrganizationServer()
  file = await aKeyFile()
})
afterAll(() => at.close())
afterEach(closeMailApis)

type Vendor = 'google' | 'microsoft'

/** A campaign that is sent from a mailbox of an organization. */
async function begun(vendor: Vendor, options: MailApiServerOptions = {}, leads = 1) {
  at.trust(file)
  at.state.secrets = new Set([APP.client_secret])
  let organization_id = ''
  const connect = async (workspace_id: string) => {
    const body =
      vendor === 'google'
        ? { vendor, name: 'Company', service_account_key: file.text }
        : { vendor, name: 'Company', ...APP }
    organization_id = (await createOrganization(workspace_id, body, MONDAY, at.find)).organization_id
    return organization_id
  }
  const made = await begunOverApi(vendor, { ...options, organization: { server: at, connect } }, leads)
  at.state.domains.add(made.mailbox.address.split('@')[1] ?? '')
  return { ...made, organization_id }
}

describe.each(['google', 'microsoft'] as const)('%s', (vendor) => {
  test('a campaign leaves from a mailbox that nobody signed in to, and its answer is read there', async () => {
    const { send, poll, server, actions } = await begun(vendor)
    await send()
    const [action] = await actions()
    const [raw = ''] = server.sent()
    expect(action).toMatchObject({ status: 'sent', server_message_id: readField(raw, 'Message-ID') })
    const { email } = await db.campaignLead.findFirstOrThrow()
    const to = { name: null, address: email ?? '' }
    const answered = { message_id: action?.server_message_id ?? '', to, from: to, subject: 'Hello' }
    server.deliver(Buffer.from(replyTo(answered as never)).toString(), undefined, minutes(5))
    expect(await poll()).toMatchObject({ failed: 0, mails: 1 })
    expect(await db.campaignLead.findFirstOrThrow()).toMatchObject({ status: 'replied' })
  })

  test('a token that runs out in mid-send is got anew by the key, and the mail leaves once', async () => {
    const last = vendor === 'google' ? 'draft' : 'tag'
    let isFirst = true
    const { send, server, actions } = await begun(vendor, {
      play: (step) => {
        if (step === last && isFirst) at.live.access.clear()
        if (step === last) isFirst = false
        return undefined
      },
    })
    const asked = at.calls.length
    await send()
    expect((await actions()).map(({ status }) => status)).toEqual(['sent'])
    expect([server.sent().length, server.drafts.size, at.calls.length - asked]).toEqual([1, 0, 2])
  })

  test('a key that is refused keeps every lead in its place, and what waited leaves by the next key', async () => {
    const { send, server, actions, row, organization_id, mailbox } = await begun(vendor, {}, 2)
    const { workspace_id } = mailbox
    at.state.keys.clear()
    at.state.secrets.clear()
    await send()
    await send(minutes(5))
    expect(await row()).toMatchObject({ status: 'failing', failing_cause: 'misconfigured' })
    expect(await db.notification.count({ where: { workspace_id } })).toBe(1)
    expect(server.sent()).toHaveLength(0)
    expect((await actions()).every(({ status, attempts }) => status === 'retry' && attempts === 0)).toBe(true)
    const another = await aKeyFile()
    at.trust(another)
    at.state.secrets.add('a new secret')
    const key =
      vendor === 'google' ? { service_account_key: another.text } : { client_secret: 'a new secret' }
    await updateOrganization(workspace_id, organization_id, key, minutes(10), at.find)
    await send(minutes(200))
    expect((await actions()).every(({ status }) => status === 'sent')).toBe(true)
    expect(server.sent()).toHaveLength(2)
  })
})
