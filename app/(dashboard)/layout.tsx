import type { ReactNode } from 'react'
import { DraftOwner } from '#components/drafts/draft-owner'
import { ClientShell } from '#components/shell/client-shell'
import { Shell } from '#components/shell/shell'
import { ZoneOwner } from '#components/ui/relative-time'
import { ReadAccount } from '#lib/contracts/workspaces/account'
import { Branding } from '#lib/contracts/workspaces/branding'
import { isClient } from '#lib/contracts/workspaces/roles'
import { requireUser } from '#lib/http/session'
import { countUnread } from '#lib/services/inbox/threads'
import { countUnreadNotifications } from '#lib/services/telling/notifications'
import { findBranding } from '#lib/services/workspaces/branding'
import { listMemberships } from '#lib/services/workspaces/memberships'
import { workspaceTimezone } from '#lib/services/workspaces/users'
import { signOut } from '../(auth)/actions.ts'
import { assistantToken } from './assistant-token.ts'
import { duplicateCampaign, pauseCampaign, resumeCampaign } from './campaigns/actions.ts'
import { closedPages } from './closed-pages.ts'
import { findOpenRecord } from './commands.ts'
import { latestNotifications } from './notifications.ts'
import { searchEverything } from './search.ts'
import { markAllNotifications } from './settings/notifications/actions.ts'

/**
 * Only the frame. Every page and action checks the user itself, since a redirect in a layout does not stop
 * its pages.
 */
export default async function DashboardLayout({ children }: LayoutProps<'/'>) {
  const user = await requireUser(ReadAccount)
  const zone = await workspaceTimezone(user.workspace_id)
  return (
    <ZoneOwner zone={zone}>
      {isClient(user.role) ? (
        <ClientLayout user={user}>{children}</ClientLayout>
      ) : (
        <MemberLayout user={user}>{children}</MemberLayout>
      )}
    </ZoneOwner>
  )
}

type Props = { user: Awaited<ReturnType<typeof requireUser>>; children: ReactNode }

async function MemberLayout({ user, children }: Props) {
  const { workspace_id, user_id, name, email } = user
  const [memberships, replies, notifications] = await Promise.all([
    listMemberships(user_id),
    countUnread(workspace_id, new Date()),
    countUnreadNotifications({ workspace_id, user_id }),
  ])
  const bell = { unread: notifications, load: latestNotifications, markAll: markAllNotifications }
  return (
    <DraftOwner owner={`${workspace_id}/${user_id}`}>
      <Shell
        user={{ name, email }}
        workspaceId={workspace_id}
        workspaces={toShell(memberships, workspace_id)}
        closed={closedPages(user.role)}
        waiting={{ '/inbox': replies }}
        bell={bell}
        signOut={signOut}
        search={searchEverything}
        commands={{
          openRecord: findOpenRecord,
          pause: pauseCampaign,
          resume: resumeCampaign,
          duplicate: duplicateCampaign,
        }}
        assistantToken={assistantToken}
      >
        {children}
      </Shell>
    </DraftOwner>
  )
}

const toShell = (memberships: Awaited<ReturnType<typeof listMemberships>>, current: string) =>
  memberships.map(({ role: _, ...workspace }) => ({
    ...workspace,
    isCurrent: workspace.workspace_id === current,
  }))

/** The frame for clients: without search, assistant and counts, which concern the whole workspace. */
async function ClientLayout({ user, children }: Props) {
  const { workspace_id, workspace_name, user_id, name, email } = user
  const [memberships, found] = await Promise.all([listMemberships(user_id), findBranding(workspace_id)])
  const branding = Branding.parse(found)
  return (
    <ClientShell
      title={branding.name ?? workspace_name}
      branding={branding}
      user={{ name, email }}
      workspaceId={workspace_id}
      workspaces={toShell(memberships, workspace_id)}
      signOut={signOut}
    >
      {children}
    </ClientShell>
  )
}
