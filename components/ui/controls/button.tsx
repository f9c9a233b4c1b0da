import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps } from 'react'
import { keepingFocus } from './keeping-focus.tsx'

/** The style of all buttons: 32 px high, 28 px when small, never below 24 px. */
export const buttonClass = cva(
  'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-sm font-medium whitespace-nowrap select-none transition-colors disabled:opacity-50 aria-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        primary: 'bg-accent text-on-accent shadow-control hover:bg-accent-hover',
        secondary: 'bg-surface text-text border border-border shadow-control hover:bg-hover',
        ghost: 'text-muted hover:bg-hover hover:text-text',
        danger: 'bg-danger-fill text-on-accent shadow-control hover:bg-danger-hover',
      },
      size: {
        sm: 'h-7 px-2.5 text-sm',
        md: 'h-8 px-3 text-sm',
        lg: 'h-10 px-4 text-base',
        icon: 'size-8 p-0',
        'icon-sm': 'size-7 p-0',
      },
    },
    defaultVariants: { variant: 'secondary', size: 'md' },
  },
)

export type ButtonLook = VariantProps<typeof buttonClass>

export function Button({
  variant,
  size,
  className,
  type = 'button',
  ...rest
}: ComponentProps<'button'> & ButtonLook) {
  return <button type={type} className={buttonClass({ variant, size, className })} {...keepingFocus(rest)} />
}
