import { Avatar } from '#components/ui/avatar'
import { Menu } from '#components/ui/overlays/menu'
import { SignOut } from './sign-out.tsx'
import { ThemeSwitch } from './theme-switch.tsx'
import { nameOfSeveral, type ShellWorkspace, Workspaces } from './workspaces.tsx'

export type ShellUser = { name: string | null; email: string }

export function UserMenu({
  user,
  workspaces,
  signOut,
  short,
}: {
  user: ShellUser
  workspaces: ShellWorkspace[]
  signOut: () => Promise<void>
  short?: boolean
}) {
  const name = user.name ?? user.email
  const workspace = nameOfSeveral(workspaces)
  return (
    <Menu
      label={`${name}: account`}
      triggerClass={
        short
          ? 'grid size-9 place-items-center rounded-sm hover:bg-hover'
          : 'flex min-h-9 w-full items-center gap-2.5 rounded-sm px-2 py-1 text-left text-sm hover:bg-hover max-lg:justify-center max-lg:px-0'
      }
      trigger={
        <>
          <Avatar name={name} />
          {!short && (
            <span className="grid min-w-0 max-lg:sr-only">
              <span className="truncate">{name}</span>
              {workspace && <span className="truncate text-xs text-muted">{workspace}</span>}
            </span>
          )}
        </>
      }
    >
      <div className="px-2 py-1.5 text-sm">
        {user.name && <p className="font-medium">{user.name}</p>}
        <p className="text-muted">{user.email}</p>
      </div>
      {workspaces.length > 1 && (
        <div className="border-t border-border">
          <Workspaces workspaces={workspaces} />
        </div>
      )}
      <div className="flex items-center justify-between gap-6 border-y border-border px-2 py-2 text-sm">
        <span aria-hidden>Theme</span>
        <ThemeSwitch />
      </div>
      <SignOut signOut={signOut} />
    </Menu>
  )
}
