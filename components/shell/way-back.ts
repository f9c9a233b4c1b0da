/** URL of the sign-in page that returns to the current page. Browser only. */
export function wayBackHere(): string {
  const { pathname, search } = window.location
  return `/sign-in?${new URLSearchParams({ return_path: `${pathname}${search}`, ended: '1' })}`
}
