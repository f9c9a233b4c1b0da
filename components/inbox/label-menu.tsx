'use client'

import { Check, Tag } from 'lucide-react'
import { useState } from 'react'
import { KeptFields } from '#components/drafts/kept-fields'
import type { FormAction } from '#components/ui/controls/action-form'
import { ActionForm } from '#components/ui/controls/action-form'
import { buttonClass } from '#components/ui/controls/button'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { keepingFocus } from '#components/ui/controls/keeping-focus'
import { Select } from '#components/ui/controls/select'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Dialog } from '#components/ui/overlays/dialog'
import { DialogActions } from '#components/ui/overlays/dialog-actions'
import { Menu } from '#components/ui/overlays/menu'
import { MenuChoice } from '#components/ui/overlays/menu-choice'
import { menuItemClass } from '#components/ui/overlays/menu-item-class'
import { type Act, useAction } from '#components/ui/use-action'
import type { InboxLabel } from '#lib/contracts/inbox/inbox-labels'
import { COLOR_LABELS, LABEL_DOTS, labelText } from './looks.tsx'

type LabelChoice = Pick<InboxLabel, 'label' | 'color'> & { isOn: boolean; toggle: Act }

/** Adds, removes and creates labels of a conversation. */
export function LabelMenu({ choices, create }: { choices: LabelChoice[]; create: FormAction }) {
  const [isMaking, setMaking] = useState(false)
  return (
    <span data-key="l">
      <Menu
        label="Labels"
        hint="Labels (l)"
        triggerClass={buttonClass({ variant: 'ghost', size: 'icon' })}
        trigger={<Tag aria-hidden />}
      >
        {choices.map((choice) => (
          <Choice key={choice.label} {...choice} />
        ))}
        <MenuChoice onChoose={() => setMaking(true)}>New label…</MenuChoice>
      </Menu>
      <Dialog isOpen={isMaking} onClose={() => setMaking(false)} title="New label">
        <ActionForm action={create} onDone={() => setMaking(false)} className="grid gap-4">
          <KeptFields name="label:new" what="The label" />
          <Field label="Name" name="label">
            <Input required maxLength={50} />
          </Field>
          <Field label="Colour" name="color">
            <Select
              defaultValue="accent"
              options={Object.entries(COLOR_LABELS).map(([value, label]) => ({ value, label }))}
            />
          </Field>
          <DialogActions>
            <SubmitButton>Create and add</SubmitButton>
          </DialogActions>
        </ActionForm>
      </Dialog>
    </span>
  )
}

function Choice({ label, color, isOn, toggle }: LabelChoice) {
  const { run, isPending } = useAction(toggle)
  return (
    <button
      type="button"
      role="menuitemcheckbox"
      aria-checked={isOn}
      tabIndex={-1}
      className={menuItemClass()}
      {...keepingFocus({ 'aria-busy': isPending, onClick: run })}
    >
      <span aria-hidden className={`size-2 rounded-full ${LABEL_DOTS[color]}`} />
      <span className="min-w-0 flex-1 truncate">{labelText(label)}</span>
      {isOn && <Check aria-hidden />}
    </button>
  )
}
