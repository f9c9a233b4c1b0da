// OWASP API Security Top 10 of 2023: what is revealed, what it costs, and which endpoints exist.
import { beforeAll, describe, expect, test } from 'vitest'
import type { Contract } from '#lib/contracts/contract'
import { CreateTemplate } from '#lib/contracts/messages/templates'
import { db } from '#lib/db/client'
import { operations } from '#lib/operations/all'
import { call } from '#tests/support/call'
import { sources } from '#tests/support/code/source-files'
import { at, documented, type Json } from '#tests/support/files/document'
import { aUser } from '#tests/support/scenes/factories'

// Set before any module reads the environment; these tests send more requests than a minute allows.
Object.assign(process.env, { ALLOW_SIGN_UP: '1', RATE_LIMIT_READ: '100000', RATE_LIMIT_WRITE: '100000' })

const contracts = operations.map(({ contract }) => contract)
const guarded = contracts.filter(({ scope }) => scope !== null)
const files = sources()
const paramsOf = ({ path: template }: Contract) =>
  Object.fromEntries([...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, crypto.randomUUID()]))

let owner: Awaited<ReturnType<typeof aUser>>
beforeAll(async () => {
  owner = await aUser({ tier: 'scale' })
})

/** Every property that a schema of the document names, at any depth, with the path to it. */
function propertiesOf(
  schema: Json,
  trail: string,
  seen: readonly string[] = [],
): { name: string; trail: string }[] {
  if (typeof schema.$ref === 'string')
    return seen.includes(schema.$ref)
      ? []
      : propertiesOf(at(schema.$ref) as Json, trail, [...seen, schema.$ref])
  const inner = Object.entries((schema.properties ?? {}) as Record<string, Json>)
  const parts = [schema.items, schema.anyOf, schema.oneOf, schema.allOf]
    .flat()
    .filter((part) => part !== undefined)
  return [
    ...inner.flatMap(([name, part]) => [
      { name, trail: `${trail}.${name}` },
      ...propertiesOf(part, `${trail}.${name}`, seen),
    ]),
    ...parts.flatMap((part) => propertiesOf(part as Json, trail, seen)),
  ]
}
const schemasIn = (content: unknown): Json[] =>
  Object.values((content ?? {}) as Record<string, { schema?: Json }>).flatMap(({ schema }) =>
    schema ? [schema] : [],
  )

/** Owner, limits and whatever only the product counts: a caller must never be able to set them. */
const SERVER_SIDE =
  /^(workspace_id|owner_id|tier|role|is_admin|extra_api_keys|password_hash|key_digest|created_at|updated_at|revoked_at|launched_at|completed_at|next_slot_at|lease_until|lease_owner|attempts|\w+_count|billing_customer_id|subscription_status|verified_at)$/
/** Shown once, when it is created, and nowhere else. */
const SECRET =
  /^(password|password_hash|smtp_password|imap_password|private_key|private_jwk|key_digest|secret|previous_secret|key|token|lease_owner|encryption_key)$/
const TOLD = [
  // The key of a column: the name that templates use.
  'readDataset.columns.key',
  'undoDatasetSession.columns.key',
  'createApiKey.key',
  'rollApiKey.key',
  'createForm.secret',
  'createWebhook.secret',
  'rotateWebhookSecret.secret',
  'startSecondFactor.secret',
  'prepareErasure.token',
  'prepareWorkspaceErasure.token',
]

/**
 * Request fields that only look like SERVER_SIDE ones: the author of a chat message, of which only the caller's own are read;
 * the size of a forecast; the tier to buy, and the pretended tier where nobody pays. Roles may be set up to the caller's own:
 * of a key and of others, also by sign-in domain or group.
 */
const ASKED = [
  'agentChat.messages.role',
  'createApiKey.role',
  'updateApiKey.role',
  'createInvitation.role',
  'updateMember.role',
  'createSignInDomain.role',
  'updateSignInDomain.role',
  'replaceGroupRoles.roles.role',
  'forecastDraft.leads_count',
  'createCheckoutSession.tier',
  'chooseSandboxTier.tier',
]

describe('API3 object property level authorization', () => {
  test('no request names what only the product may set', () => {
    const named = documented.flatMap(({ operation }) =>
      schemasIn(operation.requestBody?.content).flatMap((schema) =>
        propertiesOf(schema, operation.operationId),
      ),
    )
    expect(named.length).toBeGreaterThan(100)
    expect(named.filter(({ name }) => SERVER_SIDE.test(name)).map(({ trail }) => trail)).toEqual(ASKED)
  })

  test.each(contracts.filter(({ body, body_type }) => body && body_type !== 'multipart'))(
    '$id drops or refuses what its body does not name',
    ({ id, body }) => {
      const extra = { workspace_id: 'x', tier: 'scale', created_at: '2000-01-01T00:00:00Z', is_admin: true }
      const parsed = body?.safeParse(extra)
      const kept = Object.keys((parsed?.data ?? {}) as object).filter((name) => name in extra)
      expect(kept.filter((name) => !ASKED.includes(`${id}.${name}`))).toEqual([])
    },
  )

  test('a row is its maker’s, whatever the body says', async () => {
    const victim = await aUser()
    const body = {
      name: 'T',
      content: { subject: 'S', body: 'B' },
      workspace_id: victim.workspace_id,
      template_id: victim.workspace_id,
    }
    const made = (await call(CreateTemplate, { as: owner, body })).body
    const row = await db.template.findUniqueOrThrow({ where: { template_id: made.template_id } })
    expect(row).toMatchObject({ workspace_id: owner.workspace_id })
    expect(made.template_id).not.toBe(victim.workspace_id)
  })

  test('no answer documents a secret, save those that are told once', () => {
    const told = documented.flatMap(({ operation }) =>
      Object.values(operation.responses).flatMap(({ content }) =>
        schemasIn(content).flatMap((schema) => propertiesOf(schema, operation.operationId)),
      ),
    )
    const secrets = [...new Set(told.filter(({ name }) => SECRET.test(name)).map(({ trail }) => trail))]
    expect(secrets.filter((trail) => !TOLD.includes(trail))).toEqual([])
  })
})

describe('API4 resource consumption', () => {
  test.each(guarded)('$id says what is left of its rate', async (contract) => {
    const { headers } = await call(contract, { as: owner, params: paramsOf(contract) })
    for (const name of ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'])
      expect(Number(headers.get(name))).toBeGreaterThanOrEqual(0)
  })

  test.each(contracts.filter(({ body }) => body))('$id refuses a body beyond its limit', async (contract) => {
    const limit = contract.max_bytes ?? 1024 * 1024
    expect(limit).toBeLessThanOrEqual(32 * 1024 * 1024)
    const headers = { 'content-length': String(limit + 1), 'content-type': 'application/json' }
    const { status } = await call(contract, { as: owner, params: paramsOf(contract), headers, body: '{}' })
    expect([400, 403]).toContain(status)
  })

  test('no page is larger than 100 rows', () => {
    const sizes = documented.flatMap(({ operation }) =>
      (operation.parameters ?? []).filter(({ name }) => /^(page_size|per_page)$/.test(name)),
    )
    expect(sizes.length).toBeGreaterThan(10)
    for (const { schema } of sizes) expect(Number(schema.maximum)).toBeLessThanOrEqual(100)
  })
})

/** Routes that are no API operation, each with the reason why they may be reached. */
const OTHER_DOORS: Record<string, string> = {
  'app/(dashboard)/analytics/export/route.ts': 'a download of the dashboard',
  'app/(dashboard)/campaigns/[campaign_id]/export/route.ts': 'a download of the dashboard',
  'app/(dashboard)/campaigns/[campaign_id]/leads/rows/route.ts': 'rows of a table of the dashboard',
  'app/(dashboard)/datasets/[dataset_id]/export/route.ts': 'a download of the dashboard',
  'app/(dashboard)/datasets/[dataset_id]/rejects/export/route.ts': 'a download of the dashboard',
  'app/(dashboard)/datasets/[dataset_id]/rows/route.ts': 'rows of a table of the dashboard',
  'app/(dashboard)/inbox/[thread_id]/files/[inbox_message_id]/[position]/route.ts':
    'a download of the dashboard',
  'app/(dashboard)/live/[topic]/route.ts': 'whether a page has changed, for its session',
  'app/(dashboard)/datasets/sheets/callback/route.ts':
    'where Google sends people back to, by a state of their session',
  'app/(dashboard)/domains/postmaster/callback/route.ts':
    'where Google sends people back to, by a state of their session',
  'app/(dashboard)/mailboxes/callback/[vendor]/route.ts':
    'where Google and Microsoft send people back to, by a state of their session',
  'app/(dashboard)/mailboxes/sandbox-consent/answer/route.ts': 'the answer of the sandbox’s sign-in',
  'app/(dashboard)/people/export/route.ts': 'a download of the dashboard',
  'app/(dashboard)/sandbox/mail/[id]/raw/route.ts': 'a download of the dashboard',
  'app/(dashboard)/settings/account/export/route.ts': 'a download of the dashboard',
  'app/(dashboard)/suppressions/export/route.ts': 'a download of the dashboard',
  'app/(dashboard)/w/[slug]/[[...path]]/route.ts':
    'chooses the workspace of a session, and goes on to the page',
  'app/(public)/connected-accounts/callback/route.ts':
    'where a social network sends people back to, by a signed state',
  'app/(public)/files/[token]/route.ts': 'a file, by a signed link',
  'app/(public)/files/images/[workspace_id]/[file]/route.ts':
    'an image that emails show to whoever reads them',
  'app/(public)/files/logos/[workspace_id]/[digest]/route.ts': 'a logo that a workspace shows to everybody',
  'app/(public)/files/uploads/[token]/route.ts': 'an upload, by a signed address',
  'app/(public)/t/c/[token]/route.ts': 'a tracked link, signed',
  'app/(public)/t/o/[file]/route.ts': 'a tracked image, signed',
  'app/(public)/forms/[token]/route.ts':
    'entries of a form on a site of its owner, by its token and the site',
  'app/(public)/forms/confirm/[token]/submit/route.ts': 'a confirmation, by the secret in its link',
  'app/(public)/unsubscribe/[token]/submit/route.ts': 'one-click unsubscribe, signed',
  'app/(public)/analytics-email/[token]/submit/route.ts': 'one click ends the emails of analytics, signed',
  'app/.well-known/jwks.json/route.ts': 'the public keys',
  'app/api/auth/[...nextauth]/route.ts': 'sign-in of browsers',
  'app/api/billing/stripe/route.ts': 'signed by the payment provider',
  'app/api/inngest/route.ts': 'signed by the engine',
  'app/api/mail/google/route.ts': 'signed by Google',
  'app/api/mail/microsoft/route.ts': 'with the secret that each subscription was given',
  'app/api/social/unipile/route.ts': 'signed by the social provider',
  'app/api/v1/[...path]/route.ts': '404 for all other paths',
  'app/api/v1/openapi.json/route.ts': 'the document itself',
  'app/api/v1/route.ts': '404, for nothing is there',
  'app/mcp/route.ts': 'MCP, with a credential',
  'app/mcp/uploads/[grant]/route.ts': 'an upload, by a grant for one use',
  'app/metrics/route.ts': 'Prometheus, with a token of its own',
}

describe('API9 inventory', () => {
  test('every route file is in the document, or known by name', () => {
    const routeFiles = files.map(({ file }) => file).filter((file) => /^app\/.*route\.ts$/.test(file))
    const paths = new Set(
      documented.map(
        ({ path: template }) => `app${template.replace(/\{(\w+)\}/g, '[$1]').replace(/\/$/, '')}/route.ts`,
      ),
    )
    expect(routeFiles.filter((file) => !paths.has(file)).toSorted()).toEqual(
      Object.keys(OTHER_DOORS).toSorted(),
    )
    expect([...paths].filter((file) => !routeFiles.includes(file))).toEqual([])
  })
})
