'use client'

import { Check, Target } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { buttonClass } from '#components/ui/controls/button'
import { keepingFocus } from '#components/ui/controls/keeping-focus'
import { Kbd } from '#components/ui/kbd'
import { Menu } from '#components/ui/overlays/menu'
import { menuItemClass } from '#components/ui/overlays/menu-item-class'
import { type Act, useAction } from '#components/ui/use-action'

type IntentChoice = { key: string; label: string; isOn: boolean; set: Act }

/** Corrects the detected intent with a number key, inside and outside the menu. */
export function IntentMenu({ choices }: { choices: IntentChoice[] }) {
  function pick(event: KeyboardEvent<HTMLSpanElement>) {
    if (!/^[0-9]$/.test(event.key) || !event.currentTarget.querySelector('[popover]:popover-open')) return
    event.preventDefault()
    event.currentTarget.querySelector<HTMLElement>(`[data-key="${event.key}"]`)?.click()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the menu within
    <span data-key="i" onKeyDown={pick}>
      <Menu
        label="Intent"
        hint="Intent (i)"
        triggerClass={buttonClass({ variant: 'ghost', size: 'icon' })}
        trigger={<Target aria-hidden />}
      >
        {choices.map((choice) => (
          <Choice key={choice.key} choice={choice} />
        ))}
      </Menu>
    </span>
  )
}

function Choice({ choice: { key, label, isOn, set } }: { choice: IntentChoice }) {
  const { run, isPending } = useAction(set)
  return (
    <button
      type="button"
      role="menuitemradio"
      aria-checked={isOn}
      aria-keyshortcuts={key}
      tabIndex={-1}
      data-key={key}
      className={menuItemClass()}
      {...keepingFocus({
        'aria-busy': isPending,
        onClick: (event) => {
          event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
          if (!isOn) run()
        },
      })}
    >
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {isOn && <Check aria-hidden />}
      <Kbd>{key}</Kbd>
    </button>
  )
}
