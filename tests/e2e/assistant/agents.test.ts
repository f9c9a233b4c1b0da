import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect } from '@playwright/test'
import { createApiKey } from '#lib/services/workspaces/api-keys'
import { aPerson } from '../support/people.ts'
import { test } from '../support/test.ts'

const base = () => process.env.OPENER_URL ?? ''

/** Not our client but the standard one, as any agent would use it, over HTTP to the running instance. */
async function stockClient(key: string, versionNegotiation: ClientOptions['versionNegotiation']) {
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', base()), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  })
  const client = new Client({ name: 'stock', version: '1' }, { versionNegotiation })
  await client.connect(transport)
  /** A tool's structured answer; a refusal fails the test. */
  // biome-ignore lint/suspicious/noExplicitAny: each tool answers in its own shape, and that is what the test looks at
  const call = async (name: string, given: Record<string, unknown> = {}): Promise<any> => {
    const { isError, structuredContent, content } = await client.callTool({ name, arguments: given })
    if (isError) throw new Error(`${name}: ${JSON.stringify(content)}`)
    return structuredContent
  }
  return { client, call }
}

const LEADS = `Email,First name,Company
ann@example.com,Ann,Acme
bob@example.com,Bob,Bolt
nobody,Nina,None
`

for (const [revision, negotiation] of [
  ['2026-07-28', { mode: 'auto' }],
  ['2025-11-25', { mode: 'legacy' }],
] as const)
  test(`a stock MCP client of revision ${revision} builds a campaign and launches it into the sandbox`, async () => {
    const person = await aPerson()
    const scopes = ['read', 'write', 'send'] as const
    const { key } = await createApiKey(
      person,
      { name: 'Agent', scopes: [...scopes], expires_at: null },
      new Date(),
    )
    const { client, call } = await stockClient(key, negotiation)
    expect(client.getNegotiatedProtocolVersion()).toBe(revision)

    // The file goes to an upload address, as one that is too large for a conversation.
    const { upload_url } = await call('importSpreadsheet', { dataset_name: 'By an agent' })
    const form = new FormData()
    form.set('file', new File([LEADS], 'leads.csv'))
    const sent = await fetch(upload_url, { method: 'POST', body: form })
    expect(sent.status).toBe(200)
    const { dataset_id } = await sent.json()
    await expect.poll(async () => (await call('readDataset', { dataset_id })).status).toBe('completed')
    expect((await call('listDatasetRejects', { dataset_id })).items).toMatchObject([{ value: 'nobody' }])

    await call('createMailbox', {
      address: 'agent@example.org',
      smtp: { host: '127.0.0.1', port: Number(process.env.SANDBOX_SMTP_PORT), security: 'none' },
      min_interval_seconds: 0,
    })
    const content = { subject: 'Hello {{ first_name }}', body: 'A word about {{ company }}?' }
    const { template_id } = await call('createTemplate', { name: 'First', content })
    const { campaign_id } = await call('createCampaign', {
      name: 'By an agent',
      dataset_id,
      sending_window_start: '00:00',
      sending_window_end: '00:00',
      send_days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
      min_interval_seconds: 0,
      steps_config: [{ variants: [{ label: 'A', template_id }] }],
    })
    const preview = await call('launchCampaign', { campaign_id })
    expect(preview).toMatchObject({
      status: 'confirmation_required',
      preview: { readLaunchChecks: { blocks: [] }, forecastCampaign: { total_actions: 2 } },
    })
    expect((await call('readCampaign', { campaign_id })).status).toBe('draft')
    const { confirmation_token } = preview
    await call('launchCampaign', { campaign_id, confirmation_token })
    await expect
      .poll(async () => (await call('readCampaign', { campaign_id })).status, { timeout: 150_000 })
      .toBe('completed')

    const { items } = await call('listSandboxMessages')
    expect(
      items
        .map(({ rcpt_to, subject }: { rcpt_to: string; subject: string }) => `${rcpt_to} ${subject}`)
        .toSorted(),
    ).toEqual(['ann@example.com Hello Ann', 'bob@example.com Hello Bob'])
    await client.close()
  })
