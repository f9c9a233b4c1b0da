/** Dispatched before something other than a link leaves the page; a guard prevents the default to stop it. */
export const LEAVING = 'opener:leaving'

declare global {
  interface DocumentEventMap {
    [LEAVING]: CustomEvent<string>
  }
}

/** Navigates at once, or after the guard of unsaved changes agrees. */
export function leave(router: { push(href: string): void }, href: string): void {
  const event = new CustomEvent<string>(LEAVING, { detail: href, cancelable: true })
  if (document.dispatchEvent(event)) router.push(href)
}
