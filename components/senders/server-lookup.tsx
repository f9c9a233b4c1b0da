import type { FoundServers } from '#lib/contracts/senders/mailboxes'

/** The known servers of an address. */
export type Found = Pick<FoundServers, 'found_by' | 'provider' | 'note' | 'smtp' | 'imap'>

const findControl = (form: HTMLFormElement, name: string) => {
  const control = form.elements.namedItem(name)
  return control instanceof HTMLInputElement || control instanceof HTMLSelectElement ? control : null
}

/** Whether the user typed a server by hand, which a lookup must not replace. */
export function hasOwnServer(form: HTMLFormElement, found: Found | null): boolean {
  const host = findControl(form, 'smtp.host')?.value ?? ''
  return host !== '' && host !== found?.smtp?.host
}

/** Fills both servers into the form; clears the host of a missing one. */
export function fillServers(form: HTMLFormElement, { smtp, imap }: Found): void {
  for (const [prefix, server] of Object.entries({ smtp, imap })) {
    const set = (name: string, value: string) => {
      const control = findControl(form, `${prefix}.${name}`)
      if (control) control.value = value
    }
    set('host', server?.host ?? '')
    set('username', server?.username ?? '')
    if (!server) continue
    set('port', String(server.port))
    set('security', server.security)
  }
}
