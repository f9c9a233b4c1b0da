import type { FormResult } from '#components/ui/controls/action-form'
import type { CampaignStatus } from '#lib/domain/campaigns/campaign-status'
import type { ShellWorkspace } from '../workspaces.tsx'

/** The thing whose page is open, as far as the command menu has something to do with it. */
export type OpenRecord =
  | {
      kind: 'campaign'
      id: string
      name: string
      status: CampaignStatus
      /** Why one may not, and whom to ask. */
      refusals: Record<'pause' | 'resume' | 'duplicate', string | null>
    }
  | { kind: 'dataset'; id: string; name: string }

type Act = (id: string) => Promise<FormResult>

/** What the command menu asks the server for, and what it has it do. */
export type Commands = {
  /** Of the page at this path; null where there is nothing to do. */
  openRecord: (path: string) => Promise<OpenRecord | null>
  pause: Act
  resume: Act
  duplicate: Act
  workspaces: ShellWorkspace[]
}
