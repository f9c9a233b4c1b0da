import { randomBytes } from 'node:crypto'
import type { PoolClient } from 'pg'
import { FORM_TOKEN_BYTES, MAX_FORMS } from '#lib/domain/leads/form-fields'
import { newKey } from '#lib/services/instance/dkim-key'
import { freshSecret, MAX_WEBHOOKS } from '#lib/services/telling/webhooks'
import { refused } from '#lib/services/workspaces/archive/lines'
import { logoColumns } from '#lib/services/workspaces/branding'

/** Each domain gets a new DKIM key, which takes a tenth of a second. */
const MAX_DOMAINS = 500
/** DKIM keys generated at the same time. */
const KEYS_AT_ONCE = 4

/** After the rows are in: creates what archives do not contain, and checks what the database cannot check. */
export async function remake(client: PoolClient, workspaceId: string, now: Date): Promise<void> {
  await remakeSecrets(client, workspaceId)
  await remakeKeys(client, workspaceId, now)
  await remakeTokens(client, workspaceId)
  await keepLogo(client, workspaceId)
}

async function remakeSecrets(client: PoolClient, workspaceId: string): Promise<void> {
  const { rows } = await client.query<{ webhook_id: string }>(
    'SELECT webhook_id FROM webhooks WHERE workspace_id = $1',
    [workspaceId],
  )
  if (rows.length > MAX_WEBHOOKS) throw refused(`it has more than ${MAX_WEBHOOKS} webhooks.`)
  for (const { webhook_id } of rows) {
    const { secret, secret_hint } = freshSecret()
    await client.query(
      'UPDATE webhooks SET secret = $3, secret_hint = $4 WHERE workspace_id = $1 AND webhook_id = $2',
      [workspaceId, webhook_id, secret, secret_hint],
    )
  }
}

async function remakeTokens(client: PoolClient, workspaceId: string): Promise<void> {
  const { rows } = await client.query<{ form_id: string }>(
    'SELECT form_id FROM forms WHERE workspace_id = $1',
    [workspaceId],
  )
  if (rows.length > MAX_FORMS) throw refused(`it has more than ${MAX_FORMS} forms.`)
  await client.query(
    `UPDATE forms f SET token = n.token FROM unnest($2::uuid[], $3::text[]) n (form_id, token)
     WHERE f.workspace_id = $1 AND f.form_id = n.form_id`,
    [
      workspaceId,
      rows.map(({ form_id }) => form_id),
      rows.map(() => randomBytes(FORM_TOKEN_BYTES).toString('base64url')),
    ],
  )
}

async function remakeKeys(client: PoolClient, workspaceId: string, now: Date): Promise<void> {
  const { rows } = await client.query<{ domain_id: string }>(
    'SELECT domain_id FROM mail_domains WHERE workspace_id = $1 ORDER BY domain_id',
    [workspaceId],
  )
  if (rows.length > MAX_DOMAINS) throw refused(`it has more than ${MAX_DOMAINS} sending domains.`)
  for (let at = 0; at < rows.length; at += KEYS_AT_ONCE) {
    const some = rows.slice(at, at + KEYS_AT_ONCE)
    const keys = await Promise.all(some.map(async (row) => ({ ...row, ...(await newKey(now)) })))
    for (const { domain_id, selector, public_key, private_key } of keys)
      await client.query(
        `INSERT INTO domain_keys (domain_id, selector, public_key, private_key, state)
         VALUES ($1, $2, $3, $4, 'signing')`,
        [domain_id, selector, public_key, private_key],
      )
  }
}

/** Checks the logo's bytes, as for one that an admin uploads. */
async function keepLogo(client: PoolClient, workspaceId: string): Promise<void> {
  const { rows } = await client.query<{ line: number; logo: string }>(
    `SELECT line, row->>'logo' AS logo FROM archive_rows
     WHERE name = 'workspace_brandings' AND row->>'logo' IS NOT NULL`,
  )
  for (const { line, logo } of rows) {
    const columns = logoColumns(new Uint8Array(Buffer.from(logo.slice('\\x'.length), 'hex')))
    if ('problem' in columns)
      throw refused(`line ${line} of the archive (workspace_brandings): ${columns.problem}`)
    await client.query(
      `UPDATE workspace_brandings SET logo = $2, logo_type = $3, logo_digest = $4 WHERE workspace_id = $1`,
      [workspaceId, Buffer.from(columns.logo), columns.logo_type, columns.logo_digest],
    )
  }
}
