/** The sign-in, which leads back to the page that is open. For the browser alone. */
export function wayBackHere(): string {
  const { pathname, search } = window.location
  return `/sign-in?${new URLSearchParams({ return_path: `${pathname}${search}`, ended: '1' })}`
}
