import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { askFor, isRoleEnough, type Role } from '#lib/domain/workspaces/roles'

type Props = { role: Role; needs: Role; children: ReactNode }

/** Content that requires a role; other users are told whom to ask instead. */
export function AskAdmin({ role, needs, children }: Props) {
  if (isRoleEnough(role, needs)) return children
  return (
    <p className="flex items-center gap-1.5 text-sm text-muted">
      <Lock aria-hidden className="size-3.5 shrink-0" />
      {askFor(needs)}
    </p>
  )
}
