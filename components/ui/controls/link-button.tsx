import type { ComponentProps } from 'react'
import { type ButtonLook, buttonClass } from './button.tsx'
import { Link } from './link.tsx'

/** A link that looks like a button, so it can be opened in a new tab. */
export function LinkButton({ variant, size, className, ...rest }: ComponentProps<typeof Link> & ButtonLook) {
  return <Link className={buttonClass({ variant, size, className })} {...rest} />
}
