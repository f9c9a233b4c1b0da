import type { ComponentProps } from 'react'

type ButtonProps = ComponentProps<'button'>

const ignore: ButtonProps['onClick'] = (event) => event.preventDefault()

const isOn = (value: ButtonProps['aria-busy']) => value === true || value === 'true'

/**
 * `disabled` takes the focus from the button that was just pressed, and whoever goes by keys begins again at the top of the
 * page. While it is busy, or off for a moment, it keeps the focus and does nothing.
 */
export function keepingFocus(props: ButtonProps): ButtonProps {
  if (!isOn(props['aria-busy']) && !isOn(props['aria-disabled'])) return props
  return { ...props, disabled: false, 'aria-disabled': true, onClick: ignore }
}
