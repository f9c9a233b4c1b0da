import type { ComponentProps } from 'react'

type ButtonProps = ComponentProps<'button'>

const ignore: ButtonProps['onClick'] = (event) => event.preventDefault()

const isOn = (value: ButtonProps['aria-busy']) => value === true || value === 'true'

/**
 * `disabled` would take the focus from the button just pressed, and keyboard users would start again at the
 * top of the page. While busy or temporarily disabled, the button keeps the focus and does nothing.
 */
export function keepingFocus(props: ButtonProps): ButtonProps {
  if (!isOn(props['aria-busy']) && !isOn(props['aria-disabled'])) return props
  return { ...props, disabled: false, 'aria-disabled': true, onClick: ignore }
}
