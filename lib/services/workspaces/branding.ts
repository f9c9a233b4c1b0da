import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { Branding, type UpdateBranding } from '#lib/contracts/workspaces/branding'
import { db } from '#lib/db/client'
import type { WorkspaceBrandingModel } from '#lib/db/generated/models'
import { judgeLogo } from '#lib/domain/images/logo'
import { invalid } from '#lib/errors'
import { type Here, requireHere } from '#lib/services/instance/turn'
import { edit } from '#lib/services/instance/versioned-edit'

const DIGEST_CHARS = 16
const digestLogo = (logo: Uint8Array) =>
  createHash('sha256').update(logo).digest('hex').slice(0, DIGEST_CHARS)

/** All but the logo's bytes, which only its address is asked for. */
const omit = { logo: true } as const

/** With the address of the logo, which is another for each. */
const toBranding = ({ logo_digest, ...branding }: Omit<WorkspaceBrandingModel, 'logo'>) => ({
  ...branding,
  logo_url: logo_digest && `/files/logos/${branding.workspace_id}/${logo_digest}`,
})

const NOTHING = {
  name: null,
  accent: null,
  logo_type: null,
  logo_digest: null,
  sender_name: null,
  reply_to: null,
  version: 1,
  updated_at: new Date(0),
}

/** What a page of the workspace shows itself as. */
export async function findBranding(workspace_id: string) {
  const branding = await db.workspaceBranding.findUnique({ where: { workspace_id }, omit })
  return toBranding(branding ?? { ...NOTHING, workspace_id })
}

export async function readBranding(user: Here, workspaceId: string) {
  requireHere(user, workspaceId)
  return findBranding(workspaceId)
}

/** The columns of a logo: none of either where it is taken away. */
function logoColumns(logo: string | null) {
  if (logo === null) return { logo: null, logo_type: null, logo_digest: null }
  const judged = judgeLogo(new Uint8Array(Buffer.from(logo, 'base64')))
  if (!judged.ok) throw invalid(['body', 'logo'], judged.reason)
  return { logo: judged.bytes, logo_type: judged.content_type, logo_digest: digestLogo(judged.bytes) }
}

export async function updateBranding(
  user: Here,
  workspaceId: string,
  { version, logo, ...fields }: z.output<typeof UpdateBranding.body>,
) {
  requireHere(user, workspaceId)
  const key = { workspace_id: workspaceId }
  const data = { ...fields, ...(logo === undefined ? {} : logoColumns(logo)) }
  const branding = await edit({
    table: 'workspace_brandings',
    key,
    version,
    missing: 'workspace_not_found',
    first: (tx) => tx.workspaceBranding.createMany({ data: key, skipDuplicates: true }),
    current: async () => Branding.parse(await findBranding(workspaceId)),
    write: (tx) => tx.workspaceBranding.update({ where: key, data, omit }),
  })
  return toBranding(branding)
}

/** The bytes behind an address; null for any but the present one. */
export async function findLogo(workspace_id: string, digest: string) {
  const branding = await db.workspaceBranding.findUnique({ where: { workspace_id, logo_digest: digest } })
  if (!branding?.logo || !branding.logo_type) return null
  return { bytes: new Uint8Array(branding.logo), content_type: branding.logo_type }
}
