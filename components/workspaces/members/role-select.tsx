'use client'

import { useRef, useState } from 'react'
import type { FormResult } from '#components/ui/controls/action-form'
import { Button } from '#components/ui/controls/button'
import { Select } from '#components/ui/controls/select'
import { useAction } from '#components/ui/use-action'
import type { Member } from '#lib/contracts/workspaces/members'
import { givenBy, type Role } from '#lib/domain/workspaces/roles'
import { roleLabel } from './role-options.tsx'

type Props = {
  member: Member
  own: Role
  change: (userId: string, role: string, version: number) => Promise<FormResult>
}

export function RoleSelect({ member, own, change }: Props) {
  const select = useRef<HTMLSelectElement>(null)
  const [wanted, setWanted] = useState<string>(member.role)
  const { run, isPending } = useAction(async () => {
    const result = await change(member.user_id, wanted, member.version)
    if (!result.ok) setWanted(member.role)
    // The save button disappears, so move the focus to the select.
    select.current?.focus()
    return result
  })
  return (
    <span className="flex items-center gap-2">
      <Select
        ref={select}
        aria-label={`Role of ${member.name}`}
        className="w-32"
        value={wanted}
        onChange={(event) => setWanted(event.target.value)}
        options={givenBy(own).map((role) => ({
          value: role,
          label: roleLabel(role),
        }))}
      />
      {wanted !== member.role && (
        <Button size="sm" aria-busy={isPending} onClick={run}>
          Save
        </Button>
      )}
    </span>
  )
}
