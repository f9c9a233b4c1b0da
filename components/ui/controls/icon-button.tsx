import type { ComponentProps } from 'react'
import { Button, type ButtonLook } from './button.tsx'

type Props = Omit<ComponentProps<'button'>, 'aria-label'> &
  Omit<ButtonLook, 'size'> & { label: string; small?: boolean }

/** A button with only an icon. The required label is also its tooltip. */
export function IconButton({ label, small, variant = 'ghost', ...rest }: Props) {
  return (
    <Button aria-label={label} title={label} variant={variant} size={small ? 'icon-sm' : 'icon'} {...rest} />
  )
}
