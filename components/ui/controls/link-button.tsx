import type { ComponentProps } from 'react'
import { type ButtonLook, buttonClass } from './button.tsx'
import { Link } from './link.tsx'

/** Looks like a button, is a link: it can be opened in a new tab. */
export function LinkButton({ variant, size, className, ...rest }: ComponentProps<typeof Link> & ButtonLook) {
  return <Link className={buttonClass({ variant, size, className })} {...rest} />
}
