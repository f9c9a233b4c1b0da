import type { FormResult } from '#components/ui/controls/action-form'
import type { CampaignStatus } from '#lib/domain/campaigns/campaign-status'
import type { ShellWorkspace } from '../workspaces.tsx'

/** The record whose page is open, if the command menu has actions for it. */
export type OpenRecord =
  | {
      kind: 'campaign'
      id: string
      name: string
      status: CampaignStatus
      /** Why an action is refused, and whom to ask. */
      refusals: Record<'pause' | 'resume' | 'duplicate', string | null>
    }
  | { kind: 'dataset'; id: string; name: string }

type Act = (id: string) => Promise<FormResult>

/** The server functions used by the command menu. */
export type Commands = {
  /** The record shown at this path; null if there is nothing to do with it. */
  openRecord: (path: string) => Promise<OpenRecord | null>
  pause: Act
  resume: Act
  duplicate: Act
  workspaces: ShellWorkspace[]
  /** Paths that the user's role may not open. */
  closed: string[]
}
