'use client'

import { useState } from 'react'
import type { FormResult } from '#components/ui/controls/action-form'
import { Button } from '#components/ui/controls/button'
import { Field } from '#components/ui/controls/field'
import { Select } from '#components/ui/controls/select'
import { Dialog } from '#components/ui/overlays/dialog'
import { toast } from '#components/ui/overlays/toast'
import { useAction } from '#components/ui/use-action'
import type { Member, MemberRemoval } from '#lib/contracts/workspaces/members'
import { RemovalEffects } from './removal-effects.tsx'

export type RemovalAnswer = { ok: true; answer: MemberRemoval } | { ok: false; message: string }

type Props = {
  member: Member
  /** Members who can take over what the removed member made. */
  heirs: Member[]
  preview: (userId: string, heirId?: string) => Promise<RemovalAnswer>
  remove: (userId: string, heirId?: string) => Promise<FormResult>
}

export function RemoveMember({ member, heirs, preview, remove }: Props) {
  const [removal, setRemoval] = useState<MemberRemoval | null>(null)
  const heirId = removal?.handed_to?.user_id
  const { run, isPending } = useAction(() => remove(member.user_id, heirId))
  async function ask(wanted?: string) {
    const answer = await preview(member.user_id, wanted)
    if (answer.ok) setRemoval(answer.answer)
    else toast.error(answer.message)
  }
  const close = () => setRemoval(null)
  return (
    <>
      <Button size="sm" aria-busy={isPending} onClick={() => ask()} aria-label={`Remove ${member.name}`}>
        Remove
      </Button>
      {removal && (
        <Dialog
          isOpen
          onClose={close}
          title={`Remove ${member.name}?`}
          description="They lose access immediately. Their work stays."
          footer={
            <>
              <Button onClick={close}>Cancel</Button>
              <Button
                variant="danger"
                onClick={() => {
                  run()
                  close()
                }}
              >
                Remove
              </Button>
            </>
          }
        >
          <Field label="Hand their work to">
            <Select
              value={heirId}
              onChange={(event) => ask(event.target.value)}
              options={heirs.map(({ user_id, name }) => ({ value: user_id, label: name }))}
            />
          </Field>
          <RemovalEffects removal={removal} />
        </Dialog>
      )}
    </>
  )
}
