/** Asked of the page before something other than a link of it leads away: a guard that holds it prevents the default. */
export const LEAVING = 'opener:leaving'

declare global {
  interface DocumentEventMap {
    [LEAVING]: CustomEvent<string>
  }
}

/** Goes on at once, or once whoever has something unsaved on the page says so. */
export function leave(router: { push(href: string): void }, href: string): void {
  const event = new CustomEvent<string>(LEAVING, { detail: href, cancelable: true })
  if (document.dispatchEvent(event)) router.push(href)
}
