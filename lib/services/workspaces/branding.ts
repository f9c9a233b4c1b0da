import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { Branding, type UpdateBranding } from '#lib/contracts/workspaces/branding'
import { db, pool } from '#lib/db/client'
import { prepared } from '#lib/db/prepared'
import { judgeLogo } from '#lib/domain/images/logo'
import { AppError, invalid } from '#lib/errors'
import { type Here, requireHere } from '#lib/services/instance/turn'
import { edit } from '#lib/services/instance/versioned-edit'

const DIGEST_CHARS = 16
const digestLogo = (logo: Uint8Array) =>
  createHash('sha256').update(logo).digest('hex').slice(0, DIGEST_CHARS)

/** `version` is that of the workspace's own branding, which is what an edit changes. */
const SHOWN = `SELECT w.workspace_id, b.name, b.accent, b.sender_name, b.reply_to, b.sender_mailbox_id, coalesce(m.send_as, m.address) AS sender_address, b.report_domain, b.report_host,
    '/files/logos/' || b.kept_in || '/' || b.logo_digest AS logo_url, coalesce(own.version, 1) AS version,
    CASE WHEN b.kept_in <> w.workspace_id
      THEN json_build_object('workspace_id', b.kept_in, 'name', parent.name) END AS inherited_from
  FROM workspaces w
  LEFT JOIN effective_brandings b ON b.workspace_id = w.workspace_id
  LEFT JOIN mailboxes m ON m.mailbox_id = b.sender_mailbox_id
  LEFT JOIN workspace_brandings own ON own.workspace_id = w.workspace_id
  LEFT JOIN workspaces parent ON parent.workspace_id = w.parent_workspace_id
  WHERE w.workspace_id = $1`

/** The branding that a workspace's pages show. */
export async function findBranding(workspaceId: string): Promise<Branding> {
  const { rows } = await pool().query<Branding>(prepared(SHOWN, [workspaceId]))
  if (!rows[0]) throw new AppError('workspace_not_found')
  return rows[0]
}

export async function readBranding(user: Here, workspaceId: string) {
  requireHere(user, workspaceId)
  return findBranding(workspaceId)
}

type LogoColumns = { logo: Uint8Array<ArrayBuffer>; logo_type: string; logo_digest: string }

/** The columns of a logo, or why it is not acceptable. */
export function logoColumns(bytes: Uint8Array): LogoColumns | { problem: string } {
  const judged = judgeLogo(bytes)
  if (!judged.ok) return { problem: judged.reason }
  const { bytes: logo, content_type: logo_type } = judged
  return { logo, logo_type, logo_digest: digestLogo(logo) }
}

/** Removing the logo clears all its columns. */
function givenLogo(logo: string | null) {
  if (logo === null) return { logo: null, logo_type: null, logo_digest: null }
  const columns = logoColumns(new Uint8Array(Buffer.from(logo, 'base64')))
  if ('problem' in columns) throw invalid(['body', 'logo'], columns.problem)
  return columns
}

/** Refuses a mailbox or domain that is not the workspace's. */
async function requireOwned(
  workspace_id: string,
  { sender_mailbox_id, report_domain }: z.output<typeof UpdateBranding.body>,
): Promise<void> {
  if (sender_mailbox_id) {
    const mailbox_id = sender_mailbox_id
    if (!(await db.mailbox.findFirst({ where: { workspace_id, mailbox_id }, select: { mailbox_id: true } })))
      throw invalid(['body', 'sender_mailbox_id'], 'must be a mailbox of this workspace')
  }
  if (report_domain) {
    const where = { workspace_id, domain: report_domain }
    if (!(await db.mailDomain.findFirst({ where, select: { domain_id: true } })))
      throw invalid(['body', 'report_domain'], 'must be a domain of this workspace')
  }
}

export async function updateBranding(
  user: Here,
  workspaceId: string,
  { version, logo, ...fields }: z.output<typeof UpdateBranding.body>,
) {
  requireHere(user, workspaceId)
  const key = { workspace_id: workspaceId }
  await requireOwned(workspaceId, fields)
  const data = { ...fields, ...(logo === undefined ? {} : givenLogo(logo)) }
  await edit({
    table: 'workspace_brandings',
    key,
    version,
    missing: 'workspace_not_found',
    first: (tx) => tx.workspaceBranding.createMany({ data: key, skipDuplicates: true }),
    current: async () => Branding.parse(await findBranding(workspaceId)),
    // Does not return the logo's bytes.
    write: (tx) => tx.workspaceBranding.update({ where: key, data, select: { version: true } }),
  })
  return findBranding(workspaceId)
}

/** The bytes behind a logo URL; null for any logo but the current one. */
export async function findLogo(workspace_id: string, digest: string) {
  const branding = await db.workspaceBranding.findUnique({ where: { workspace_id, logo_digest: digest } })
  if (!branding?.logo || !branding.logo_type) return null
  return { bytes: new Uint8Array(branding.logo), content_type: branding.logo_type }
}
