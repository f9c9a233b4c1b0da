'use client'

import { useState } from 'react'
import type { FormResult } from '#components/ui/controls/action-form'
import { Button } from '#components/ui/controls/button'
import { ConfirmDialog } from '#components/ui/overlays/confirm-dialog'
import { toast } from '#components/ui/overlays/toast'
import { useAction } from '#components/ui/use-action'
import type { Member, MemberRemoval } from '#lib/contracts/workspaces/members'

export type RemovalAnswer = { ok: true; answer: MemberRemoval } | { ok: false; message: string }

type Props = {
  member: Member
  preview: (userId: string) => Promise<RemovalAnswer>
  remove: (userId: string) => Promise<FormResult>
}

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

/** What is said before somebody is removed. */
function consequence({ campaigns, templates, api_keys, conversations, handed_to }: MemberRemoval): string {
  const made = `${counted(campaigns, 'campaign', 'campaigns')} and ${counted(templates, 'template', 'templates')}`
  const keys = api_keys > 0 ? ` ${counted(api_keys, 'API key stops', 'API keys stop')} working.` : ''
  const talks =
    conversations > 0
      ? ` ${counted(conversations, 'conversation becomes', 'conversations become')} unassigned.`
      : ''
  return `They made ${made}. These stay, go on, and become ${handed_to?.name ?? 'the owner'}'s.${talks}${keys}`
}

export function RemoveMember({ member, preview, remove }: Props) {
  const [removal, setRemoval] = useState<MemberRemoval | null>(null)
  const { run, isPending } = useAction(() => remove(member.user_id))
  async function ask() {
    const answer = await preview(member.user_id)
    if (answer.ok) setRemoval(answer.answer)
    else toast.error(answer.message)
  }
  return (
    <>
      <Button size="sm" disabled={isPending} onClick={ask} aria-label={`Remove ${member.name}`}>
        Remove
      </Button>
      {removal && (
        <ConfirmDialog
          confirmation={{
            title: `Remove ${member.name}?`,
            description: consequence(removal),
            label: 'Remove',
            danger: true,
          }}
          onConfirm={run}
          onClose={() => setRemoval(null)}
        />
      )}
    </>
  )
}
