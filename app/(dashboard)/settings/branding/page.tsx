import type { Metadata } from 'next'
import { BrandingForm } from '#components/workspaces/branding/branding-form'
import { Branding, UpdateBranding } from '#lib/contracts/workspaces/branding'
import { requireUser } from '#lib/http/session'
import { findBranding } from '#lib/services/workspaces/branding'
import { saveBranding } from './actions.ts'

export const metadata: Metadata = { title: 'Branding' }

/** What clients see of the workspace. */
export default async function BrandingPage() {
  const { workspace_id, workspace_name } = await requireUser(UpdateBranding)
  const branding = Branding.parse(await findBranding(workspace_id))
  return <BrandingForm branding={branding} workspaceName={workspace_name} save={saveBranding} />
}
