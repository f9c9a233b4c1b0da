import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import { Link } from '#components/ui/controls/link'

export type ShellWorkspace = { workspace_id: string; name: string; slug: string; isCurrent: boolean }

/** A full page load, so that nothing of one workspace stays visible in another. */
export const workspaceHref = ({ slug }: Pick<ShellWorkspace, 'slug'>): string => `/w/${slug}/home`

/** The workspace's name, for users who belong to several. */
export const nameOfSeveral = (workspaces: ShellWorkspace[]): string | undefined =>
  workspaces.length > 1 ? workspaces.find(({ isCurrent }) => isCurrent)?.name : undefined

/** In the user's menu: the current workspace and the others. */
export function Workspaces({ workspaces }: { workspaces: ShellWorkspace[] }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: within a menu only a group of menu items may stand
    <div role="group" aria-label="Workspaces" className="max-h-64 overflow-y-auto py-1">
      {workspaces.map((workspace) => (
        <a
          key={workspace.workspace_id}
          role="menuitemradio"
          aria-checked={workspace.isCurrent}
          tabIndex={-1}
          href={workspaceHref(workspace)}
          className="flex h-8 items-center gap-2 rounded-sm px-2 text-sm hover:bg-hover"
        >
          <Check
            aria-hidden
            className={clsx('size-4 shrink-0 text-accent-text', !workspace.isCurrent && 'invisible')}
          />
          <span className="truncate">{workspace.name}</span>
        </a>
      ))}
      <Link
        href="/workspaces"
        role="menuitem"
        tabIndex={-1}
        className="flex h-8 items-center rounded-sm px-2 pl-8 text-sm text-muted hover:bg-hover"
      >
        All workspaces
      </Link>
    </div>
  )
}
