'use client'

import { Check, UserRound } from 'lucide-react'
import { Avatar } from '#components/ui/avatar'
import { buttonClass } from '#components/ui/controls/button'
import { keepingFocus } from '#components/ui/controls/keeping-focus'
import { Menu } from '#components/ui/overlays/menu'
import { menuItemClass } from '#components/ui/overlays/menu-item-class'
import { type Act, useAction } from '#components/ui/use-action'

type AssigneeChoice = { user_id: string | null; name: string; isOn: boolean; assign: Act }

/** Shows and changes the conversation's assignee. */
export function AssigneeMenu({ name, choices }: { name: string | null; choices: AssigneeChoice[] }) {
  return (
    <span data-key="a">
      <Menu
        label={name ? `Assigned to ${name}` : 'Assign'}
        hint={name ? `Assigned to ${name} (a)` : 'Assign (a)'}
        triggerClass={buttonClass({ variant: 'ghost', size: 'icon' })}
        trigger={name ? <Avatar name={name} /> : <UserRound aria-hidden />}
      >
        {choices.map((choice) => (
          <Choice key={choice.user_id ?? 'nobody'} {...choice} />
        ))}
      </Menu>
    </span>
  )
}

function Choice({ user_id, name, isOn, assign }: AssigneeChoice) {
  const { run, isPending } = useAction(assign)
  return (
    <button
      type="button"
      role="menuitemradio"
      aria-checked={isOn}
      tabIndex={-1}
      className={menuItemClass()}
      {...keepingFocus({
        'aria-busy': isPending,
        onClick: (event) => {
          event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
          if (!isOn) run()
        },
      })}
    >
      {user_id ? <Avatar name={name} /> : <UserRound aria-hidden />}
      <span className="min-w-0 flex-1 truncate">{name}</span>
      {isOn && <Check aria-hidden />}
    </button>
  )
}
